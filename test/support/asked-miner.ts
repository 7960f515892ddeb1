import type { Challenge } from '../../src-main/validation/challenge.ts';
import { type AskOptions, ask, type Examined, judge, type Patience } from '../../src-main/validation/run/examine.ts';
import type { Miner, Question } from '../../src-main/validation/run/miner.ts';

/** A miner of a test’s own. */
export function minerOf(id: string, ask: (question: Question) => Promise<string>): Miner {
  return { id, kind: 'endpoint', model: `model of ${id}`, revision: '', uid: null, block: null, ask };
}

/** Asks a miner a challenge, and judges what it says. */
export async function examine(
  challenge: Challenge,
  miner: Miner,
  patience: Patience,
  options: AskOptions,
): Promise<Examined> {
  return judge(challenge, await ask(challenge, miner, patience, options), { party: miner.id, signal: options.signal });
}
