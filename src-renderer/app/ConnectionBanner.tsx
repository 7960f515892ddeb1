import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';

/** Says that main is out of reach, or that settings wait for a restart; nothing while all is well. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const lost = useConnection(({ state }) => state === 'lost');
  const { data } = useQuery(api.settings.list.queryOptions());
  const restart = useMutation(api.node.restart.mutationOptions());
  if (lost) {
    return (
      <Alert color="red" mb="md" icon={<IconPlugConnectedX aria-hidden />} role="status">
        {t('connection.lost')}
      </Alert>
    );
  }
  if (!data?.restartNeeded) return null;
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
