import type { ClipScore } from '../../../../../src-preload/contract/data.ts';
import { MOST_CLIPS } from '../../../../../src-preload/contract/data-limits.ts';
import { USABLE_LICENCES } from '../../../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { Judgement, Judging } from '../../../../validation/environment.ts';
import { isOfLength, LEAST_SCORE, LIE_SCORE } from '../rules/submission-score.ts';
import { readClips, type Told, type ToldClip, type Unreadable } from '../synapse/handed-in.ts';
import type { CheckingPorts, ClipJudge } from './checking-ports.ts';
import { type ClipsTask, placeOf, vectorId } from './clips-task.ts';
import { type CheckOutcome, keepReceived } from './keep-received.ts';
import type { Unseen } from './look-closely.ts';
import { CHECKS_LOOKED_AT, isOutOfReach, isServedByItsOwner, isSuspect } from './reach.ts';
import { lieAbout } from './read-again.ts';
import { type ScoredSubmission, scoreSubmission, UNCOUNTED, uncountedScore } from './score-clips.ts';

/** Of an answer: what is said of its clips, and not their vectors. */
export const KEPT = 16_000;
const NEVER = new AbortController().signal;

/** One clip of an answer, and what it is worth. */
interface Weighed {
  told: ToldClip;
  /** Where it is in the answer. */
  at: number;
  score: ClipScore;
}

/** Judges what was handed in of videos (OMEGA, B5). @throws what models, index, store and disk throw */
export async function judgeVideos(
  ports: CheckingPorts,
  task: ClipsTask,
  answer: string,
  { party, signal = NEVER }: Judging = {},
): Promise<Judgement> {
  const told = readClips(answer);
  if (!Array.isArray(told)) return { score: 0, reason: unreadable(told), keeps: KEPT };
  if (told.length === 0) return { score: LEAST_SCORE, reason: say('clipValidation.none'), keeps: KEPT };
  using judge = await ports.judge.use(signal);
  const { scored, weighed } = await weigh(ports, judge, task, told, signal);
  const checked = await check(ports, judge, { task, scored, weighed, party }, signal);
  const outcome = outcomeOf(weighed, scored, checked);
  if (party !== undefined) await keep(ports, judge, { task, weighed, party, outcome });
  return { score: outcome.score, reason: outcome.reason, keeps: KEPT };
}

/** What each clip is worth by what is said of it; those that nobody here could look at are not scored. */
async function weigh(
  ports: CheckingPorts,
  judge: ClipJudge,
  task: ClipsTask,
  told: readonly ToldClip[],
  signal: AbortSignal,
) {
  const [topic] = await judge.models.texts([task.wanted.topic], signal);
  let room = MOST_CLIPS;
  const barred = told.map((clip) => {
    const why = whyBarred(ports, judge, clip, topic as TextVectors);
    return why ?? (room-- > 0 ? undefined : UNCOUNTED.tooMany); // no model is to read what does not count anyway
  });
  const within = told.filter((_, at) => !barred[at]);
  const except = await ports.submissions.vectorsOf(task.key);
  const scoring = { models: judge.models, thresholds: judge.thresholds, known: ports.known };
  const scored = await scoreSubmission(task.wanted.topic, within, scoring, { signal, except });
  const weighed = told.map((clip, at): Weighed => {
    const why = barred[at];
    return {
      told: clip,
      at,
      score: why ? uncountedScore(why) : (scored.clips[within.indexOf(clip)]?.score as ClipScore),
    };
  });
  return { scored, weighed };
}

/** Vectors of other models say nothing here, nor do those of another length, whatever space is claimed for them; and what nobody could look at would never be found out. */
function whyBarred(
  { look }: CheckingPorts,
  { models }: ClipJudge,
  clip: ToldClip,
  { seen, heard }: TextVectors,
): Saying | undefined {
  const isOfSpace = clip.space === models.space && clip.seen.length === seen.length && isAlike(clip.heard, heard);
  if (!isOfSpace) return say('clipValidation.uncounted.space', { space: models.space });
  if (!USABLE_LICENCES.includes(clip.licence) || clip.licence === 'own') return say('clipValidation.uncounted.licence');
  if (!look.isWithinReach(clip)) return say('clipValidation.uncounted.reach');
  return isOfLength(clip.to - clip.from) ? undefined : UNCOUNTED.length;
}

