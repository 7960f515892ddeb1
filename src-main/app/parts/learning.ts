import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { AnswerKeeper } from '../../learning/feedback/answer-keeper.ts';
import { FeedbackDesk } from '../../learning/feedback/feedback-desk.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import { CompletionStore } from '../../store/learning-completions.ts';
import { FeedbackStore } from '../../store/learning-feedback.ts';
import type { Core } from './core.ts';
import { type LearningVersionsPart, openLearningVersions } from './learning-versions.ts';

/** The model gets better from what people say of its answers; every node has it. */
export interface LearningPart {
  /** Keeps what this node's own model answers at this node's own doors. */
  readonly keeper: AnswerKeeper;
  /** Takes what people say of them. */
  readonly desk: FeedbackDesk;
  readonly versions: LearningVersionsPart;
  /** Gives an exported version to who has a ticket: `GET /learning/export/<ticket>`. */
  giveExport(request: Request): Promise<Response>;
  status(): Promise<LearningStatus>;
}

export async function openLearning(core: Core, library: ModelLibrary): Promise<LearningPart> {
  const { db, settings, changes, log, onClose } = core;
  const followed = settings.follow('learning');
  const completions = new CompletionStore(db);
  const feedback = new FeedbackStore(db);
  const keeper = new AnswerKeeper({ store: completions, choice: () => followed.now, log });
  const desk = new FeedbackDesk({ completions, feedback, adapter: () => followed.now.adapter, changes });
  onClose(() => keeper.close());
  keeper.open();
  const versions = await openLearningVersions(core, library);
  return {
    keeper,
    desk,
    versions,
    giveExport: (request) => versions.exports.give(request),
    async status() {
      const { keep: keeps, adapter } = followed.now;
      const [answers, counts] = await Promise.all([completions.sum(), feedback.counts()]);
      return { keeps, adapter, answers, feedback: counts };
    },
  };
}
