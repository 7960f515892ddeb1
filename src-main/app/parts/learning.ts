import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { AnswerKeeper } from '../../learning/feedback/answer-keeper.ts';
import { CompletionStore } from '../../store/learning-completions.ts';
import { FeedbackStore } from '../../store/learning-feedback.ts';
import type { Core } from './core.ts';

/** The model gets better from what people say of its answers; every node has it. */
export interface LearningPart {
  /** Keeps what this node's own model answers at this node's own doors. */
  readonly keeper: AnswerKeeper;
  status(): Promise<LearningStatus>;
}

export function openLearning({ db, settings, log, onClose }: Core): LearningPart {
  const followed = settings.follow('learning');
  const completions = new CompletionStore(db);
  const feedback = new FeedbackStore(db);
  const keeper = new AnswerKeeper({ store: completions, choice: () => followed.now, log });
  onClose(() => keeper.close());
  keeper.open();
  return {
    keeper,
    async status() {
      const { keep: keeps, adapter } = followed.now;
      const [answers, counts] = await Promise.all([completions.sum(), feedback.counts()]);
      return { keeps, adapter, answers, feedback: counts };
    },
  };
}
