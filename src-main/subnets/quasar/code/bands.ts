import type { ProgramTime } from '../../../sandbox/program-sandbox.ts';

/**
 * Of code, a token has about four characters (as QUASAR counts where it has no tokenizer: quasar-omega, A2). By words, as prose is counted here, it would be half as many: a word of code has
 * eight to ten characters, with its indentation.
 */
export const CHARS_PER_TOKEN = 4;

/** How long a code base is, and how its programs are looked at. */
export interface Band {
  /** Tokens of the prompt, about: one of these, drawn. */
  tokens: readonly [least: number, most: number];
  /** Code bases that a program is run for: the one that was shown, and others. */
  cases: number;
  time: ProgramTime;
}

const seconds = (all: number): ProgramTime => ({ runMs: all * 500, programMs: all * 1_000 });

/** By their names (quasar-omega, A11): the longest that are asked fit into a request of 1 MiB. */
export const BANDS = {
  '8k-16k': { tokens: [8_800, 15_000], cases: 4, time: seconds(30) },
  '16k-32k': { tokens: [17_600, 30_000], cases: 3, time: seconds(45) },
  '32k-64k': { tokens: [35_000, 60_000], cases: 2, time: seconds(60) },
  '64k-128k': { tokens: [70_000, 120_000], cases: 2, time: seconds(60) },
  '128k+': { tokens: [141_000, 180_000], cases: 2, time: seconds(90) },
} as const satisfies Record<string, Band>;

export type BandName = keyof typeof BANDS;
export const BAND_NAMES = Object.keys(BANDS) as [BandName, ...BandName[]];
