import type { DecodeCost } from '../../../../src-preload/contract/decode-cost.ts';

/** What a sequence has yet to evaluate. */
export interface Backlog {
  /** Tokens waiting: 1 while decoding, more while a prompt is read. */
  pending: number;
  /** How many of them come before the first whose logits are wanted. */
  silent: number;
  /** Its answer has begun. */
  begun: boolean;
}

export interface BatchLimits {
  batchSize: number;
  /** Most prompt tokens in this batch: what keeps the decoding ones from waiting long. */
  promptTokens: number;
  /** Most positions of one sequence with logits: each costs memory of the size of the vocabulary. */
  outputs: number;
  /** So many tokens of each prompt are left, of more. Default: none. */
  spared?: number;
}

/** Who goes into the next batch: those who decode, or those whose prompts are being read. */
export type BatchKind = 'decode' | 'prompt';

/** The smaller a piece of a prompt, the more each of its tokens takes, whatever the model. */
const SMALLEST_PIECE = 8;
/** llama.cpp has a fast way through long prompts (flash attention in tiles) for pieces of 64 tokens and more; with 128 it is as fast as ever. */
const FAST_PIECES = [128, 64];
/** So many times as long as was meant a piece may take for that: as the pace is learnt from slow pieces, none would ever be fast again. */
const MOST_STRETCHED = 3;
/** Far into a long prompt as many tokens would hold up those who decode for longer than they may wait. */
const SMALLEST_BESIDE_OTHERS = 4;
/** Beside another prompt a smaller piece is not worth the pass over the weights that it takes. */
const SMALLEST_SHARE = 32;
/** llama.cpp multiplies so many tokens at once, and what is over in more than one pass: 31 take longer than 32 with Q4_0. */
const COMPUTED_TOGETHER = 4;
/** By so much a piece may be larger than was meant, where that is the end of the prompt. */
const REST = 0.3;

/**
 * How many tokens each sequence puts into the next batch. Every decoding sequence gets its one token; prompts are read
 * first come, first served. Never both in one batch: llama.cpp cuts it where the sequences' tokens end, and would pass
 * over the weights once more for the first token of each prompt.
 */
export function planBatch(backlogs: readonly Backlog[], kind: BatchKind, limits: BatchLimits): number[] {
  if (kind === 'decode') return backlogs.map(({ pending }) => (pending === 1 ? 1 : 0));
  const { outputs, spared = 0 } = limits;
  let used = 0;
  return backlogs.map(({ pending, silent }) => {
    if (pending <= 1) return 0;
    const piece = pieceSize(Math.min(pending - spared, silent + outputs), used, limits);
    used += piece;
    return piece;
  });
}

/** What is left of `promptTokens`, in fours, or all that is wanted; never a small piece now or later, where it can be avoided. */
function pieceSize(wanted: number, used: number, { batchSize, promptTokens }: BatchLimits): number {
  const left = Math.min(promptTokens, batchSize) - used;
  if (left <= 0 || (left < SMALLEST_SHARE && left < wanted && used > 0)) return 0;
  if (wanted <= left * (1 + REST)) return Math.min(wanted, batchSize - used);
  return left - (left % COMPUTED_TOGETHER);
}

/**
 * In turns where there are both, so that neither waits long for the other.
 * @param unserved how many of those who decode have had no token since the last prompt was read on
 */
export function nextKind(backlogs: readonly Backlog[], last: BatchKind, unserved: number): BatchKind {
  const decoding = backlogs.some(({ pending }) => pending === 1);
  const reading = backlogs.some(({ pending }) => pending > 1);
  if (decoding && reading) return last === 'decode' && unserved === 0 ? 'prompt' : 'decode';
  return reading ? 'prompt' : 'decode';
}

/**
 * How many of those who decode come into one batch, so that a token for each of them takes the least time. More together are not always
 * faster: with one thread a processor may take longer for four at once than for four in turn.
 * @param costs measured; without any, all come into one
 */
export function fastestGroup(decoding: number, costs: readonly DecodeCost[]): number {
  const best: { ms: number; group: number }[] = [{ ms: 0, group: 0 }];
  for (let count = 1; count <= decoding; count++) {
    const ways = costs
      .filter(({ sequences }) => sequences <= count)
      .map(({ sequences, ms }) => ({ ms: ms + (best[count - sequences]?.ms ?? 0), group: sequences }));
    best.push(
      ways.reduce((least, way) => (way.ms < least.ms ? way : least), { ms: Number.POSITIVE_INFINITY, group: count }),
    );
  }
  return best[decoding]?.group ?? decoding;
}

/** How long those who decode may wait for a batch that reads someone’s prompt: less than 200 ms also where the pace was guessed wrong. */
const SHARED_ROUND_MS = 90;
/** The same with nobody waiting: a cancelled prompt still holds the engine for so long, and so long a newcomer waits. */
const LONE_ROUND_MS = 1_000;

/** How long the next batch of prompts may take. */
export function promptRoundMs(backlogs: readonly Pick<Backlog, 'begun'>[]): number {
  return backlogs.some(({ begun }) => begun) ? SHARED_ROUND_MS : LONE_ROUND_MS;
}

