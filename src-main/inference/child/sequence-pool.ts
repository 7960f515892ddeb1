import type { Token } from 'node-llama-cpp';
import type { AdapterWeights } from './addon.ts';

/** A place in the batched context: what its keys and values hold, and whether a request uses it. */
export interface Sequence {
  readonly id: number;
  /** The tokens that have been evaluated in it, in order. */
  readonly tokens: Token[];
  /** What they were evaluated with; undefined: the model as it is. */
  adapter: AdapterWeights | undefined;
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
 * passes instead of one), which is more than evaluating a conversation again costs now and then. A batch is of one
 * adapter: so those of an adapter stand beside each other, and far from others'. What one has evaluated is of no use to another.
 */
export class SequencePool {
  readonly sequences: readonly Sequence[];
  #uses = 0;

  constructor(count: number) {
    this.sequences = Array.from({ length: count }, (_, id) => ({
      id,
      tokens: [],
      adapter: undefined,
      busy: false,
      lastUsed: 0,
    }));
  }

  get hasFree(): boolean {
    return this.sequences.some(({ busy }) => !busy);
  }

  /**
   * @param adapter Default: the model as it is
   * @returns undefined when all are in use
   */
  acquire(prompt: readonly Token[], adapter?: AdapterWeights): { sequence: Sequence; common: number } | undefined {
    const [best] = this.sequences
      .filter(({ busy }) => !busy)
      .map((sequence) => this.#candidate(sequence, prompt, adapter))
      .sort(
        (a, b) =>
          b.worth - a.worth ||
          b.neighbours - a.neighbours ||
          b.room - a.room ||
          a.sequence.lastUsed - b.sequence.lastUsed,
      );
    if (!best) return undefined;
    best.sequence.busy = true;
    best.sequence.lastUsed = ++this.#uses;
    return { sequence: best.sequence, common: best.common };
  }

  /** Which has most of a prompt, whether or not it is in use, and how many of its tokens; undefined where none has any. */
  holder(prompt: readonly Token[], adapter?: AdapterWeights): { sequence: Sequence; common: number } | undefined {
    const [best] = this.sequences
      .filter((sequence) => sequence.adapter === adapter)
      .map((sequence) => ({ sequence, common: commonPrefix(sequence.tokens, prompt) }))
      .sort((a, b) => b.common - a.common);
    return best && best.common > 0 ? best : undefined;
  }

  release(sequence: Sequence): void {
    sequence.busy = false;
    sequence.lastUsed = ++this.#uses;
  }

  #candidate(sequence: Sequence, prompt: readonly Token[], adapter: AdapterWeights | undefined) {
    const common = sequence.adapter === adapter ? commonPrefix(sequence.tokens, prompt) : 0;
    const distances = (own: boolean) =>
      this.sequences
        .filter((other) => other.busy && (other.adapter === adapter) === own)
        .map(({ id }) => Math.abs(id - sequence.id));
    return {
      sequence,
      common,
      worth: common >= prompt.length * WORTH_REUSING ? common : 0,
      neighbours: distances(true).filter((distance) => distance === 1).length,
      /** To the nearest of another adapter. */
      room: Math.min(this.sequences.length, ...distances(false)),
    };
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
