import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toQuarryError } from '../api/errors.ts';
import { worded } from '../i18n/worded.ts';

/** An error as a person should see it: what happened, what to do, and a way to try again. Nothing without an error. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  if (!error) return null;
  const named = toQuarryError(error);
  const hint = worded(named, 'hint');
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('error.title')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{worded(named, 'message')}</Text>
        {hint && <Text size="sm">{hint}</Text>}
        <Text size="xs" c="dimmed">
          {t('error.code', { code: named.code })}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
