import { MOST_CLIPS } from '../../../../../src-preload/contract/data-limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { Judgement, Judging } from '../../../../validation/environment.ts';
import { readClips, type ToldClip } from '../synapse/handed-in.ts';
import type { CheckingPorts } from './checking-ports.ts';
import type { ClipsTask } from './clips-task.ts';
import { type About, judgeAnswer, type Looked, type WayToJudge, type Weighed } from './judging.ts';
import { lieAbout } from './read-again.ts';
import { scoreSubmission } from './score-clips.ts';

/** Judges what was handed in of videos (OMEGA, B5). @throws what models, index, store and disk throw */
export const judgeVideos = (
  ports: CheckingPorts,
  task: ClipsTask,
  answer: string,
  judging: Judging = {},
): Promise<Judgement> => judgeAnswer(VIDEOS, { ports, task, answer }, judging);

const VIDEOS: WayToJudge<ToldClip, 'right'> = {
  kind: 'videos',
  most: MOST_CLIPS,
  read: readClips,
  vectors: ({ seen, heard }) => [seen, heard],
  vector: ({ seen }) => seen,
  description: ({ description }) => description,
  looksAlways: false,
  weigh,
  look,
  score: (counted) => counted.reduce((sum, { score: { worth } }) => sum + worth, 0),
  right: (judged) => judged,
  unseen: (judged, clip, why) => say('clipValidation.unseen', { judged, clip, why }),
};

/** What each is worth by what is said of it. */
async function weigh(told: readonly ToldClip[], { ports, judge, task, signal }: About) {
  const except = await ports.submissions.vectorsOf(task.key);
  const scoring = { models: judge.models, thresholds: judge.thresholds, known: ports.known };
  const { clips } = await scoreSubmission(task.wanted.topic, told, scoring, { signal, except });
  return clips;
}

async function look(
  { told }: Weighed<ToldClip>,
  { ports, judge, topic, party, signal }: About,
): Promise<Looked<'right'>> {
  const { models, thresholds } = judge;
  const words = [topic, ...(await models.texts([told.description], signal))];
  const seen = await ports.look.at(told, { party, signal }, (fetched, within) =>
    lieAbout(told, fetched, { words, thresholds, models, media: ports.media, signal: within }),
  );
  if (typeof seen === 'string') return { unseen: seen };
  const { found: lie, changedAt } = seen;
  return lie ? { lie, changedAt } : { found: 'right' };
}
