import type { Token } from 'node-llama-cpp';
import { commonPrefix } from '../../../base/common-prefix.ts';
import type { AdapterWeights } from './addon.ts';

/** A place in the batched context: what its keys and values hold, and whether a request uses it. */
export interface Sequence {
  readonly id: number;
  /** The tokens that have been evaluated in it, in order. */
  readonly tokens: Token[];
  /** What they were evaluated with; undefined: the model as it is. */
  adapter: AdapterWeights | undefined;
  /** For whom; undefined: for the people of this computer. */
  asker: string | undefined;
  busy: boolean;
  /** Counts uses, not time. */
  lastUsed: number;
}

/** Whose prompt it is, and what it is evaluated with. Default: of the people of this computer, the model as it is. */
export interface Whose {
  readonly adapter?: AdapterWeights | undefined;
  readonly asker?: string | undefined;
}

/** A shared beginning shorter than this part of the prompt is the template's, not the conversation's. */
const WORTH_REUSING = 0.1;

/**
 * Which sequence serves which request. The one with the longest common prefix is chosen, so that the next turn of a
 * conversation finds its own; with none worth it, one beside those in use, and of several the least recently used.
 * llama.cpp computes neighbouring sequences together and every gap costs another pass (a fifth of the speed with two
 * passes instead of one), which is more than evaluating a conversation again costs now and then. A batch is of one
 * adapter: so those of an adapter stand beside each other, and far from others'. What one has evaluated is of no use to
 * another; nor is what was asked by one asker to another, who would else see by how much sooner an answer comes what others have asked.
 */
export class SequencePool {
  readonly sequences: readonly Sequence[];
  #uses = 0;

  constructor(count: number) {
    this.sequences = Array.from({ length: count }, (_, id) => ({
      id,
      tokens: [],
      adapter: undefined,
      asker: undefined,
      busy: false,
      lastUsed: 0,
    }));
  }

  get hasFree(): boolean {
    return this.sequences.some(({ busy }) => !busy);
  }

  /** @returns undefined when all are in use */
  acquire(prompt: readonly Token[], whose: Whose = {}): { sequence: Sequence; common: number } | undefined {
    const [best] = this.sequences
      .filter(({ busy }) => !busy)
      .map((sequence) => this.#candidate(sequence, prompt, whose))
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
  holder(prompt: readonly Token[], whose: Whose = {}): { sequence: Sequence; common: number } | undefined {
    const [best] = this.sequences
      .filter((sequence) => isOf(sequence, whose))
      .map((sequence) => ({ sequence, common: commonPrefix(sequence.tokens, prompt) }))
      .sort((a, b) => b.common - a.common);
    return best && best.common > 0 ? best : undefined;
  }

  /** From now on what it holds is evaluated with this, for them. */
  give(sequence: Sequence, { adapter, asker }: Whose): void {
    sequence.adapter = adapter;
    sequence.asker = asker;
  }

  release(sequence: Sequence): void {
    sequence.busy = false;
    sequence.lastUsed = ++this.#uses;
  }

  #candidate(sequence: Sequence, prompt: readonly Token[], whose: Whose) {
    const { adapter } = whose;
    const common = isOf(sequence, whose) ? commonPrefix(sequence.tokens, prompt) : 0;
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

function isOf(sequence: Sequence, { adapter, asker }: Whose): boolean {
  return sequence.adapter === adapter && sequence.asker === asker;
}
