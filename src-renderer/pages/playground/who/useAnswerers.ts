import type { Answered, AskOptions } from '../../../../src-preload/contract/conversations.ts';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { api, client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useTitles } from '../../../components/useTitles.ts';
import { useNode } from '../../../state/node.ts';
import { type LocalModelWork, useLocalModel } from './useLocalModel.ts';
import { learntNames, type MeshModel, meshModels, minersOf, writersOf } from './who.ts';

/** Who could answer now, and how they did lately. */
export interface Answerers {
  /** Models of this computer by name; with its size where that is known. */
  local: (Pick<LocalModel, 'name'> & { bytes?: number })[];
  /** The one that it answers with. */
  here: string | undefined;
  /** Names by which it is asked with what it has learnt, and without. */
  learnt: string[];
  work: LocalModelWork;
  /** Models of the mesh, with the chosen one, whether or not anybody serves it now. */
  mesh: MeshModel[];
  /** Nodes that take requests; undefined until somebody has told. */
  miners: number | undefined;
  /** How a model did lately; without a name, whichever answered last there. */
  lately: (
    target: Answered['target'],
    model?: string,
  ) => Pick<Answered, 'tokens' | 'firstTokenMs' | 'tokensPerSecond'> | undefined;
  /** What a model is called by people. */
  titleOf: (name: string) => string;
}

export function useAnswerers({ target, model }: AskOptions): Answerers {
  const { value: peers } = useLiveValue((signal) => client.mesh.watchPeers(undefined, { signal }));
  const loaded = useNode(({ status }) => status?.engine.model?.name);
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  const { data: catalogue = [] } = useAnswer(api.models.catalogue.queryOptions({ input: {} }));
  const { data: searcher } = useAnswer(api.conversations.searcher.queryOptions());
  const { data: answered = [] } = useAnswer(api.conversations.answered.queryOptions());
  const { data: adapters = [] } = useAnswer(api.learning.adapters.queryOptions());
  const titleOf = useTitles();
  const work = useLocalModel();
  const mesh = meshModels(peers);
  if (target === 'mesh' && model && !mesh.some(({ name }) => name === model)) mesh.push({ name: model, miners: 0 });
  const answering = models.filter(({ name, selected }) => selected || name !== searcher?.model);
  const local: Answerers['local'] = writersOf(answering, catalogue);
  const here = loaded ?? models.find(({ selected }) => selected)?.name;
  if (here && !local.some(({ name }) => name === here)) local.unshift({ name: here }); // of a remote server, or by its path
  const file = models.find(({ name }) => name === here);
  const asked = target === 'local' && model !== here ? model : undefined;
  return {
    local,
    here,
    learnt: learntNames(adapters, here === undefined ? undefined : { name: here, sha256: file?.sha256 }, asked),
    work,
    mesh,
    miners: peers && minersOf(peers),
    lately: (asked, name) => answered.find((one) => one.target === asked && (name === undefined || one.model === name)),
    titleOf,
  };
}
