import type { Miner, Question } from '../../src-main/validation/run/miner.ts';

/** A miner of a test’s own. */
export function minerOf(id: string, ask: (question: Question) => Promise<string>): Miner {
  return { id, kind: 'endpoint', model: `model of ${id}`, revision: '', uid: null, block: null, ask };
}
