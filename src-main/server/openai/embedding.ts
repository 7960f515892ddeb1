import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { promptTextSchema } from '../../../src-preload/contract/request.ts';
import type { EmbedResult } from '../../inference/backend.ts';
import { MAX_EMBED_INPUTS } from '../../inference/request-schema.ts';
import { commonFields, optional } from './fields.ts';

/** POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings/create */

/** LangChain sends lists of tokens unless told otherwise, which it makes with OpenAI's vocabulary. */
const NO_TOKENS =
  'has to be a text: to this model tokens of another mean something else (LangChain: check_embedding_ctx_length=False)';
const textSchema = z.string({
  error: ({ input }) => (typeof input === 'number' || Array.isArray(input) ? NO_TOKENS : undefined),
});

export const embeddingSchema = z.object({
  model: commonFields.model,
  input: z.union([
    promptTextSchema.transform((only) => [only]),
    boundedArray(textSchema.pipe(promptTextSchema), MAX_EMBED_INPUTS, 1),
  ]),
  encoding_format: optional(z.enum(['float', 'base64'])),
});

export type EmbeddingBody = z.infer<typeof embeddingSchema>;

export function embeddingAnswer(
  { model, encoding_format }: EmbeddingBody,
  { vectors, promptTokens }: EmbedResult,
): object {
  const encode = encoding_format === 'base64' ? base64 : (vector: number[]) => vector;
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) }));
  return { object: 'list', data, model, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } };
}

/** 32-bit floats, little endian: what OpenAI's own clients ask for. */
function base64(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
