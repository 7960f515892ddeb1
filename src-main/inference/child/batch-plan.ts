/** What a sequence has yet to evaluate. */
export interface Backlog {
  /** Tokens waiting: 1 while decoding, more while a prompt is read. */
  pending: number;
  /** How many of them come before the first whose logits are wanted. */
  silent: number;
}

export interface BatchLimits {
  batchSize: number;
  /** Most prompt tokens in this batch: what keeps the decoding ones from waiting long. */
  promptTokens: number;
  /** Most positions of one sequence with logits: each costs memory of the size of the vocabulary. */
  outputs: number;
}

/** Who goes into the next batch: those who decode, or those whose prompts are being read. */
export type BatchKind = 'decode' | 'prompt';

/** A smaller piece of a prompt takes hardly less time. */
const SMALLEST_PIECE = 32;

/**
 * How many tokens each sequence puts into the next batch. Every decoding sequence gets its one token; prompts are read
 * first come, first served. Never both in one batch: llama.cpp cuts it where the sequences' tokens end, and would pass
 * over the weights once more for the first token of each prompt.
 */
export function planBatch(backlogs: readonly Backlog[], kind: BatchKind, limits: BatchLimits): number[] {
  if (kind === 'decode') return backlogs.map(({ pending }) => (pending === 1 ? 1 : 0));
  let used = 0;
  return backlogs.map(({ pending, silent }) => {
    if (pending <= 1) return 0;
    const piece = pieceSize(Math.min(pending, silent + limits.outputs), used, limits);
    used += piece;
    return piece;
  });
}

/** What is left of `promptTokens`, or all that is wanted; never a small piece now or later, where it can be avoided. */
function pieceSize(wanted: number, used: number, { batchSize, promptTokens }: BatchLimits): number {
  const left = Math.min(promptTokens, batchSize) - used;
  if (left <= 0 || (left < SMALLEST_PIECE && left < wanted && used > 0)) return 0;
  if (wanted - left < SMALLEST_PIECE) return Math.min(wanted, batchSize - used);
  return left;
}

/** In turns where there are both, so that neither waits long for the other. */
export function nextKind(backlogs: readonly Backlog[], last: BatchKind): BatchKind {
  const decoding = backlogs.some(({ pending }) => pending === 1);
  const reading = backlogs.some(({ pending }) => pending > 1);
  if (decoding && reading) return last === 'decode' ? 'prompt' : 'decode';
  return reading ? 'prompt' : 'decode';
}

/** How long those who decode may wait for a batch that reads someone’s prompt. */
const SHARED_ROUND_MS = 300;
/** The same with nobody waiting: a cancelled prompt still holds the engine for so long. */
const LONE_ROUND_MS = 1_000;

/** How long the next batch of prompts may take: longer when more requests wait for their first token than decode. */
export function promptRoundMs(backlogs: readonly Backlog[]): number {
  const decoding = backlogs.filter(({ pending }) => pending === 1).length;
  const reading = backlogs.filter(({ pending }) => pending > 1).length;
  return Math.min(LONE_ROUND_MS, SHARED_ROUND_MS * Math.max(1, reading / decoding));
}

const FIRST_GUESS = 128;
const TELLING = 16;
/** Weight of the newest batch in the average. */
const NEWEST = 0.3;

/** Learns how fast prompts are read here, and says how many prompt tokens take about so long. */
export class PromptPace {
  #msPerToken: number | undefined;

  learn(promptTokens: number, ms: number): void {
    if (promptTokens < TELLING) return;
    const latest = ms / promptTokens;
    this.#msPerToken =
      this.#msPerToken === undefined ? latest : this.#msPerToken + (latest - this.#msPerToken) * NEWEST;
  }

  /** At least {@link SMALLEST_PIECE}. */
  tokensIn(ms: number): number {
    if (this.#msPerToken === undefined) return FIRST_GUESS;
    return Math.max(SMALLEST_PIECE, Math.floor(ms / this.#msPerToken));
  }
}
