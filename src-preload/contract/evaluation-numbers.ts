/** Tokens that a question may have, with its text (QUASAR, lengths of contexts; hobby sizes from 1,000). */
export const LEAST_LENGTH = 500;
export const MOST_LENGTH = 2_000_000;
export const MOST_TEXTS = 1_000;

/** Where in a text something stands: QUASAR's five bands, from its beginning on. */
export const DEPTH_BANDS = ['beginning', 'early', 'middle', 'late', 'end'] as const;
export type DepthBand = (typeof DEPTH_BANDS)[number];
/** The share of a text at which each of them ends; QUASAR leaves room between some, which is halved. */
export const BAND_ENDS: Record<DepthBand, number> = { beginning: 0.1, early: 0.3, middle: 0.7, late: 0.9, end: 1 };
