import type { Token } from 'node-llama-cpp';

/** Tokens of one sequence to evaluate in the next batch. */
export interface Piece {
  sequence: number;
  /** Position of the first token in the sequence. */
  position: number;
  tokens: readonly Token[];
  /** Indexes into `tokens` whose logits are wanted. */
  logits: readonly number[];
}

/** The likeliest next token, and how likely it is. */
export interface Guess {
  token: Token;
  probability: number;
}

export interface Guesser {
  /** @param index where the position's logits lie in the last batch */
  guess(index: number): Promise<Guess>;
}

/** A context that computes batches: as much of it as is measured. */
export interface Batches {
  decode(items: readonly Piece[]): { logits: number[][]; done: Promise<void> };
  clear(sequence: number): void;
}

/** That of a draft model. */
export interface DraftContext extends Batches {
  truncate(sequence: number, length: number, end: number): boolean;
  createGuesser(): Guesser;
}
