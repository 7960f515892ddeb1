import type { GenerateInput } from '../../../src-preload/contract/request.ts';
import { dataPath } from '../../base/data-folder.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import { EvaluationDesk } from '../evaluation/evaluation-desk.ts';
import { namedTarget, openExaminee } from '../evaluation/examinees.ts';
import type { Core } from './core.ts';
import { type EnginePart, NO_ENGINE } from './engine.ts';
import type { InferencePart } from './inference.ts';
import { need } from './need.ts';

/** How much of long texts models use; every node can find out. */
export type EvaluationPart = EvaluationDesk;

export interface EvaluationNeeds {
  inference: Pick<InferencePart, 'ask'>;
  engine: EnginePart | undefined;
}

export async function openEvaluation(
  { config, settings, db, log, onDrain }: Core,
  { inference, engine }: EvaluationNeeds,
): Promise<EvaluationPart> {
  const chosen = settings.follow('model');
  const own = () => {
    const { slot, localUse } = need(engine, NO_ENGINE);
    return {
      named: config.backend === 'local' ? chosen.now : undefined,
      load: (signal: AbortSignal) => localUse.begin(signal),
      is: () => slot.status().model,
      count: async (input: GenerateInput) => await slot.need().countTokens?.(input),
    };
  };
  const { baseUrl = '', apiKey } = config.remote;
  const keyFor = (url: string) => (originOf(url) === originOf(baseUrl) ? apiKey : undefined);
  const desk = new EvaluationDesk({
    store: new EvaluationStore(db),
    named: (target) => namedTarget({ own }, target),
    openExaminee: (target, signal) => openExaminee({ ask: inference.ask, own, keyFor, log }, target, signal),
    folder: dataPath(config.dataDir, 'texts'),
    log,
  });
  await desk.open();
  onDrain(() => desk.close());
  return desk;
}

const originOf = (address: string) => URL.parse(address)?.origin;
