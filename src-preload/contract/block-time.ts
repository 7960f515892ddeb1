/** Milliseconds between two blocks of a public chain (Bittensor §4). */
export const BLOCK_MS = 12_000;
