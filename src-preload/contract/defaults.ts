/**
 * What counts where neither a request nor the configuration says: for whoever answers, here, behind a remote server or on
 * the mesh, and for the screens that show it. Plain, as `limits.ts`.
 */
export const DEFAULTS = {
  /** Tokens of an answer; never more than the context has room for. */
  maxTokens: 512,
  temperature: 0.7,
  topP: 0.9,
  topK: 40,
  /** Off, so that `temperature: 0` is greedy. */
  repeatPenalty: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  /** Tokens that one request may use, prompt and answer together; less where model or memory allow no more. */
  contextSize: 8_192,
  /** Requests decoded together; fewer where memory is short. */
  parallel: 4,
  /** What the cache of keys and values keeps each value as. */
  kvCache: 'f16',
} as const;
