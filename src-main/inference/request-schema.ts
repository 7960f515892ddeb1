import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';

/**
 * What the engine accepts: the shapes of backend.ts with their limits. The sizes only keep a request's memory bounded;
 * whether a prompt fits the context is known once it is in tokens.
 */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_MESSAGES = 4096;
const MAX_EMBED_INPUTS = 2048;

const text = z.string().max(MAX_TEXT);

export const inputSchema = z.union([
  z.strictObject({
    messages: z
      .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: text }))
      .min(1)
      .max(MAX_MESSAGES),
  }),
  z.strictObject({ prompt: text }),
]);

export const generateSchema = z.strictObject({
  input: inputSchema,
  maxTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(5).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(0).max(1_000_000).optional(),
  repeatPenalty: z.number().positive().max(10).optional(),
  seed: z.int().min(0).max(0xffff_ffff).optional(),
  stop: z.array(z.string().min(1).max(1024)).max(16).optional(),
  jsonSchema: z.record(z.string(), z.unknown()).optional(),
  topLogprobs: z.int().min(0).max(20).optional(),
});

export const scoreSchema = z.strictObject({
  input: inputSchema,
  continuation: text.min(1),
  topK: z.int().min(0).max(100).optional(),
});

export const embedSchema = z.array(text.min(1)).min(1).max(MAX_EMBED_INPUTS);

/**
 * The value, if it has the schema's shape.
 * @param name put before the path of the field at fault, where the schema's own paths start in the middle of a request
 * @throws BAD_REQUEST naming the field
 */
export function checkRequest<T>(schema: z.ZodType<T>, value: unknown, name = 'request'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.length ? issue.path.join('.') : name;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${field}» is not what the engine takes: ${issue?.message ?? 'wrong shape'}.`,
    field,
  });
}
