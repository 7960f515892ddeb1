import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useAnswer } from '../api/use-answer.ts';
import { worded } from '../i18n/worded.ts';
import { tellError } from './tell-error.ts';

/** Says that main is out of reach, or that settings wait for a restart; nothing while all is well. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const lost = useConnection(({ state }) => state === 'lost');
  const { data } = useAnswer(api.settings.list.queryOptions());
  if (lost) {
    return (
      <Alert color="red" mb="md" icon={<IconPlugConnectedX aria-hidden />} role="status">
        {t('connection.lost')}
      </Alert>
    );
  }
  if (!data) return null;
  return (
    <>
      {data.rejected && <Rejected why={data.rejected} />}
      {data.restartNeeded && <RestartNeeded />}
    </>
  );
}

function RestartNeeded() {
  const { t } = useTranslation();
  const restart = useMutation(api.node.restart.mutationOptions({ onError: (error) => tellError(error) }));
  return (
    <Alert color="yellow" mb="md" icon={<IconRefresh aria-hidden />} role="status">
      <Group justify="space-between">
        <Text size="sm">{t('restart.needed')}</Text>
        <Button size="xs" loading={restart.isPending} onClick={() => restart.mutate(undefined)}>
          {t('restart.now')}
        </Button>
      </Group>
    </Alert>
  );
}

/** The node runs with what was set before, because it could not be opened with what is set now. */
function Rejected({ why }: { why: NonNullable<SettingsView['rejected']> }) {
  const { t } = useTranslation();
  const hint = worded(why, 'hint');
  return (
    <Alert color="red" mb="md" icon={<IconAlertTriangle aria-hidden />} title={t('restart.rejected')} role="alert">
      <Text size="sm">{worded(why, 'message')}</Text>
      {hint && <Text size="sm">{hint}</Text>}
      <Anchor href="#/settings" size="sm" underline="always" c="inherit">
        {t('restart.toSettings')}
      </Anchor>
    </Alert>
  );
}
