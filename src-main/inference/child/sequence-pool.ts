import type { Token } from 'node-llama-cpp';

/** A place in the batched context: what its keys and values hold, and whether a request uses it. */
export interface Sequence {
  readonly id: number;
  /** The tokens that have been evaluated in it, in order. */
  readonly tokens: Token[];
  busy: boolean;
  /** Counts uses, not time. */
  lastUsed: number;
}

/** A shared beginning shorter than this part of the prompt is the template's, not the conversation's. */
const WORTH_REUSING = 0.1;

/**
 * Which sequence serves which request. The one with the longest common prefix is chosen, so that the next turn of a
 * conversation finds its own; with none worth it, one beside those in use, and of several the least recently used.
 * llama.cpp computes neighbouring sequences together and every gap costs another pass (a fifth of the speed with two
 * passes instead of one), which is more than evaluating a conversation again costs now and then.
 */
export class SequencePool {
  readonly sequences: readonly Sequence[];
  #uses = 0;

  constructor(count: number) {
    this.sequences = Array.from({ length: count }, (_, id) => ({ id, tokens: [], busy: false, lastUsed: 0 }));
  }

  get hasFree(): boolean {
    return this.sequences.some(({ busy }) => !busy);
  }

  /** @returns undefined when all are in use */
  acquire(prompt: readonly Token[]): { sequence: Sequence; common: number } | undefined {
    const [best] = this.sequences
      .filter(({ busy }) => !busy)
      .map((sequence) => this.#candidate(sequence, prompt))
      .sort((a, b) => b.worth - a.worth || b.neighbours - a.neighbours || a.sequence.lastUsed - b.sequence.lastUsed);
    if (!best) return undefined;
    best.sequence.busy = true;
    best.sequence.lastUsed = ++this.#uses;
    return { sequence: best.sequence, common: best.common };
  }

  release(sequence: Sequence): void {
    sequence.busy = false;
    sequence.lastUsed = ++this.#uses;
  }

  #candidate(sequence: Sequence, prompt: readonly Token[]) {
    const common = commonPrefix(sequence.tokens, prompt);
    return {
      sequence,
      common,
      worth: common >= prompt.length * WORTH_REUSING ? common : 0,
      neighbours: Number(this.#isBusy(sequence.id - 1)) + Number(this.#isBusy(sequence.id + 1)),
    };
  }

  #isBusy(id: number): boolean {
    return this.sequences[id]?.busy ?? false;
  }
}

/** How many tokens two lists begin with in common. */
export function commonPrefix(a: readonly Token[], b: readonly Token[]): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    if (a[i] !== b[i]) return i;
  }
  return end;
}
