import { Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ErrorNote } from '../components/errors/ErrorNote.tsx';
import { useLater } from '../components/use-later.ts';
import { type Language, speak } from '../i18n/i18n.ts';
import { settingValue } from '../state/settings.ts';
import { EmptyFrame } from './EmptyFrame.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Login } from './Login.tsx';
import { Shell } from './Shell.tsx';

const Welcome = lazy(async () => ({ default: (await import('../pages/welcome/Welcome.tsx')).Welcome }));

/** Who waits no longer than this sees the frame alone, and in it what comes. */
const TOLD_AFTER_MS = 500;

/** Decides what there is to show: the login, the welcome for newcomers, or the pages. It takes the place of index.html's frame. */
export function Root() {
  useLayoutEffect(() => document.getElementById('frame')?.remove(), []);
  const state = useConnection((connection) => connection.state);
  const settings = useAnswer(api.settings.list.queryOptions());
  const language = settingValue<Language | 'system'>(settings.data, 'language');
  useEffect(() => {
    if (language) void speak(language);
  }, [language]);

  if (state === 'login') return <Login />;
  if (!settings.data) return <Connecting error={settings.error} onRetry={() => void settings.refetch()} />;
  // It leads to mining, and whoever runs a validator has come for something else.
  const isValidator = settingValue<string>(settings.data, 'role') === 'validator';
  if (settingValue<boolean>(settings.data, 'showWelcome') && !isValidator) {
    return (
      <ErrorBoundary>
        <Suspense fallback={<Connecting />}>
          <Welcome />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return <Shell />;
}

function Connecting({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const late = useLater(TOLD_AFTER_MS);
  return (
    <EmptyFrame>
      {error ? (
        <ErrorNote error={error} onRetry={onRetry} />
      ) : (
        late && (
          <Stack align="center" role="status">
            <Loader aria-hidden />
            <Text>{t('connection.connecting')}</Text>
          </Stack>
        )
      )}
    </EmptyFrame>
  );
}