/** For each request that is there: about as much is lost where one prompt is read beside the answers of others. */
const HELD_MS_EACH = 1_000;
const MOST_HELD_MS = 8_000;

/** How long answers that could begin may wait for the prompts of others. @param together how many requests there are */
export function mostHeldMs(together: number): number {
  return Math.min(together * HELD_MS_EACH, MOST_HELD_MS);
}

/** A prompt that is being read. */
export interface Reading {
  pending: number;
  /** So many of its tokens are in the batch. */
  count: number;
  /** So many tokens, of all prompts, may be read until answers that wait for it have to begin. */
  within: number;
}

/**
 * Whether answers that could begin are to wait until another prompt is read to its end. Once one answer runs, prompts are read in small
 * pieces beside it, and whoever begins earlier leaves the others in narrower batches at the end: of requests that came together, the last
 * begins and all are done sooner so, and the first begins later.
 * @param held whether some wait already. Default: only whoever is read to the end by this batch would
 */
export function awaitsOthers(readings: readonly Reading[], held = false): boolean {
  const waits = held || readings.some(({ pending, count }) => count === pending);
  const inBatch = readings.reduce((sum, { count }) => sum + count, 0);
  return waits && readings.some(({ pending, count, within }) => count < pending && inBatch + pending - count <= within);
}

/** So far ahead may those get that came first: it is what newcomers with short prompts may then use at once. */
const MOST_AHEAD_MS = 1_000;
/** A prompt is short beside one of which so many times as much is left: on a slow machine hardly any fits into one batch. */
const MUCH_LONGER = 4;

/**
 * Whose prompts are read next: by default in the order they came. A short prompt does not wait for a long one that came first, nor a long
 * one for ever for short ones: these may use as much time as it has had.
 */
export class PromptTurns {
  /** Milliseconds that those who came first have had more than those with short prompts. */
  #aheadMs = 0;
  #overtaking = false;

  /**
   * @param readers in the order they came
   * @param of how much of a prompt is left, and whether that fits into one batch
   */
  next<Reader>(
    readers: readonly Reader[],
    { pending, fits }: { pending: (reader: Reader) => number; fits: (reader: Reader) => boolean },
  ): Reader[] {
    const [oldest] = readers;
    const isShort = (reader: Reader) =>
      fits(reader) || (oldest !== undefined && pending(reader) * MUCH_LONGER <= pending(oldest));
    const short = readers.filter(isShort);
    this.#overtaking = oldest !== undefined && !short.includes(oldest) && short.length > 0 && this.#aheadMs > 0;
    return this.#overtaking ? short.toSorted((a, b) => pending(a) - pending(b)) : [...readers];
  }

  /** @param ms that the batch of those took */
  took(ms: number): void {
    this.#aheadMs = Math.min(MOST_AHEAD_MS, this.#aheadMs + (this.#overtaking ? -ms : ms));
  }
}

const FIRST_GUESS = 128;
const TELLING = 4;
/** Weight of the newest batch in the average: of one prompt, which gets slower as it gets longer, and of all. */
const NEWEST_OF_ONE = 0.7;
const NEWEST_OF_ALL = 0.3;

/** Learns how fast prompts are read here, and says how many prompt tokens take about so long. */
export class PromptPace {
  readonly #general: PromptPace | undefined;
  #msPerToken: number | undefined;

  /** @param general what the first piece goes by, and learns from: how fast prompts begin. Default: this is it */
  constructor(general?: PromptPace) {
    this.#general = general;
  }

  learn(promptTokens: number, ms: number): void {
    if (promptTokens < TELLING) return;
    if (this.#msPerToken === undefined) this.#general?.learn(promptTokens, ms);
    const latest = ms / promptTokens;
    const weight = this.#general ? NEWEST_OF_ONE : NEWEST_OF_ALL;
    this.#msPerToken =
      this.#msPerToken === undefined ? latest : this.#msPerToken + (latest - this.#msPerToken) * weight;
  }

  /** About so many tokens are read in so long. */
  tokensIn(ms: number): number {
    const msPerToken = this.#known;
    return msPerToken === undefined ? FIRST_GUESS : Math.floor(ms / msPerToken);
  }

  /**
   * So large a piece of the prompt may be in a batch of so long: at least {@link SMALLEST_PIECE}, and one of {@link FAST_PIECES} where that
   * takes not much longer; beside others at least {@link SMALLEST_BESIDE_OTHERS}.
   */
  pieceIn(ms: number): number {
    const msPerToken = this.#known;
    if (msPerToken === undefined) return FIRST_GUESS;
    if (ms <= SHARED_ROUND_MS) return Math.max(SMALLEST_BESIDE_OTHERS, this.tokensIn(ms));
    const fast = FAST_PIECES.find((piece) => piece * msPerToken <= ms * MOST_STRETCHED);
    return Math.max(fast ?? SMALLEST_PIECE, this.tokensIn(ms));
  }

  /** Milliseconds a token, of this prompt, or else of all. */
  get #known(): number | undefined {
    if (this.#msPerToken !== undefined || !this.#general) return this.#msPerToken;
    return this.#general.#msPerToken;
  }
}
