import { Badge, Button, Group } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../src-preload/contract/node.ts';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { toQuarryError } from '../api/errors.ts';
import { useNode } from '../state/node.ts';
import { tellError } from './tell-error.ts';

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

/** How mining stands, and the button that changes it. Nothing on a node that serves nobody. */
export function MiningControl() {
  const status = useNode((node) => node.status);
  if (!status?.mining) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <MiningBadge status={status} />
      <MiningButton />
    </Group>
  );
}

function MiningBadge({ status }: { status: NodeStatus }) {
  const { t } = useTranslation();
  const lost = useLostConnection();
  const shown = miningState(status);
  return (
    <Badge color={lost ? 'gray' : COLOURS[shown]} variant="light" size="lg" visibleFrom="xs" role="status">
      {t(lost ? 'mining.unknown' : `mining.${shown}`)}
    </Badge>
  );
}

/** Whether what was told last may not be so any more. */
export function useLostConnection(): boolean {
  return useConnection(({ state }) => state === 'lost');
}

/** Starts or stops mining. Nothing on a node that serves nobody. */
export function MiningButton() {
  const { t } = useTranslation();
  const state = useNode(({ status }) => status?.mining?.state);
  const start = useMutation(api.node.startMining.mutationOptions({ onError: tellUnlessCancelled }));
  const stop = useMutation(api.node.stopMining.mutationOptions({ onError: (error) => tellError(error) }));
  const lost = useLostConnection();
  if (!state) return null;
  if (state === 'stopped') {
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={start.isPending}
        disabled={lost}
        onClick={() => start.mutate(undefined)}
      >
        {t('mining.start')}
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={16} aria-hidden />}
      loading={stop.isPending || state === 'stopping'}
      disabled={lost}
      onClick={() => stop.mutate(undefined)}
    >
      {t(state === 'starting' ? 'mining.giveUp' : 'mining.stop')}
    </Button>
  );
}

/** Whoever gives up a start knows that it did not come about. */
function tellUnlessCancelled(error: unknown): void {
  if (toQuarryError(error).code !== 'CANCELLED') tellError(error);
}
