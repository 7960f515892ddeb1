import { Badge, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../src-preload/contract/node.ts';
import { api } from '../api/client.ts';
import { toQuarryError } from '../api/errors.ts';
import { useNode } from '../state/node.ts';

const COLOURS = {
  stopped: 'gray',
  starting: 'blue',
  stopping: 'blue',
  running: 'green',
  throttled: 'yellow',
  paused: 'yellow',
} as const;

/** How mining stands, the load policy taken in. */
export function miningState(status: NodeStatus): keyof typeof COLOURS {
  const state = status.mining?.state ?? 'stopped';
  if (state !== 'running') return state;
  const mode = status.policy?.mode ?? 'full';
  return mode === 'full' ? 'running' : mode;
}

/** Starts and stops mining, and says how it stands. Nothing on a node that serves nobody. */
export function MiningControl() {
  const { t } = useTranslation();
  const status = useNode((node) => node.status);
  const start = useMutation(api.node.startMining.mutationOptions({ onError: tell }));
  const stop = useMutation(api.node.stopMining.mutationOptions({ onError: tell }));
  if (!status?.mining) return null;
  const { state } = status.mining;
  const shown = miningState(status);
  const stopped = state === 'stopped' || state === 'starting';
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color={COLOURS[shown]} variant="light" size="lg" visibleFrom="xs" role="status">
        {t(`mining.${shown}`)}
      </Badge>
      {stopped ? (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={start.isPending || state === 'starting'}
          onClick={() => start.mutate(undefined)}
        >
          {t('mining.start')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={stop.isPending || state === 'stopping'}
          onClick={() => stop.mutate(undefined)}
        >
          {t('mining.stop')}
        </Button>
      )}
    </Group>
  );
}

function tell(error: unknown): void {
  const { message, hint } = toQuarryError(error);
  notifications.show({ color: 'red', message: [message, hint].filter(Boolean).join(' '), autoClose: 15_000 });
}
