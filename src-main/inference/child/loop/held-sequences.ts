import type { KeptPrompt, PromptKeeper } from '../kept-prompts/kept-prompts.ts';
import type { Addon } from './addon.ts';
import { type Sequence, SequencePool } from './sequence-pool.ts';
import type { SequenceTask } from './sequence-task.ts';

/**
 * Fewest tokens of a prompt that are worth copying from another sequence, and which part of a sequence's room: llama.cpp copies all of that,
 * whatever it holds. With a model of 135 million parameters, where reading is quick, the two took about as long on one core.
 */
const WORTH_COPYING = 64;
const WORTH_COPYING_PART = 1 / 128;

/** Fewest tokens of a prompt that are worth looking for on the disk. */
const WORTH_LOADING = 256;
/** For how long memory or the disk may hold up others, who have waited for a batch before, and the disk whoever comes meanwhile. */
const OTHERS_WAIT_MS = 100;
const NEWCOMERS_WAIT_MS = 2_000;

export interface HeldSequencesOptions {
  addon: Pick<Addon, 'clear' | 'copy' | 'firstPosition' | 'truncate'>;
  /** Sequences of the context. */
  sequences: number;
  /** Tokens that each has room for. */
  contextSize: number;
  /** Positions that the model looks back; undefined when it looks back to the beginning. */
  window: number | undefined;
  /** Default: nothing is kept. */
  keeper?: PromptKeeper | undefined;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** What the sequences of a context hold, and who uses them: what was evaluated once is not evaluated again. Call it only between batches. */
export class HeldSequences {
  readonly #options: HeldSequencesOptions;
  readonly #pool: SequencePool;
  /** What of those that were loaded from the disk no batch has followed on yet. */
  readonly #onTrial = new Map<Sequence, KeptPrompt>();
  /** How long the last copy took: each takes as long. */
  #copyMs = 0;

  constructor(options: HeldSequencesOptions) {
    this.#options = options;
    this.#pool = new SequencePool(options.sequences);
  }

  get count(): number {
    return this.#pool.sequences.length;
  }

  get hasFree(): boolean {
    return this.#pool.hasFree;
  }

  /**
   * A sequence for a task, which holds as much of its prompt as is to be had: its own, another's or what the disk has.
   * @param isAlone nobody else waits for the next batch
   * @returns also how many of the task's tokens it holds
   */
  async enter(task: SequenceTask, isAlone: boolean): Promise<{ sequence: Sequence; cached: number }> {
    const place = this.#pool.acquire(task.tokens, task);
    if (!place) throw new Error('A free sequence was lost.');
    const { sequence } = place;
    try {
      const mostMs = isAlone ? Number.POSITIVE_INFINITY : OTHERS_WAIT_MS;
      const common = task.fresh ? 0 : await this.#fetch(sequence, place.common, task, mostMs);
      const cached = this.rewind(sequence, Math.min(common, task.logitsFrom));
      this.#pool.give(sequence, task);
      return { sequence, cached };
    } catch (error) {
      this.forget(sequence);
      this.release(sequence);
      throw error;
    }
  }

  /** Nobody uses it any more; what it holds stays. */
  release(sequence: Sequence): void {
    this.#pool.release(sequence);
  }

  /** Keeps a sequence's first `length` tokens, or none where the model cannot go back there. @returns how many */
  rewind(sequence: Sequence, length: number): number {
    const { addon, window } = this.#options;
    const end = sequence.tokens.length;
    if (length === end) return length;
    // Where the window slides, what lies before it is gone: the first token after `length` would miss some of it.
    const lost = window !== undefined && addon.firstPosition(sequence.id) > Math.max(0, length - window);
    if (length > 0 && !lost && addon.truncate(sequence.id, length, end)) {
      sequence.tokens.length = length;
      return length;
    }
    this.forget(sequence);
    return 0;
  }

  /** A batch went well that went on with these. */
  async evaluated(sequences: readonly Sequence[]): Promise<void> {
    for (const sequence of sequences) {
      const prompt = this.#onTrial.get(sequence);
      this.#onTrial.delete(sequence);
      if (prompt) await this.#options.keeper?.trust(prompt);
    }
  }

  forget(sequence: Sequence): void {
    this.#onTrial.delete(sequence);
    this.#options.addon.clear(sequence.id);
    sequence.tokens.length = 0;
  }

  forgetAll(): void {
    for (const sequence of this.#pool.sequences) this.forget(sequence);
  }

  /**
   * Writes what a sequence holds, which is the prompt and no more, to the disk, where that is worth it.
   * @param readMs what reading it took
   * @param isAlone nobody else waits for the next batch
   */
  async keep(prompt: KeptPrompt, sequence: Sequence, readMs: number, isAlone: boolean): Promise<void> {
    await this.#options.keeper?.save(prompt, sequence.id, readMs, isAlone ? NEWCOMERS_WAIT_MS : OTHERS_WAIT_MS);
  }

  /** What of the prompt is somewhere else. @param own how many of its tokens the sequence begins with @returns how many it begins with now */
  async #fetch(sequence: Sequence, own: number, task: SequenceTask, mostMs: number): Promise<number> {
    const common = await this.#borrow(sequence, own, task, mostMs);
    const { kept } = task;
    if (!kept || kept.tokens.length - common < WORTH_LOADING) return common;
    const loaded = await this.#options.keeper?.load(kept, sequence.id, mostMs);
    if (loaded === 'broken') this.forget(sequence);
    if (loaded !== 'loaded') return loaded === 'broken' ? 0 : common;
    hold(sequence, kept.tokens);
    this.#onTrial.set(sequence, kept);
    return kept.tokens.length;
  }

  /**
   * Copies what another sequence has of the prompt, where that is so much more than its own that it is quicker than reading it: the answers
   * to one prompt, and conversations with the same instructions, read them once.
   * @returns how many of the prompt's tokens the sequence begins with
   */
  async #borrow(sequence: Sequence, own: number, task: SequenceTask, mostMs: number): Promise<number> {
    const { addon, contextSize, now } = this.#options;
    const holder = this.#pool.holder(task.tokens, task);
    const worth = Math.max(WORTH_COPYING, contextSize * WORTH_COPYING_PART);
    if (!holder || holder.common - own < worth || this.#copyMs > mostMs) return own;
    const began = now();
    await addon.copy(holder.sequence.id, sequence.id);
    this.#copyMs = now() - began;
    hold(sequence, holder.sequence.tokens);
    return holder.common;
  }
}

/** One by one: there may be more than fit into the arguments of a call. */
function hold(sequence: Sequence, tokens: Sequence['tokens'] | KeptPrompt['tokens']): void {
  sequence.tokens.length = 0;
  for (const token of tokens) sequence.tokens.push(token);
}
