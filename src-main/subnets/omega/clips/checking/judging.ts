import type { ClipScore } from '../../../../../src-preload/contract/data.ts';
import type { SubmissionKind } from '../../../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { Judgement, Judging } from '../../../../validation/environment.ts';
import { barredBecause, isOfSpace } from '../rules/admissible.ts';
import { LEAST_SCORE, LIE_SCORE } from '../rules/submission-score.ts';
import type { Told, Unreadable } from '../synapse/handed-in.ts';
import type { CheckingPorts, ClipJudge } from './checking-ports.ts';
import { type ClipsTask, placeOf, vectorId } from './clips-task.ts';
import { type CheckOutcome, keepReceived } from './keep-received.ts';
import type { LookedAt, Unseen } from './look-closely.ts';
import { CHECKS_LOOKED_AT, isOutOfReach, isSuspect, isTheSameForAll, LATELY_DAYS } from './reach.ts';
import { UNCOUNTED, uncountedScore } from './score-clips.ts';

/** Of an answer: what is said of its clips, and not their vectors. */
const KEPT = 16_000;
const NEVER = new AbortController().signal;

/** What is asked for, and with what it is judged. */
export interface About {
  ports: CheckingPorts;
  judge: ClipJudge;
  task: ClipsTask;
  topic: TextVectors;
  /** Whose answer it is; undefined for nobody's. */
  party: string | undefined;
  signal: AbortSignal;
}

/** One clip or sound of an answer, and what it is worth. */
export interface Weighed<One extends Told> {
  told: One;
  /** Where it is in the answer. */
  at: number;
  score: ClipScore;
}

/** What came of looking at one: it is right, it is another than its miner says, or it could not be fetched. */
export type Looked<Found> = { found: Found } | NotAsSaid | { unseen: Unseen };

/** Why it is another, and when its source had the file changed last: what it was before, nobody sees. */
type NotAsSaid = { lie: Saying } & Pick<LookedAt<unknown>, 'changedAt'>;

/** What judging clips and judging sounds differ in. @template Found what is found out by looking at one that is no lie */
export interface WayToJudge<One extends Told, Found> {
  kind: SubmissionKind;
  /** So many count: no model is to read what does not. */
  most: number;
  read: (answer: string) => One[] | Unreadable;
  /** Those that the miner sends for one, in the order of those of the topic: seen, heard. */
  vectors: (told: One) => readonly [seen: Float32Array | null, heard: Float32Array | null];
  /** By which it is told from others. */
  vector: (told: One) => Float32Array;
  description: (told: One) => string;
  /** @throws QuarryError where something is missing by which these are judged */
  check?: (judge: ClipJudge) => void;
  /** Whether one of each answer is looked at, drawn or not. */
  looksAlways: boolean;
  /** What those are worth that are barred by nothing, in their order. */
  weigh: (told: readonly One[], about: About) => Promise<ClipScore[]>;
  look: (one: Weighed<One>, about: About) => Promise<Looked<Found>>;
  /** What those that count are worth together. @param found undefined where none was looked at, or could be */
  score: (counted: readonly Weighed<One>[], found: Found | undefined) => number;
  /** What each of them is worth of that. Default: what it was weighed. */
  share?: (score: number, counted: number) => number;
  /** What is said of one that is right, and of one that was not to be fetched, behind what all are worth. */
  right: (judged: Saying, clip: number, found: Found) => Saying;
  unseen: (judged: Saying, clip: number, why: Saying) => Saying;
}

/**
 * Judges what was handed in: what does not count is left out, the rest is weighed by what is said of it, one of them may be looked at, and all of it is kept.
 * @throws what models, index, store and disk throw
 */
export async function judgeAnswer<One extends Told, Found>(
  way: WayToJudge<One, Found>,
  { ports, task, answer }: { ports: CheckingPorts; task: ClipsTask; answer: string },
  { party, signal = NEVER }: Judging,
): Promise<Judgement> {
  const told = way.read(answer);
  if (!Array.isArray(told)) return { score: 0, reason: unreadable(told), keeps: KEPT };
  if (told.length === 0) return { score: LEAST_SCORE, reason: say('clipValidation.none'), keeps: KEPT };
  const judge = await ports.judge.use();
  way.check?.(judge);
  const [topic] = await judge.models.texts([task.wanted.topic], signal);
  const about = { ports, judge, task, topic: topic as TextVectors, party, signal };
  const weighed = await weighAll(way, told, about);
  const outcome = await judgeWeighed(way, weighed, about);
  if (party !== undefined) await keep(way, weighed, about, { party, outcome });
  return { score: outcome.score, reason: outcome.reason, keeps: KEPT };
}

const countedOf = <One extends Told>(weighed: readonly Weighed<One>[]) =>
  weighed.filter(({ score }) => score.uncounted === null);

async function weighAll<One extends Told, Found>(
  way: WayToJudge<One, Found>,
  told: readonly One[],
  about: About,
): Promise<Weighed<One>[]> {
  let room = way.most;
  const barred = told.map((one) => whyBarred(way, one, about) ?? (room-- > 0 ? undefined : UNCOUNTED.tooMany));
  const within = told.filter((_, at) => !barred[at]);
  const scores = await way.weigh(within, about);
  return told.map((one, at) => {
    const why = barred[at];
    return { told: one, at, score: why ? uncountedScore(why) : (scores[within.indexOf(one)] as ClipScore) };
  });
}

