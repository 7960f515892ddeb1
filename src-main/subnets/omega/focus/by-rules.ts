import { pictureUniqueness } from './picture-uniqueness.ts';
import type { FocusFacts } from './rules/facts.ts';
import { type RulesScore, scoreByRules } from './score-by-rules.ts';

/** All that is said of a recording without a model. */
export interface ByRules {
  rules: RulesScore;
  /** How much of its pictures is in no recording that is known, from 0 to 1; null where it is not known. */
  pictures: number | null;
}

/** Pure. Beside fifty long recordings it takes seconds: a node has it done by {@link RulesScorer}. */
export function byRules(facts: FocusFacts): ByRules {
  return { rules: scoreByRules(facts), pictures: pictureUniqueness(facts) };
}
