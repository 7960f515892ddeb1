import { MOST_CLIPS } from '../../../../../src-preload/contract/data-limits.ts';
import type { Environment, Judgement } from '../../../../validation/environment.ts';
import type { CheckingPorts } from './checking-ports.ts';
import { type ClipsTask, drawClips, versionOf } from './clips-task.ts';
import { judgeVideos } from './judge-videos.ts';
import { TOPICS } from './topics.ts';

/** Of the rules: whatever changes what is asked, or what an answer is worth, changes it. */
const RULES = '2';

/**
 * Which clips a miner has of a topic (OMEGA, B5): eight with what is to be seen and heard in them, in words and as numbers. What it is worth depends on what others have handed in, and one of
 * ten answers is looked at closely: so it cannot be judged again years later, only posed again. Its version is that of the models by which it is judged.
 */
export const videosEnvironment = (ports: CheckingPorts): Environment<ClipsTask, Promise<Judgement>> => ({
  name: 'omega-videos',
  get version() {
    return versionOf(RULES, ports.judge.space, ports.topics ?? TOPICS);
  },
  levels: ['usual'],
  async prepare() {
    await ports.judge.use();
  },
  pose: (random) => drawClips(random, ports.topics ?? TOPICS, { of: 'videos', count: MOST_CLIPS }),
  prompt: ({ wanted: { topic, count } }) => JSON.stringify({ query: topic, num_videos: count }),
  ask: ({ wanted }) => ({ kind: 'clips', wanted }),
  judge: (task, answer, judging) => judgeVideos(ports, task, answer, judging),
});
