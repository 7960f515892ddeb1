import { useMutation } from '@tanstack/react-query';
import { api, client } from '../../../api/client.ts';
import { useNode } from '../../../state/node.ts';
import { refreshModels } from '../../../state/refresh-models.ts';

/** How the model of this computer stands, and what can be done about it. */
export interface LocalModelWork {
  state: 'loaded' | 'loading' | 'unloaded';
  /** How much of it is in memory, 0–1, while it loads; undefined where nobody tells. */
  progress: number | undefined;
  /** This node mines, or is about to: the model stays, and another one would be mined with. */
  mining: boolean;
  error: unknown;
  /** Makes another model the one that answers here, and loads it. */
  choose: (name: string) => void;
  load: () => void;
  unload: () => void;
}

export function useLocalModel(): LocalModelWork {
  const engine = useNode(({ status }) => status?.engine.state);
  const progress = useNode(({ status }) => status?.engine.progress);
  const mining = useNode(({ status }) => (status?.mining?.state ?? 'stopped') !== 'stopped');
  const load = useMutation(api.inference.load.mutationOptions());
  const unload = useMutation(api.inference.unload.mutationOptions());
  const choose = useMutation({
    mutationFn: async (name: string) => {
      await client.models.choose({ name });
      await refreshModels();
      await client.inference.load();
    },
  });
  const coming = load.isPending || choose.isPending || engine === 'starting' || engine === 'restarting';
  return {
    state: coming ? 'loading' : engine === 'ready' ? 'loaded' : 'unloaded',
    progress,
    mining,
    error: latestError(load, unload, choose),
    choose: (name) => choose.mutate(name),
    load: () => load.mutate(undefined),
    unload: () => unload.mutate(undefined),
  };
}

/** Of what was tried last: the failure of something before it is past. */
function latestError(...works: { submittedAt: number; error: unknown }[]): unknown {
  return works.toSorted((one, other) => other.submittedAt - one.submittedAt)[0]?.error;
}
