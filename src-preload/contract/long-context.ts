/** Settings of a model that decide how long a context it has room for. Plain, as `limits.ts`. */

/** What the cache of keys and values keeps each value as: two bytes, about one, or about half of one. */
export const KV_CACHE_TYPES = ['f16', 'q8_0', 'q4_0'] as const;
export type KvCacheType = (typeof KV_CACHE_TYPES)[number];

/** How positions beyond those that a model was trained for are brought among them; `none` is as its file has it. */
export const ROPE_SCALINGS = ['none', 'linear', 'yarn'] as const;

/** By how much at the most. */
export const MOST_ROPE_FACTOR = 64;
/** Tokens of a context at the most. */
export const MOST_CONTEXT = 10_000_000;
