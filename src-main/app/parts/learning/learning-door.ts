import { sentence } from '../../../../src-preload/contract/saying.ts';
import { ClientFeedback } from '../../../learning/feedback/client-feedback.ts';
import type { AdapterPort, RunPort } from '../../../learning/feedback/ports.ts';
import type { LearningDoor } from '../../../server/learning/learning-door.ts';
import type { EnginePart } from '../engine.ts';
import type { LearningPart } from './learning.ts';

export interface LearningDoorNeeds {
  learning: Pick<LearningPart, 'desk'>;
  engine: Pick<EnginePart, 'slot'> | undefined;
  /** Undefined where this node has none. */
  adapters: AdapterPort | undefined;
  runs: RunPort | undefined;
}

/** Feedback of programs, over HTTP. */
export function openLearningDoor({ learning, engine, adapters, runs }: LearningDoorNeeds): LearningDoor {
  const feedback = new ClientFeedback({ desk: learning.desk, adapters, runs });
  return {
    async learn(wanted, signal) {
      const { feedback: given, outcome } = await feedback.take(wanted, signal);
      if (!outcome) return { feedback: given };
      const { reason, ...told } = outcome;
      return { feedback: given, outcome: { ...told, ...(reason && { reason: sentence(reason) }) } };
    },
    list: (prefix) => feedback.adapters.list(prefix),
    init: (wanted) => feedback.adapters.init(wanted),
    remove: (ref) => feedback.adapters.remove(ref),
    export: (ref) => feedback.adapters.export(ref),
    bases() {
      const name = engine?.slot.status().model?.name;
      return name === undefined ? [] : [name];
    },
    hindrance() {
      const why = feedback.hindrance();
      return why && sentence(why);
    },
  };
}
