import { isRefused } from '../../../../src-preload/contract/is-refused.ts';
import { chain } from './rules/chain.ts';
import { clock } from './rules/clock.ts';
import { copy } from './rules/copy.ts';
import { everySecond } from './rules/every-second.ts';
import type { Finding, FocusFacts, Rule } from './rules/facts.ts';
import { jiggler } from './rules/jiggler.ts';
import { length } from './rules/length.ts';
import { loop } from './rules/loop.ts';
import { playback } from './rules/playback.ts';
import { slides } from './rules/slides.ts';
import { atWork, work } from './rules/work.ts';

/** In the order in which they are told. */
const RULES = { length, chain, clock, work, playback, slides, loop, jiggler, copy } satisfies Record<string, Rule>;
export type RuleName = keyof typeof RULES;

/** Scores of other rules are not compared with these. */
export const RULES_VERSION = 'rules-2';

export interface RulesScore {
  version: string;
  /** From 0 to 1: the share of its seconds in which somebody was at work; 0 where a rule was broken. */
  score: number;
  findings: ({ rule: RuleName } & Finding)[];
}

/**
 * What can be said of a recording on this computer, without a model: whether it is one, made as time went by, by somebody
 * who was at work. Whether the work was any good, it cannot say. Pure, and the same at whoever scores again.
 */
export function scoreByRules({ seconds: chunks, ...rest }: FocusFacts): RulesScore {
  const known = rest.known?.map(({ title, seconds }) => ({ title, seconds: everySecond(seconds) })) ?? [];
  const facts = { ...rest, known, chunks, seconds: everySecond(chunks) };
  const findings = Object.entries(RULES).map(([rule, find]) => ({ rule: rule as RuleName, ...find(facts) }));
  const share = facts.seconds.length > 0 ? atWork(facts.seconds) / facts.seconds.length : 0;
  return { version: RULES_VERSION, score: isRefused({ findings }) ? 0 : share, findings };
}
