import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api, client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useNode } from '../../state/node.ts';
import { useModelTitles } from './useModelTitles.ts';
import { type MeshModel, meshModels, minersOf } from './who.ts';

/** Who could answer now. */
export interface Answerers {
  /** The model of this computer: the loaded one, or the one that is loaded with the first question. */
  local: { name: string | undefined; tokensPerSecond: number | undefined };
  /** Models of the mesh, with the chosen one, whether or not anybody serves it now. */
  mesh: MeshModel[];
  /** Nodes that take requests; undefined until somebody has told. */
  miners: number | undefined;
  /** What a model is called by people. */
  titleOf: (name: string) => string;
}

export function useAnswerers({ target, model }: AskOptions): Answerers {
  const { value: peers } = useLiveValue((signal) => client.mesh.watchPeers(undefined, { signal }));
  const status = useNode((node) => node.status);
  const { data: here } = useAnswer(api.models.list.queryOptions());
  const titleOf = useModelTitles();
  const mesh = meshModels(peers);
  if (target === 'mesh' && model && !mesh.some(({ name }) => name === model)) mesh.push({ name: model, miners: 0 });
  return {
    local: {
      name: status?.engine.model?.name ?? here?.find(({ selected }) => selected)?.name,
      tokensPerSecond: status?.speed?.tokensPerSecond,
    },
    mesh,
    miners: peers && minersOf(peers),
    titleOf,
  };
}
