import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { api, client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { useNode } from '../../../state/node.ts';
import { useWelcome } from '../welcome-state.ts';

interface Start {
  /** Name of the model that is still on its way. */
  waitsFor: string | undefined;
  onStarted: () => void;
}

/** Starts mining with the model that was picked: at once if it is here, else as soon as it is. */
export function useStart({ waitsFor, onStarted }: Start) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: startMining,
    onSuccess: (started) => started && onStarted(),
    networkMode: 'always',
  });
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!armed || waitsFor !== undefined) return;
    setArmed(false);
    mutate('picked');
  }, [armed, waitsFor, mutate]);
  const cancelled = error && toQuarryError(error).code === 'CANCELLED';
  return {
    run() {
      if (waitsFor === undefined) return mutate('any');
      useWelcome.setState({ picked: waitsFor });
      setArmed(true);
    },
    /** With what is here. */
    now: () => mutate('any'),
    /** Gives up the start that is under way or awaited. */
    cancel() {
      setArmed(false);
      if (isPending) void client.node.stopMining().catch((failure: unknown) => tellError(failure));
    },
    /** It starts by itself when the model is here. */
    isArmed: armed && waitsFor !== undefined,
    isPending,
    error: cancelled ? null : error,
  };
}

/** @param model `picked`: only if it is here by now; its download may have been given up. @returns whether it has started */
async function startMining(model: 'picked' | 'any'): Promise<boolean> {
  const picked = await pickedModel();
  if (model === 'picked' && !picked) return false;
  if (picked) await choose(picked);
  await client.node.startMining();
  return true;
}

async function pickedModel(): Promise<LocalModel | undefined> {
  const { picked } = useWelcome.getState();
  return (await client.models.list()).find(({ name }) => name === picked);
}

/** A node that mines already changes its model at once. */
async function choose(model: LocalModel): Promise<void> {
  const loaded = useNode.getState().status?.engine.model?.name;
  if (model.selected && (loaded === undefined || loaded === model.name)) return;
  queryClient.setQueryData(api.models.list.queryKey(), await client.models.choose({ name: model.name }));
}
