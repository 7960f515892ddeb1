import type { ClipScore } from '../../../../../src-preload/contract/data.ts';
import { MOST_SOUNDS } from '../../../../../src-preload/contract/data-limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import type { Judgement, Judging } from '../../../../validation/environment.ts';
import { notNew } from '../rules/novelty.ts';
import { soundScore } from '../sound/sound-quality.ts';
import { readSounds, type ToldSound } from '../synapse/handed-in.ts';
import type { CheckingPorts } from './checking-ports.ts';
import type { ClipsTask } from './clips-task.ts';
import { type About, judgeAnswer, type Looked, type WayToJudge, type Weighed } from './judging.ts';
import { listen, type Measured, soundThresholdsOf, whatListens } from './listen.ts';
import { UNCOUNTED, uncountedScore } from './score-clips.ts';

/** Judges what was handed in of sounds (OMEGA, B6). @throws what models, index, store and disk throw */
export const judgeSounds = (
  ports: CheckingPorts,
  task: ClipsTask,
  answer: string,
  judging: Judging = {},
): Promise<Judgement> => judgeAnswer(SOUNDS, { ports, task, answer }, judging);

const SOUNDS: WayToJudge<ToldSound, Measured> = {
  kind: 'sounds',
  most: MOST_SOUNDS,
  read: readSounds,
  vectors: ({ heard }) => [null, heard],
  vector: ({ heard }) => heard,
  description: () => '',
  check: (judge) => void whatListens(judge),
  looksAlways: true,
  weigh,
  look,
  score,
  share: (all, counted) => all / counted,
  right: (judged, clip, { errorRate, quality }) => {
    const measured = { error: Number(errorRate.toFixed(3)), quality: Number(quality.toFixed(3)) };
    return say('clipValidation.listened', { judged, clip, ...measured });
  },
  unseen: (judged, clip, why) => say('clipValidation.unheard', { judged, clip, why }),
};

/** How near each is to the topic, and whether it is new: its worth is of all of them together. */
async function weigh(
  told: readonly ToldSound[],
  { ports: { known, submissions }, judge, task, topic, signal }: About,
): Promise<ClipScore[]> {
  const { models } = judge;
  const thresholds = soundThresholdsOf(judge);
  const about = { space: models.space, kind: 'sounds' as const, except: await submissions.vectorsOf(task.key) };
  const vectors = told.map(({ heard }) => heard);
  const distances = await known.distances(vectors, about, signal);
  const clips = vectors.map((vector, at) => ({ vector, distanceToKnown: distances?.[at] ?? null }));
  const reasons = notNew(clips, thresholds);
  return clips.map(({ vector: heard, distanceToKnown: novelty }, at) => {
    const why = reasons[at];
    if (why) return uncountedScore(UNCOUNTED[why]);
    const topicRelevance = topic.heard ? Math.min(thresholds.closest, cosine(heard, topic.heard)) : 0;
    return {
      ...{ worth: 0, uncounted: null, descriptionRelevance: null, topicRelevance, detail: null },
      ...{ novelty, uniqueTokens: 0, check: 'unlooked' as const },
    };
  });
}

async function look(
  { told }: Weighed<ToldSound>,
  { ports, judge, topic, party, signal }: About,
): Promise<Looked<Measured>> {
  const heard = await listen(ports, judge, { ears: whatListens(judge), told, topic }, { party, signal });
  if (typeof heard === 'string') return { unseen: heard };
  const { found, changedAt } = heard;
  return 'key' in found ? { lie: found, changedAt } : { found };
}

/** What was not listened to has shown nothing of who speaks in it. */
function score(counted: readonly Weighed<ToldSound>[], found: Measured = { errorRate: 1, quality: 0 }): number {
  if (counted.length === 0) return 0;
  const topic = counted.reduce((sum, { score: one }) => sum + (one.topicRelevance ?? 0), 0) / counted.length;
  const seconds = counted.reduce((sum, { told: { from, to } }) => sum + to - from, 0);
  return soundScore({ ...found, seconds, topic });
}
