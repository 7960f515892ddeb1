import { useMutation } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { tellError } from '../../components/tell-error.ts';
import { useNode } from '../../state/node.ts';
import { useWelcome } from './welcome-state.ts';

/** Starts mining with the model that was picked, if it is here. */
export function useStart(onStarted: () => void) {
  const start = useMutation({ mutationFn: startMining, onSuccess: onStarted, networkMode: 'always' });
  const cancelled = start.error && toQuarryError(start.error).code === 'CANCELLED';
  return {
    run: () => start.mutate(),
    /** Gives up the start that is under way. */
    cancel: () => void client.node.stopMining().catch((error: unknown) => tellError(error)),
    isPending: start.isPending,
    error: cancelled ? null : start.error,
  };
}

async function startMining(): Promise<void> {
  await choosePicked();
  await client.node.startMining();
}

/** A node that mines already changes its model at once. */
async function choosePicked(): Promise<void> {
  const { picked } = useWelcome.getState();
  const model = (await client.models.list()).find(({ name }) => name === picked);
  const loaded = useNode.getState().status?.engine.model?.name;
  if (!model || (model.selected && (loaded === undefined || loaded === model.name))) return;
  queryClient.setQueryData(api.models.list.queryKey(), await client.models.choose({ name: model.name }));
}
