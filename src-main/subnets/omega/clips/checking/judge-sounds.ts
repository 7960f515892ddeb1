import type { ClipScore } from '../../../../../src-preload/contract/data.ts';
import { MOST_SOUNDS } from '../../../../../src-preload/contract/data-limits.ts';
import { USABLE_LICENCES } from '../../../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { Judgement, Judging } from '../../../../validation/environment.ts';
import { notNew } from '../rules/novelty.ts';
import { LEAST_SCORE } from '../rules/submission-score.ts';
import { LEAST_SECONDS, MOST_SECONDS, soundScore } from '../sound/sound-quality.ts';
import { readSounds, type ToldSound } from '../synapse/handed-in.ts';
import type { CheckingPorts, ClipJudge } from './checking-ports.ts';
import { type ClipsTask, placeOf, vectorId } from './clips-task.ts';
import { KEPT, notAsSaid, owes, UNSEEN, unreadable } from './judge-videos.ts';
import { type CheckOutcome, keepReceived } from './keep-received.ts';
import { listen, type Measured, whatListens } from './listen.ts';
import type { Unseen } from './look-closely.ts';
import { uncountedScore } from './score-clips.ts';

const NEVER = new AbortController().signal;

/** One sound of an answer. */
interface Weighed {
  told: ToldSound;
  at: number;
  score: ClipScore;
}

/** Judges what was handed in of sounds (OMEGA, B6). @throws what models, index, store and disk throw */
export async function judgeSounds(
  ports: CheckingPorts,
  task: ClipsTask,
  answer: string,
  { party, signal = NEVER }: Judging = {},
): Promise<Judgement> {
  const told = readSounds(answer);
  if (!Array.isArray(told)) return { score: 0, reason: unreadable(told), keeps: KEPT };
  if (told.length === 0) return { score: LEAST_SCORE, reason: say('clipValidation.none'), keeps: KEPT };
  using judge = await ports.judge.use(signal);
  const ears = whatListens(judge);
  const [topic] = await judge.models.texts([task.wanted.topic], signal);
  const weighed = await weigh(ports, judge, { task, told, topic: topic as TextVectors }, signal);
  const counted = weighed.filter(({ score }) => score.uncounted === null);
  const chosen = placeOf(task, counted);
  const found =
    chosen && (await listen(ports, judge, { ears, told: chosen.told, topic: topic as TextVectors }, { party, signal }));
  const isOwed = party !== undefined && typeof found === 'string' && (await owes(ports, party));
  const outcome = outcomeOf(weighed, counted, { chosen, found, isOwed });
  if (party !== undefined) await keep(ports, judge, { task, weighed, party, outcome });
  return { score: outcome.score, reason: outcome.reason, keeps: KEPT };
}

async function weigh(
  { look, known, submissions }: CheckingPorts,
  { models, thresholds }: ClipJudge,
  { task, told, topic }: { task: ClipsTask; told: readonly ToldSound[]; topic: TextVectors },
  signal: AbortSignal,
): Promise<Weighed[]> {
  const barred = told.map((sound): Saying | undefined => {
    const isOther = topic.heard !== null && sound.heard.length !== topic.heard.length;
    if (sound.space !== models.space || isOther) return say('clipValidation.uncounted.space', { space: models.space });
    if (!USABLE_LICENCES.includes(sound.licence) || sound.licence === 'own')
      return say('clipValidation.uncounted.licence');
    if (!look.isWithinReach(sound)) return say('clipValidation.uncounted.reach');
    return isOfLength(sound) ? undefined : say('clipValidation.uncounted.soundLength');
  });
  const within = told.filter((_, at) => !barred[at]).slice(0, MOST_SOUNDS);
  const about = { space: models.space, kind: 'sounds' as const, except: await submissions.vectorsOf(task.key) };
  const distances = await known.distances(
    within.map(({ heard }) => heard),
    about,
    signal,
  );
  const clips = within.map(({ heard }, at) => ({ video: heard, distanceToKnown: distances?.[at] ?? null }));
  const reasons = notNew(clips, thresholds);
  return told.map((sound, at): Weighed => {
    const place = within.indexOf(sound);
    const why = barred[at] ?? (place < 0 ? say('clipValidation.uncounted.tooMany') : NOT_NEW[reasons[place] ?? 'new']);
    if (why) return { told: sound, at, score: uncountedScore(why) };
    const closeness = topic.heard ? Math.min(thresholds.closest, cosine(sound.heard, topic.heard)) : 0;
    return { told: sound, at, score: scoreOf(closeness, clips[place]?.distanceToKnown ?? null) };
  });
}

const NOT_NEW = {
  new: undefined,
  repeated: say('clipValidation.uncounted.repeated'),
  known: say('clipValidation.uncounted.known'),
} as const;

const isOfLength = ({ from, to }: ToldSound) => to - from >= LEAST_SECONDS && to - from <= MOST_SECONDS;

/** Its worth is of all of them together. */
const scoreOf = (topicRelevance: number, novelty: number | null): ClipScore => ({
  ...{ worth: 0, uncounted: null, descriptionRelevance: null, topicRelevance, detail: null },
  ...{ novelty, uniqueTokens: 0, check: 'unlooked' },
});

interface Listened {
  chosen: Weighed | undefined;
  found: Measured | Saying | Unseen | undefined;
  isOwed: boolean;
}

function outcomeOf(
  weighed: readonly Weighed[],
  counted: readonly Weighed[],
  { chosen, found, isOwed }: Listened,
): CheckOutcome {
  if (!chosen || found === undefined) {
    return { check: 'unlooked', at: null, score: LEAST_SCORE, reason: say('clipValidation.noneCounts') };
  }
  const number = chosen.at + 1;
  if (typeof found === 'object' && 'key' in found) return notAsSaid(chosen, found);
  const topic = counted.reduce((sum, { score }) => sum + (score.topicRelevance ?? 0), 0) / counted.length;
  const seconds = counted.reduce((sum, { told: { from, to } }) => sum + to - from, 0);
  const unseen = typeof found === 'string';
  // What was not listened to has shown nothing of who speaks in it.
  const heard = typeof found === 'string' ? { errorRate: 1, quality: 0 } : found;
  const score = Math.max(LEAST_SCORE, soundScore({ ...heard, seconds, topic }));
  const figures = { counted: counted.length, clips: weighed.length, score: Number(score.toFixed(3)) };
  const judged = say('clipValidation.judged', figures);
  if (!unseen) {
    const { errorRate, quality } = heard;
    const measured = { error: Number(errorRate.toFixed(3)), quality: Number(quality.toFixed(3)) };
    return {
      check: 'right',
      at: chosen.at,
      score,
      reason: say('clipValidation.listened', { judged, clip: number, ...measured }),
    };
  }
  const why = UNSEEN[found];
  const about = { check: 'notFetched' as const, at: chosen.at, unseen: found };
  if (isOwed) return { ...about, score: LEAST_SCORE, reason: say('clipValidation.owed', { why }), isOwed };
  return { ...about, score, reason: say('clipValidation.unheard', { judged, clip: number, why }) };
}

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
  const vectors = counted.map(({ told, at }) => ({ id: vectorId(task.key, at), vector: told.heard }));
  const worth = counted.length > 0 ? Math.max(0, outcome.score) / counted.length : 0;
  const clips = weighed.map(({ told: { video, from, to }, score }) => ({
    ...{ video, from, to, description: '' },
    score: score.uncounted === null ? { ...score, worth } : score,
  }));
  await keepReceived(ports, { task, peer: party, outcome, clips, vectors, space });
}
