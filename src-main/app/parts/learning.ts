import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { CompletionStore } from '../../store/learning-completions.ts';
import { FeedbackStore } from '../../store/learning-feedback.ts';
import type { Core } from './core.ts';

/** The model gets better from what people say of its answers; every node has it. */
export interface LearningPart {
  status(): Promise<LearningStatus>;
}

export async function openLearning({ db, settings }: Core): Promise<LearningPart> {
  const followed = settings.follow('learning');
  const completions = new CompletionStore(db);
  const feedback = new FeedbackStore(db);
  return {
    async status() {
      const { keep: keeps, adapter } = followed.now;
      const [answers, counts] = await Promise.all([completions.sum(), feedback.counts()]);
      return { keeps, adapter, answers, feedback: counts };
    },
  };
}
