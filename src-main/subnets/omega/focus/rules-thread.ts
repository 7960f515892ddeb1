/** The thread of a RulesScorer: takes the recordings that are known, one after the other, and then says what the rules say of one beside them. */
import { parentPort } from 'node:worker_threads';
import { byRules } from './by-rules.ts';
import type { Known } from './rules/facts.ts';
import type { RulesOrder } from './rules-scorer.ts';

const known: Known[] = [];

parentPort?.on('message', (order: RulesOrder) => {
  if ('known' in order) known.push(order.known);
  else parentPort?.postMessage(byRules({ ...order.facts, known }));
});
