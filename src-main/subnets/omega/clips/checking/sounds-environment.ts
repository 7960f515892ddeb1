import { MOST_SOUNDS } from '../../../../../src-preload/contract/data-limits.ts';
import type { Environment, Judgement } from '../../../../validation/environment.ts';
import type { CheckingPorts } from './checking-ports.ts';
import { type ClipsTask, drawClips, versionOf } from './clips-task.ts';
import { judgeSounds } from './judge-sounds.ts';
import { whatListens } from './listen.ts';
import { TOPICS } from './topics.ts';

/** As of `omega-videos`. */
const RULES = '3';

/** Which sounds of speech a miner has of a topic, and who speaks in them when (OMEGA, B6). One of each answer is fetched and listened to. */
export const soundsEnvironment = (ports: CheckingPorts): Environment<ClipsTask, Promise<Judgement>> => ({
  name: 'omega-sounds',
  get version() {
    return versionOf(RULES, ports.judge.space, ports.topics ?? TOPICS);
  },
  levels: ['usual'],
  async prepare() {
    whatListens(await ports.judge.use());
  },
  pose: (random) => drawClips(random, ports.topics ?? TOPICS, { of: 'sounds', count: MOST_SOUNDS }),
  prompt: ({ wanted: { topic, count } }) => JSON.stringify({ query: topic, num_audios: count }),
  ask: ({ wanted }) => ({ kind: 'clips', wanted }),
  judge: (task, answer, judging) => judgeSounds(ports, task, answer, judging),
});
