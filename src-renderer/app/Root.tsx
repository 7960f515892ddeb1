import { Center, Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ErrorNote } from '../components/ErrorNote.tsx';
import { type Language, speak } from '../i18n/i18n.ts';
import { settingValue } from '../state/settings.ts';
import { Login } from './Login.tsx';
import { Shell } from './Shell.tsx';

const Welcome = lazy(async () => ({ default: (await import('../pages/welcome/Welcome.tsx')).Welcome }));

/** Decides what there is to show: the login, the welcome for newcomers, or the pages. */
export function Root() {
  const state = useConnection((connection) => connection.state);
  const settings = useAnswer(api.settings.list.queryOptions());
  const language = settingValue<Language | 'system'>(settings.data, 'language');
  useEffect(() => {
    if (language) void speak(language);
  }, [language]);

  if (state === 'login') return <Login />;
  if (!settings.data) return <Connecting error={settings.error} onRetry={() => void settings.refetch()} />;
  if (settingValue<boolean>(settings.data, 'showWelcome')) {
    return (
      <Suspense fallback={<Connecting />}>
        <Welcome />
      </Suspense>
    );
  }
  return <Shell />;
}

function Connecting({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <Center h="100vh" p="md">
      {error ? (
        <ErrorNote error={error} onRetry={onRetry} />
      ) : (
        <Stack align="center" role="status">
          <Loader aria-hidden />
          <Text>{t('connection.connecting')}</Text>
        </Stack>
      )}
    </Center>
  );
}
