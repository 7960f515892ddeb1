// What one node takes of another of its owner's: one of them may be in other hands.

/** Bytes of one message's share of a file. As base64, with what stands around it, it is less than the 64 KiB of a message. */
export const CHUNK_BYTES = 32 * 1024;
/** Chunks that are asked for and not there yet: what waits at the sender is never more, and others' messages come between. */
export const WINDOW = 8;
/** Chunks that the other side may have asked for at a time. */
export const MOST_READS = 16;

/** Bytes of one file of an adapter. One of rank 64 for 8 billion parameters has 670 MB, its optimizer's state twice as much. */
export const MOST_FILE_BYTES = 4 * 1024 ** 3;
/** Bytes of the samples of one step: 16 of 2,048 tokens have 40 million. */
export const MOST_SAMPLES_BYTES = 64 * 1024 ** 2;
/** Largest number of a token. */
export const MOST_TOKEN = 10_000_000;
/** Natural-log probabilities are between this and 0, or what rounding makes of that. */
export const LEAST_LOGPROB = -1e6;
export const MOST_LOGPROB = 0.01;

/** Most characters of a reason that is told in words. */
export const MOST_REASON_CHARS = 300;
