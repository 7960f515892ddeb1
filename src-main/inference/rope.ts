import { z } from 'zod';
import { MOST_CONTEXT, MOST_ROPE_FACTOR } from '../../src-preload/contract/long-context.ts';
import type { ModelFacts } from '../gguf/model-facts.ts';

/** Positions that are scaled, so that a model reads more tokens than it was trained for. */
export const ropeSchema = z.strictObject({
  type: z.enum(['linear', 'yarn']),
  /** Above 1: so many times as many tokens. */
  factor: z.number().min(1).max(MOST_ROPE_FACTOR),
  /** Tokens that the factor starts from. Default: what the file says that the model was trained for. */
  originalContext: z.int().min(1).max(MOST_CONTEXT).optional(),
});
export type RopeScaling = z.infer<typeof ropeSchema>;

/** What of a model decides how far it reaches. */
export type Reach = Pick<ModelFacts, 'contextLength' | 'originalContext' | 'hasRope'>;

/** Tokens of a context that a model takes at most. One whose positions are no rotations takes what it was trained for. */
export function longestContext({ contextLength, originalContext, hasRope }: Reach, rope?: RopeScaling): number {
  if (!rope || !hasRope) return contextLength;
  return Math.min(MOST_CONTEXT, Math.floor((rope.originalContext ?? originalContext) * rope.factor));
}

/** node-llama-cpp hands whole numbers over as integers, and llama.cpp passes over an integer where it wants a float: this is the same one as a float of 32 bits. */
const NO_INTEGER = 1 + 2 ** -40;

/**
 * What llama.cpp is to read in place of the file's own, below the architecture: `load_hparams` of llama.cpp takes type, factor and original context from there, and what a
 * context may have from `context_length`.
 * @returns undefined where there is nothing to scale
 */
export function ropeOverride(reach: Reach, rope: RopeScaling | undefined) {
  if (!rope || !reach.hasRope) return undefined;
  return {
    context_length: longestContext(reach, rope),
    rope: {
      scaling: {
        type: rope.type,
        factor: rope.factor * NO_INTEGER,
        original_context_length: rope.originalContext ?? reach.originalContext,
      },
    },
  };
}
