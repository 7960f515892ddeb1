/** What came of an attempt: `measured` is a right kernel; all others are what was wrong with it, the first thing that was found. */
export const ATTEMPT_OUTCOMES = [
  'measured',
  'noCode',
  'repeated',
  'tooLarge',
  'syntax',
  'type',
  'name',
  'imports',
  'exports',
  'memory',
  'wrong',
  'trap',
  'late',
  'outOfMemory',
  'unknown',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What a run has where nobody says otherwise. Twenty repairs, as elsewhere, mostly repeat themselves: after four, a new idea costs the same and brings more. */
export const USUAL = { iterations: 100, plateau: 25, repairs: 4, tokens: 100_000 } as const;

export const MOST_ITERATIONS = 1_000;
export const MOST_REPAIRS = 20;
/** Of the sequence that a kernel is measured on. */
export const [LEAST_TOKENS, MOST_TOKENS] = [10_000, 4_000_000] as const;
/** Of a source: some two thousand lines. */
export const MOST_SOURCE_BYTES = 65_536;
export const MOST_SHOWN_ATTEMPTS = 1_000;
