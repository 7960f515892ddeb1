import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { METRICS, type MetricName } from '../metrics/metrics.ts';
import { type Composite, PARTS, WEIGHTS } from './composite.ts';
import type { Consistency } from './consistency.ts';
import type { Reward } from './context-multiplier.ts';
import type { Diversity } from './diversity.ts';

/** Every score in words: what it is, and from what it comes. */
export const SCORES = {
  accuracy: say('quasar.score.accuracy'),
  reward: say('quasar.score.reward'),
  memory: say('quasar.score.memory'),
  position: say('quasar.score.position'),
  coherence: say('quasar.score.coherence'),
  speed: say('quasar.score.speed'),
  scaling: say('quasar.score.scaling'),
  composite: say('quasar.score.composite'),
  steadiness: say('quasar.score.steadiness'),
  consistency: say('quasar.score.consistency'),
  uniqueness: say('quasar.score.uniqueness'),
  variety: say('quasar.score.variety'),
} as const satisfies Record<string, Saying>;

/** What the parts of the composite are called. */
const NAMES = {
  memory: say('quasar.part.memory'),
  position: say('quasar.part.position'),
  coherence: say('quasar.part.coherence'),
  speed: say('quasar.part.speed'),
  scaling: say('quasar.part.scaling'),
} as const;

/** How a reward came about. */
export function explainReward(metric: MetricName, { accuracy, multiplier, reward }: Reward): Saying[] {
  const said = say('quasar.why.accuracy', { percent: percent(accuracy), metric: METRICS[metric].name });
  if (multiplier === 1) return [said];
  const isCapped = accuracy * multiplier > 1;
  const of = { multiplier, percent: percent(reward) };
  return [said, isCapped ? say('quasar.why.capped', of) : say('quasar.why.multiplied', of)];
}

/** How a composite came about: each part with what it brings, and the bonus. */
export function explainComposite({ counted, bonus, total }: Composite): Saying[] {
  const parts = PARTS.map((part) =>
    say('quasar.why.part', { part: NAMES[part], percent: percent(counted[part]), weight: percent(WEIGHTS[part]) }),
  );
  const extra = bonus > 1 ? [say('quasar.why.bonus', { percent: percent(bonus - 1) })] : [];
  return [say('quasar.why.composite', { percent: percent(total) }), ...parts, ...extra];
}

export function explainConsistency({ likeness, isConsistent }: Consistency): Saying {
  const of = { percent: percent(likeness) };
  return isConsistent ? say('quasar.why.consistent', of) : say('quasar.why.inconsistent', of);
}

export function explainDiversity({ uniqueness, variety }: Diversity): Saying {
  return say('quasar.why.diversity', { uniqueness: percent(uniqueness), variety: percent(variety) });
}

const percent = (share: number) => Math.round(share * 1_000) / 10;
