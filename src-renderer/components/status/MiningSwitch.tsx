import { Loader, UnstyledButton } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { useNode } from '../../state/node.ts';
import type { Standing } from '../../state/standing.ts';
import { tellError } from '../errors/tell-error.ts';
import classes from './status.module.css';

/** Starts or stops mining, or gives up a start. Nothing on a node that only asks. */
export function MiningSwitch({ standing }: { standing: Standing }) {
  const { t } = useTranslation();
  const state = useNode(({ status }) => status?.mining?.state);
  const start = useMutation(api.node.startMining.mutationOptions({ onError: tellUnlessCancelled }));
  const stop = useMutation(api.node.stopMining.mutationOptions({ onError: (error) => tellError(error) }));
  if (!state) return null;
  const action = state === 'stopped' ? 'start' : state === 'starting' ? 'giveUp' : 'stop';
  const busy = start.isPending ? state === 'stopped' : stop.isPending || state === 'stopping';
  const Icon = { start: IconPlayerPlay, giveUp: IconX, stop: IconPlayerStopFilled }[action];
  const label = t(`mining.${action}`);
  return (
    <UnstyledButton
      className={classes.go}
      aria-label={label}
      title={label}
      disabled={busy || standing === 'connecting'}
      onClick={() => (action === 'start' ? start : stop).mutate(undefined)}
    >
      {busy ? <Loader size={13} color="currentColor" /> : <Icon size={13} stroke={2} aria-hidden />}
    </UnstyledButton>
  );
}

/** Whoever gives up a start knows that it did not come about. */
function tellUnlessCancelled(error: unknown): void {
  if (toQuarryError(error).code !== 'CANCELLED') tellError(error);
}