/** Of one length, where there are both. */
const isAlike = (one: Float32Array | null, other: Float32Array | null) => !one || !other || one.length === other.length;

/** What came of looking at one clip. */
interface Checked {
  clip: Weighed;
  /** Why it is a lie; null where it is right; or why it could not be looked at. */
  found: Saying | Unseen | null;
}

interface CheckNeeds {
  task: ClipsTask;
  scored: ScoredSubmission;
  weighed: readonly Weighed[];
  party: string | undefined;
}

/** @returns undefined where none is to be looked at */
async function check(
  ports: CheckingPorts,
  judge: ClipJudge,
  { task, scored, weighed, party }: CheckNeeds,
  signal: AbortSignal,
): Promise<(Checked & { isOwed: boolean }) | undefined> {
  const isOwed = party !== undefined && (await owes(ports, party));
  const clip = placeOf(
    task,
    weighed.filter(({ score }) => score.uncounted === null),
  );
  if (!clip || !(task.isDrawn || isOwed)) return undefined;
  const description = scored.clips.find(({ score }) => score === clip.score)?.submitted.description;
  const words = description ? [scored.topic, description] : [scored.topic];
  const { models, thresholds } = judge;
  const found = await ports.look.at(clip.told, { party, signal }, (fetched, within) =>
    lieAbout(clip.told, fetched, { words, thresholds, models, media: ports.media }, within),
  );
  return { clip, found, isOwed };
}

/** Whether a miner's clips count nothing until one of them can be looked at. */
export async function owes({ submissions }: Pick<CheckingPorts, 'submissions'>, party: string): Promise<boolean> {
  const own = await submissions.lastChecks(CHECKS_LOOKED_AT, { of: party });
  return isSuspect(own) && isOutOfReach(own, await submissions.lastOfOthers(party));
}

function outcomeOf(
  weighed: readonly Weighed[],
  { score }: ScoredSubmission,
  checked?: Checked & { isOwed: boolean },
): CheckOutcome {
  const [counted, clips] = [weighed.filter((one) => one.score.uncounted === null).length, weighed.length];
  const judged = say('clipValidation.judged', { counted, clips, score: Number(score.toFixed(3)) });
  if (!checked) return { check: 'unlooked', at: null, score, reason: judged };
  const { clip, found, isOwed } = checked;
  if (found === null) return { check: 'right', at: clip.at, score, reason: judged };
  const number = clip.at + 1;
  if (typeof found === 'object') return notAsSaid(clip, found);
  const reason = say('clipValidation.unseen', { judged, clip: number, why: UNSEEN[found] });
  const unseen = { check: 'notFetched' as const, at: clip.at, unseen: found };
  const owed = say('clipValidation.owed', { why: UNSEEN[found] });
  if (isOwed) return { ...unseen, score: LEAST_SCORE, reason: owed, isOwed };
  return { ...unseen, score, reason };
}

/** A clip that is another one than its miner says: a lie where nobody but the source could have changed it, and else nothing. */
export function notAsSaid({ at, told: { video } }: Pick<Weighed, 'at'> & { told: Told }, why: Saying): CheckOutcome {
  const said = { clip: at + 1, why };
  if (isServedByItsOwner(video.source))
    return { check: 'differs', at, score: LEAST_SCORE, reason: say('clipValidation.differs', said) };
  return { check: 'lie', at, score: LIE_SCORE, reason: say('clipValidation.lie', said) };
}

export const UNSEEN: Record<Unseen, Saying> = {
  gone: say('clipValidation.unseen.gone'),
  blocked: say('clipValidation.unseen.blocked'),
  licence: say('clipValidation.unseen.licence'),
};

async function keep(
  ports: CheckingPorts,
  { models: { space } }: ClipJudge,
  {
    task,
    weighed,
    party,
    outcome,
  }: { task: ClipsTask; weighed: readonly Weighed[]; party: string; outcome: CheckOutcome },
): Promise<void> {
  const counted = weighed.filter(({ score }) => score.uncounted === null);
  const vectors = counted.map(({ told, at }) => ({ id: vectorId(task.key, at), vector: told.seen }));
  const clips = weighed.map(({ told: { video, from, to, description }, score }) => ({
    video,
    from,
    to,
    description,
    score,
  }));
  await keepReceived(ports, { task, peer: party, outcome, clips, vectors, space });
}

export function unreadable({ fault, entry }: Unreadable): Saying {
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
