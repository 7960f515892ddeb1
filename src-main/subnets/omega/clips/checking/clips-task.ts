import { sha256 } from '../../../../base/sha256.ts';
import type { WantedClips } from '../../../../validation/environment.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { CHECK_SHARE } from '../rules/deep-check.ts';

/** What is asked, and what only the validator knows of it. */
export interface ClipsTask {
  wanted: WantedClips;
  /** 32 hex: of what is handed in to it, wherever that is kept. */
  key: string;
  /** Whether one of the clips is looked at closely. */
  isDrawn: boolean;
  /** Which of them, 0 ≤ x < 1: of those that count, in their order. */
  place: number;
}

const DRAWS = 2 ** 32;
const PARTS = 1_000;

/** Draws a question out of its seed, which no miner sees: the same for ever, so that whoever repeats it looks at the same clip. */
export function drawClips(
  random: SeededRandom,
  topics: readonly string[],
  about: Pick<WantedClips, 'of' | 'count'>,
): ClipsTask {
  const topic = random.pick(topics);
  const isDrawn = random.below(PARTS) < CHECK_SHARE * PARTS;
  const place = random.below(DRAWS) / DRAWS;
  const words = Array.from({ length: 4 }, () => random.below(DRAWS).toString(16).padStart(8, '0'));
  return { wanted: { ...about, topic }, key: words.join(''), isDrawn, place };
}

/** Which of several a task looks at. */
export const placeOf = <Item>({ place }: Pick<ClipsTask, 'place'>, items: readonly Item[]): Item | undefined =>
  items[Math.floor(place * items.length)];

/** Of a vector that is kept: of the place that its clip has in its submission. 32 hex */
export const vectorId = (key: string, at: number) => sha256(`${key} ${at}`).toString('hex').slice(0, 32);

/** As results have it: what is asked and what it is worth change with topics and models. */
export function versionOf(rules: string, space: string | undefined, topics: readonly string[]): string {
  if (space === undefined) return rules;
  return `${rules}.${sha256(`${space}\n${topics.join('\n')}`)
    .toString('hex')
    .slice(0, 12)}`;
}
