import type { TokenLogprobs } from '../backend.ts';

/** Text that may be shown, with the tokens that it completes. */
export interface TextPiece {
  text: string;
  tokens: number;
  logprobs: TokenLogprobs[];
}

/** Tokens held back as a possible stop text before their number is told: they are work, though there is nothing to show. */
const HELD_UNTOLD = 32;

interface WaitingToken {
  /** Where the token's text ends in the whole text, in UTF-16 units. */
  end: number;
  logprobs: TokenLogprobs | undefined;
}

/**
 * Turns tokens, which may hold parts of characters, into pieces of whole characters that hold no part of a stop string.
 * A token counts with the piece that completes its text; one that is held back for long, with a piece without text before.
 */
export class TextStream {
  // A byte-order mark is text like any other here.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #filter: StopFilter;
  readonly #waiting: WaitingToken[] = [];
  #decoded = 0;
  #shown = 0;
  /** Of those that wait, how many were counted in a piece already. */
  #told = 0;
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#filter = new StopFilter(stops);
  }

  /** Whether a stop string was met; then no more may be pushed. */
  get stopped(): boolean {
    return this.#stopped;
  }

  push(bytes: Uint8Array, logprobs?: TokenLogprobs): TextPiece {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#decoded += text.length;
    this.#waiting.push({ end: this.#decoded, logprobs });
    const { text: shown, stopped } = this.#filter.push(text);
    this.#stopped = stopped;
    return this.#piece(shown);
  }

  /** The rest: text held back as a possible stop string, and half a character as U+FFFD. Nothing after a stop. */
  end(): TextPiece {
    if (this.#stopped) return { text: '', tokens: 0, logprobs: [] };
    const { text, stopped } = this.#filter.push(this.#decoder.decode());
    const piece = this.#piece(stopped ? text : text + this.#filter.flush());
    if (stopped) return piece;
    // Tokens of no text, or whose text is part of the last character.
    const rest = this.#waiting.splice(0);
    return {
      text: piece.text,
      tokens: piece.tokens + this.#untold(rest.length),
      logprobs: [...piece.logprobs, ...rest.flatMap((token) => token.logprobs ?? [])],
    };
  }

  #piece(text: string): TextPiece {
    this.#shown += text.length;
    const open = this.#waiting.findIndex((token) => token.end > this.#shown);
    const whole = text === '' ? [] : this.#waiting.splice(0, open < 0 ? this.#waiting.length : open);
    return {
      text,
      tokens: this.#untold(whole.length) + this.#heldLong(),
      logprobs: whole.flatMap((token) => token.logprobs ?? []),
    };
  }

  /** How many of so many tokens that wait no longer were not counted yet. */
  #untold(tokens: number): number {
    const told = Math.min(this.#told, tokens);
    this.#told -= told;
    return tokens - told;
  }

  #heldLong(): number {
    const held = this.#waiting.length - this.#told;
    if (held < HELD_UNTOLD) return 0;
    this.#told += held;
    return held;
  }
}

/**
 * Lets text through up to the stop string that is complete first. Text that may be the beginning of one is held back, so that no part of
 * a stop string is ever seen, however the text is cut into pieces.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** @returns the text that is safe to show now, and whether a stop string was met (then no more may be pushed) */
  push(text: string): { text: string; stopped: boolean } {
    const all = this.#held + text;
    const at = this.#firstStop(all);
    if (at !== undefined) {
      this.#held = '';
      return { text: all.slice(0, at), stopped: true };
    }
    const safe = all.length - this.#heldLength(all);
    this.#held = all.slice(safe);
    return { text: all.slice(0, safe), stopped: false };
  }

  /** What was held back, once it is certain that no more text comes. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Where the stop string begins that is complete first: which one that is does not depend on how the text is cut. */
  #firstStop(text: string): number | undefined {
    const found = this.#stops
      .map((stop) => ({ at: text.indexOf(stop), length: stop.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at + a.length - (b.at + b.length) || a.at - b.at);
    return found[0]?.at;
  }

  /** Length of the longest end of the text that a stop string begins with. */
  #heldLength(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
