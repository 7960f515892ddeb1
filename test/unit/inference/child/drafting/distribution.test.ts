import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from '../../../../../src-main/base/seeded-random.ts';
import { DraftPlan } from '../../../../../src-main/inference/child/drafting/draft-plan.ts';
import type { Addon, BatchItem } from '../../../../../src-main/inference/child/loop/addon.ts';
import { BatchLoop } from '../../../../../src-main/inference/child/loop/batch-loop.ts';
import type { SequenceTask } from '../../../../../src-main/inference/child/loop/sequence-task.ts';

/** A model of five tokens: what comes next depends on the last one. */
const CHANCES = [
  [0.1, 0.5, 0.2, 0.15, 0.05],
  [0.3, 0.05, 0.4, 0.05, 0.2],
  [0.2, 0.2, 0.2, 0.2, 0.2],
  [0.6, 0.1, 0.1, 0.1, 0.1],
  [0.05, 0.05, 0.1, 0.1, 0.7],
];
const LENGTH = 4;
const SAMPLES = 6_000;
/** Chi-square with 4 degrees of freedom exceeds it once in a million. */
const MOST = 33.4;

/** Says what was evaluated at each position, as a cache does: a wrong guess that stays would be seen in what comes after. */
class Cache {
  readonly held: Token[] = [];
  #batch: Token[] = [];

  decode(items: readonly BatchItem[]) {
    const [{ position, tokens, logits } = { position: 0, tokens: [], logits: [] }] = items;
    if (position !== this.held.length) throw new Error(`position ${position} after ${this.held.length} tokens`);
    this.held.push(...tokens);
    this.#batch = [...tokens];
    return { logits: [[...logits]], done: Promise.resolve() };
  }

  chances(index: number): number[] {
    return CHANCES[this.#batch[index] ?? 0] ?? [];
  }

  truncate(_: number, length: number): boolean {
    this.held.length = length;
    return true;
  }

  clear(): void {
    this.held.length = 0;
  }

  useAdapter(): void {}

  firstPosition(): number {
    return 0;
  }
}

class SamplingTask implements SequenceTask {
  readonly tokens: Token[] = [0 as Token];
  readonly logitsFrom = 0;
  readonly fresh = true;
  readonly #next: (chances: readonly number[], position: number) => Token;
  readonly #cache: Cache;
  error: unknown;

  constructor(cache: Cache, next: (chances: readonly number[], position: number) => Token) {
    this.#cache = cache;
    this.#next = next;
  }

  get ended(): boolean {
    return this.error !== undefined || this.tokens.length > LENGTH;
  }

  get guessable(): number {
    return LENGTH - this.tokens.length;
  }

  async onLogits(position: number, index: number): Promise<void> {
    this.tokens.push(this.#next(this.#cache.chances(index), position));
  }

  fail(error: unknown): void {
    this.error = error;
  }

  dispose(): void {}
}

function sampled(chances: readonly number[], random: SeededRandom): Token {
  let left = random.uniform();
  for (const [token, chance] of chances.entries()) {
    left -= chance;
    if (left < 0) return token as Token;
  }
  return (chances.length - 1) as Token;
}

/** @param wrongly takes a guess that is at all likely in place of what was drawn, as a wrong rule would */
async function lastTokens(seed: number, wrongly: boolean): Promise<{ counts: number[]; batches: number }> {
  const random = seededRandom(seed);
  const cache = new Cache();
  let guesses: Token[] = [];
  let batches = 0;
  const loop = new BatchLoop({
    addon: cache as unknown as Addon,
    ...{ sequences: 1, contextSize: 64, batchSize: 64, window: undefined },
    drafter: {
      plan: new DraftPlan(),
      measure: async () => [],
      // The likeliest after the likeliest, as a draft model that has learnt the same; it is often wrong.
      guess: async ([each]) => {
        guesses = [];
        let last = each?.task.tokens.at(-1) ?? 0;
        while (guesses.length < (each?.task.guessable ?? 0)) {
          const chances = CHANCES[last] ?? [];
          last = chances.indexOf(Math.max(...chances));
          guesses.push(last as Token);
        }
        return [guesses];
      },
    },
    onRound: () => void batches++,
    now: () => 0,
  });
  const counts = CHANCES.map(() => 0);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const task = new SamplingTask(cache, (chances, position) => {
      const guess = guesses[position - (task.tokens.length - 1)] ?? guesses[0];
      return wrongly && guess !== undefined && (chances[guess] ?? 0) >= 0.2 ? guess : sampled(chances, random);
    });
    const done = Promise.withResolvers<void>();
    task.dispose = () => done.resolve();
    loop.submit({ ended: false, begin: () => task, onSequence: () => undefined, fail: (error) => task.fail(error) });
    await done.promise;
    if (task.error !== undefined) throw task.error;
    counts[task.tokens[LENGTH] ?? 0] = (counts[task.tokens[LENGTH] ?? 0] ?? 0) + 1;
  }
  return { counts, batches };
}

/** How far counts are from what the model says of the token after so many. */
function chiSquare(counts: readonly number[]): number {
  let chances = [1, 0, 0, 0, 0];
  for (let step = 0; step < LENGTH; step++) {
    chances = CHANCES.map((_, to) =>
      chances.reduce((sum, chance, from) => sum + chance * (CHANCES[from]?.[to] ?? 0), 0),
    );
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count, token) => {
    const expected = total * (chances[token] ?? 0);
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

describe('answers whose tokens are guessed ahead', () => {
  it('are distributed as the model says', async () => {
    const { counts, batches } = await lastTokens(1, false);
    expect(chiSquare(counts)).toBeLessThan(MOST);
    // Guesses were taken: else there would be a batch for each token.
    expect(batches).toBeLessThan(SAMPLES * (LENGTH - 0.5));
  });

  it('would not be, and this would show, with a rule that takes likely guesses', async () => {
    expect(chiSquare((await lastTokens(1, true)).counts)).toBeGreaterThan(10 * MOST);
  });
});
