import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { AnswerKeeper } from '../../learning/feedback/answer-keeper.ts';
import { FeedbackDesk } from '../../learning/feedback/feedback-desk.ts';
import { CompletionStore } from '../../store/learning-completions.ts';
import { FeedbackStore } from '../../store/learning-feedback.ts';
import type { Core } from './core.ts';

/** The model gets better from what people say of its answers; every node has it. */
export interface LearningPart {
  /** Keeps what this node's own model answers at this node's own doors. */
  readonly keeper: AnswerKeeper;
  /** Takes what people say of them. */
  readonly desk: FeedbackDesk;
  status(): Promise<LearningStatus>;
}

export function openLearning({ db, settings, changes, log, onClose }: Core): LearningPart {
  const followed = settings.follow('learning');
  const completions = new CompletionStore(db);
  const feedback = new FeedbackStore(db);
  const keeper = new AnswerKeeper({ store: completions, choice: () => followed.now, log });
  const desk = new FeedbackDesk({ completions, feedback, adapter: () => followed.now.adapter, changes });
  onClose(() => keeper.close());
  keeper.open();
  return {
    keeper,
    desk,
    async status() {
      const { keep: keeps, adapter } = followed.now;
      const [answers, counts] = await Promise.all([completions.sum(), feedback.counts()]);
      return { keeps, adapter, answers, feedback: counts };
    },
  };
}
