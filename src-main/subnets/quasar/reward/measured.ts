import { beginningOf } from '../../../validation/answer-text.ts';
import { MOST_COMPARED, scoreBy } from '../metrics/metrics.ts';

/**
 * The five things that QUASAR’s composite is made of, each from what the validator has asked and timed. The original takes what miners say of themselves, so that whoever
 * says 1 has won.
 */

/** A made-up value that was hidden in the context and asked for. */
export interface AskedAnchor {
  /** Whether the answer has it to the letter. */
  isFound: boolean;
}

/** Where in the context something stands that was asked for. Shares of its length, 0 to 1. */
export interface AskedPosition {
  trueDepth: number;
  /** Null where the answer names none. */
  saidDepth: number | null;
}

/** One question, as the validator’s clock has it: milliseconds since it was sent. */
export interface Timing {
  contextTokens: number;
  answerTokens: number;
  firstByteMs: number;
  lastByteMs: number;
}

/** How far off a position may be said, as a share of the context. */
const TOLERANCE = 0.1;
/** Positions are asked for in so many parts of the context, and each part counts as much as the others. */
const BANDS = 5;
const REPEATED_WORDS = 4;

/** The share of hidden values that were found. 0 where none was asked for. */
export function memoryOf(anchors: readonly AskedAnchor[]): number {
  return mean(anchors.map(({ isFound }) => (isFound ? 1 : 0)));
}

/**
 * The share of positions that were said right, within a tenth of the context, in the mean over its fifths. Not how far off they are in the mean: by that, whoever
 * always says «in the middle» would have three quarters.
 */
export function positionOf(positions: readonly AskedPosition[]): number {
  const bands = Map.groupBy(positions, ({ trueDepth }) => Math.min(BANDS - 1, Math.floor(trueDepth * BANDS)));
  return mean([...bands.values()].map((band) => mean(band.map((one) => (isNear(one) ? 1 : 0)))));
}

/** Half how alike an answer and its reference are (ROUGE-L), half how little it repeats itself. 0 where it says nothing. */
export function coherenceOf(answer: string, reference: string): number {
  if (answer.trim() === '') return 0;
  return (scoreBy('rouge-l', answer, [reference]) + 1 - repeatedShare(answer)) / 2;
}

/** Of all runs of four words in the beginning of a text ({@link MOST_COMPARED}), the share that was there before. 0 to 1; 0 where there are fewer words. */
export function repeatedShare(text: string): number {
  const words = beginningOf(text, MOST_COMPARED).toLowerCase().split(/\s+/).filter(Boolean);
  const runs = Math.max(0, words.length - REPEATED_WORDS + 1);
  if (runs === 0) return 0;
  const seen = new Set<string>();
  for (let at = 0; at < runs; at++) seen.add(words.slice(at, at + REPEATED_WORDS).join(' '));
  return 1 - seen.size / runs;
}

/** Of all the time since the question was sent: whoever holds an answer back and sends it at once is not faster for that. */
export function tokensPerSecond({ answerTokens, lastByteMs }: Timing): number {
  return lastByteMs > 0 ? (answerTokens * 1_000) / lastByteMs : 0;
}

/**
 * How much of linear growth is kept from a short context to a long one: 1 where it takes no more time for each token. First and last byte both have to: a first one that
 * is sent before anything was read helps nobody. Slowness at the short length helps here and costs in tokens a second.
 */
export function scalingOf(short: Timing, long: Timing): number {
  const factor = long.contextTokens / short.contextTokens;
  const kept = (before: number, after: number) => (after > 0 ? (before * factor) / after : 0);
  return share(Math.min(kept(short.firstByteMs, long.firstByteMs), kept(short.lastByteMs, long.lastByteMs)));
}

const isNear = ({ trueDepth, saidDepth }: AskedPosition) =>
  saidDepth !== null && Math.abs(saidDepth - trueDepth) <= TOLERANCE;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** From 0 to 1; 0 for what is no number: a clock that stood still must not spoil a sum. */
export const share = (value: number) => Math.min(1, Math.max(0, value || 0));
