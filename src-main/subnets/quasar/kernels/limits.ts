/** What a module may have, and what it is asked: docs/kernels.md says the same to people who hand one in. */

/** Of the whole file. */
export const MODULE_BYTES = 1_048_576;
/** A page of WebAssembly’s memory, in bytes. */
export const PAGE_BYTES = 65_536;
/** 256 MiB, the judge’s part included: what its memory may declare as its maximum. */
export const MAX_PAGES = 4_096;
/** What the judge adds to the memory behind what the module has at its start: all buffers are in there. */
export const ARENA_PAGES = 24;
/** Of functions, of their locals (each), and of their code (each, in bytes): what a compiler does in one go. */
export const [MAX_FUNCTIONS, MAX_LOCALS, MAX_BODY_BYTES] = [2_000, 2_000, 131_072] as const;
/** Of the elements of its one table. */
export const MAX_TABLE = 10_000;

/** Tokens of one call: 1 to so many. */
export const MAX_CHUNK = 512;
/** Key and value channels: multiples of 4 up to so many. */
export const MAX_CHANNELS = 128;
/** Key and value channels while it is measured. */
export const MEASURED_CHANNELS = 64;

/**
 * How far an element may be from the reference, as a share of the sum of the absolute values that it is the sum of (the
 * condition of the sum: what rounding does to it is proportional to that, however much of it cancels out).
 */
export const TOLERANCE = 1e-5;
/** What is smaller counts as zero: numbers of 32 bits are no longer normal there. */
export const SMALLEST = 1.2e-38;

/** Tokens of a whole run: leagues name theirs within this. */
export const [LEAST_TOKENS, MOST_TOKENS, USUAL_TOKENS] = [10_000, 4_000_000, 100_000] as const;
