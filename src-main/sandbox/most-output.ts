/** Bytes of each stream that are kept of a program (Affine, executor). */
export const MOST_OUTPUT = 1_000_000;
