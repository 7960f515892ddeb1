import type { ClipScore, Submission, VideoRef } from '../../../../../src-preload/contract/data.ts';
import type { DeepCheckState } from '../../../../../src-preload/contract/data-names.ts';
import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import type { SubmittedVector } from '../../../../store/clips/clip-submissions.ts';
import type { CheckingPorts } from './checking-ports.ts';
import type { ClipsTask } from './clips-task.ts';
import type { Unseen } from './look-closely.ts';
import { sentenceOf } from './score-clips.ts';

/** What came of a submission. */
export interface CheckOutcome {
  check: DeepCheckState;
  /** Which of its clips was looked at; null for none. */
  at: number | null;
  /** Why that could not be fetched. Default: it could, or none was looked at. */
  unseen?: Unseen;
  score: number;
  reason: Saying;
  /** Whether nothing of it counts until one of its miner's clips can be looked at. Default: false. */
  isOwed?: boolean;
}

/** Of a description, what is kept, UTF-16 units. */
const KEPT_DESCRIPTION = 2_000;

export interface ReceivedNeeds {
  task: ClipsTask;
  /** Whoever was asked. */
  peer: string;
  outcome: CheckOutcome;
  clips: readonly { video: VideoRef; from: number; to: number; description: string; score: ClipScore }[];
  /** Of those that count. */
  vectors: readonly SubmittedVector[];
  space: string;
}

/**
 * Keeps what was handed in, and makes it known to whoever looks for what is new; of a submission that is shown to lie, or that counts nothing, nothing becomes known: whoever made it up would take the news out of others' clips. What is judged once more takes the place of
 * what was kept before: a validator that was killed in between asks again.
 */
export async function keepReceived(
  { submissions, known, now = Date.now }: Pick<CheckingPorts, 'submissions' | 'known' | 'now'>,
  { task, peer, outcome, clips, vectors, space }: ReceivedNeeds,
): Promise<void> {
  const { check, at: lookedAt, score, reason, isOwed = false, unseen = null } = outcome;
  const { of: kind, topic } = task.wanted;
  const kept = check === 'lie' || check === 'differs' || isOwed ? [] : vectors;
  const list = clips.map((clip, at) => rowOf(clip, at === lookedAt ? check : 'unlooked'));
  const sums = sumsOf(clips.map(({ score: one }) => one).filter(({ uncounted }) => uncounted === null));
  const about = { key: task.key, role: 'received' as const, kind, at: now(), peer, topic, score, deep_check: check };
  const looked = { looked_source: lookedAt === null ? null : (clips[lookedAt]?.video.source ?? null), unseen };
  const row = { ...about, ...looked, ...sums, clip_count: clips.length, reason: JSON.stringify(sentenceOf(reason)) };
  const gone = await submissions.keep({ ...row, clips: JSON.stringify(list) }, kept, space);
  await known.forgotten(gone);
  await known.added({ space, kind }, kept);
}

/** As the contract has it. */
function rowOf(
  { video, from, to, description, score }: ReceivedNeeds['clips'][number],
  check: DeepCheckState,
): Submission['clips'][number] {
  const text = description.slice(0, KEPT_DESCRIPTION).toWellFormed();
  return { ...video, clip: null, from, to, description: text, score: { ...score, check } };
}

function sumsOf(counted: readonly ClipScore[]) {
  const sum = (of: (score: ClipScore) => number | null) => counted.reduce((all, one) => all + (of(one) ?? 0), 0);
  return {
    counted: counted.length,
    description_sum: sum(({ descriptionRelevance }) => descriptionRelevance),
    topic_sum: sum(({ topicRelevance }) => topicRelevance),
    novelty_sum: counted.some(({ novelty }) => novelty === null) ? null : sum(({ novelty }) => novelty),
  };
}