/** Vectors of other models say nothing here, and what nobody could look at would never be found out. */
function whyBarred<One extends Told, Found>(
  { vectors, kind }: WayToJudge<One, Found>,
  one: One,
  { ports: { look }, judge, topic }: About,
): Saying | undefined {
  const { space } = judge.models;
  const told = { space: one.space, vectors: vectors(one) };
  if (!isOfSpace(told, { space, vectors: [topic.seen, topic.heard] }))
    return say('clipValidation.uncounted.space', { space });
  const { licence, from, to } = one;
  return barredBecause({ source: one.video.source, licence, from, to }, kind, (source) => look.asks(source));
}

/** What they come to, after one of them was looked at if that is its turn. */
async function judgeWeighed<One extends Told, Found>(
  way: WayToJudge<One, Found>,
  weighed: readonly Weighed<One>[],
  about: About,
): Promise<CheckOutcome> {
  const { task, ports, party } = about;
  const counted = countedOf(weighed);
  const isOwed = party !== undefined && (await owes(ports, party));
  const one = way.looksAlways || task.isDrawn || isOwed ? placeOf(task, counted) : undefined;
  const looked = one && (await way.look(one, about));
  const found = looked && 'found' in looked ? looked.found : undefined;
  const score = Math.max(LEAST_SCORE, way.score(counted, found));
  const figures = { counted: counted.length, clips: weighed.length, score: Number(score.toFixed(3)) };
  const judged = counted.length > 0 ? say('clipValidation.judged', figures) : say('clipValidation.noneCounts');
  if (!one || !looked) return { check: 'unlooked', at: null, score, reason: judged };
  const { at } = one;
  const clip = at + 1;
  if ('lie' in looked) return notAsSaid(one, looked, (ports.now ?? Date.now)());
  if ('found' in looked) return { check: 'right', at, score, reason: way.right(judged, clip, looked.found) };
  const why = UNSEEN[looked.unseen];
  const unseen = { check: 'notFetched' as const, at, unseen: looked.unseen };
  if (!isOwed) return { ...unseen, score, reason: way.unseen(judged, clip, why) };
  return { ...unseen, score: LEAST_SCORE, reason: say('clipValidation.owed', { why }), isOwed };
}

/** One that is another than its miner says: a lie where the miner had the same bytes, and else nothing. */
function notAsSaid(
  { at, told: { video } }: Pick<Weighed<Told>, 'at' | 'told'>,
  { lie: why, changedAt = Number.NEGATIVE_INFINITY }: NotAsSaid,
  now: number,
): CheckOutcome {
  const said = { clip: at + 1, why };
  const differs = { check: 'differs' as const, at, score: LEAST_SCORE };
  if (!isTheSameForAll(video.source)) return { ...differs, reason: say('clipValidation.differs', said) };
  if (now - changedAt < LATELY_DAYS * 86_400_000)
    return { ...differs, reason: say('clipValidation.changed', { ...said, days: LATELY_DAYS }) };
  return { check: 'lie', at, score: LIE_SCORE, reason: say('clipValidation.lie', said) };
}

/** Whether a miner's clips count nothing until one of them can be looked at. */
async function owes({ submissions }: Pick<CheckingPorts, 'submissions'>, party: string): Promise<boolean> {
  const own = await submissions.lastChecks(CHECKS_LOOKED_AT, { of: party });
  return isSuspect(own) && isOutOfReach(own, await submissions.lastOfOthers(party));
}

const UNSEEN: Record<Unseen, Saying> = {
  gone: say('clipValidation.unseen.gone'),
  blocked: say('clipValidation.unseen.blocked'),
  licence: say('clipValidation.unseen.licence'),
};

async function keep<One extends Told, Found>(
  way: WayToJudge<One, Found>,
  weighed: readonly Weighed<One>[],
  { ports, judge, task }: About,
  { party, outcome }: { party: string; outcome: CheckOutcome },
): Promise<void> {
  const counted = countedOf(weighed);
  const vectors = counted.map(({ told, at }) => ({ id: vectorId(task.key, at), vector: way.vector(told) }));
  const share = way.share?.(Math.max(0, outcome.score), counted.length);
  const clips = weighed.map(({ told, score }) => {
    const { video, from, to } = told;
    const worth = score.uncounted === null ? (share ?? score.worth) : score.worth;
    return { video, from, to, description: way.description(told), score: { ...score, worth } };
  });
  await keepReceived(ports, { task, peer: party, outcome, clips, vectors, space: judge.models.space });
}

function unreadable({ fault, entry }: Unreadable): Saying {
  switch (fault) {
    case 'list':
      return say('clipValidation.unreadable.list');
    case 'tooMany':
      return say('clipValidation.unreadable.tooMany');
    case 'entry':
      return say('clipValidation.unreadable.entry', { entry });
    case 'vector':
      return say('clipValidation.unreadable.vector', { entry });
    case 'turns':
      return say('clipValidation.unreadable.turns', { entry });
  }
}
