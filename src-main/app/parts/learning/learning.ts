import type { LearningStatus } from '../../../../src-preload/contract/learning.ts';
import { AnswerKeeper } from '../../../learning/feedback/answer-keeper.ts';
import { FeedbackDesk } from '../../../learning/feedback/feedback-desk.ts';
import { sentenceOf } from '../../../learning/runs/run-views.ts';
import { CompletionStore } from '../../../store/learning/learning-completions.ts';
import { type FeedbackCounts, FeedbackStore } from '../../../store/learning/learning-feedback.ts';
import { neverLearns } from '../../learning/conditions.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';
import { clearTrainers } from './learning-trainers.ts';
import { type LearningVersionsNeeds, type LearningVersionsPart, openLearningVersions } from './learning-versions.ts';

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
  /** How much feedback waits, is taken, or is put aside; of the status what costs little, however much is kept. */
  feedback(): Promise<LearningStatus['feedback']>;
}

export interface LearningNeeds extends LearningVersionsNeeds {
  engine: { readonly slot: Pick<EnginePart['slot'], 'status'> } | undefined;
}

export async function openLearning(core: Core, { library, engine, sharing }: LearningNeeds): Promise<LearningPart> {
  const { config, db, settings, changes, log, onClose } = core;
  await clearTrainers(config.dataDir); // also where nothing is opened that would train
  const followed = settings.follow('learning');
  const completions = new CompletionStore(db);
  const feedback = new FeedbackStore(db);
  const keeper = new AnswerKeeper({ store: completions, choice: () => followed.now, log });
  const desk = new FeedbackDesk({ completions, feedback, adapter: () => followed.now.adapter, changes });
  onClose(() => keeper.close());
  keeper.open();
  const versions = await openLearningVersions(core, { library, sharing });
  const model = settings.follow('model');
  /** SHA-256 of the file of the model that is loaded, or would be; undefined where it runs elsewhere. */
  const base = async () => {
    if (config.backend === 'remote') return undefined;
    return engine?.slot.status().model?.sha256 ?? (await library.selected(model.now))?.sha256;
  };
  return {
    keeper,
    desk,
    versions,
    feedback: async () => together(await feedback.counts()),
    giveExport: (request) => versions.exports.give(request),
    async status() {
      const { keep: keeps, adapter } = followed.now;
      const [answers, byAdapter] = await Promise.all([completions.sum(), feedback.counts()]);
      const never = neverLearns(config);
      const hindrance = never === undefined ? null : sentenceOf(never);
      const inUse = await versions.models.inUse(await base());
      return { keeps, hindrance, adapter, inUse, answers, feedback: together(byAdapter), byAdapter };
    },
  };
}

function together(counts: readonly FeedbackCounts[]): LearningStatus['feedback'] {
  const sum = (of: 'waiting' | 'taken' | 'aside') => counts.reduce((all, one) => all + one[of], 0);
  return { waiting: sum('waiting'), taken: sum('taken'), aside: sum('aside') };
}
