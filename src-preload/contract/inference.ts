import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { saidSchema } from './saying-schema.ts';

/** Longest answer that may be asked for, in tokens. */
export const MAX_ANSWER_TOKENS = 1_000_000;
/** Seeds have 32 bits. */
export const MAX_SEED = 4_294_967_295;

export const askSchema = z.object({
  /** `local` is this node's engine, `mesh` another node's. */
  target: z.enum(['local', 'mesh']),
  messages: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .max(1_000),
  /** `mesh`: only workers that serve it. `local`: the loaded model's name, or the node's own `model` setting. */
  model: z.string().max(4_096).optional(),
  maxTokens: z.int().min(1).max(MAX_ANSWER_TOKENS).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(0).max(1_000).optional(),
  seed: z.int().min(0).max(MAX_SEED).optional(),
  /** Milliseconds until the request ends with DEADLINE. */
  deadlineMs: z.int().min(1).max(3_600_000).optional(),
});

export const askEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('worker'), worker: z.string(), model: z.string().optional() }),
  z.object({
    type: z.literal('queued'),
    worker: z.string(),
    position: z.number(),
    etaMs: z.number(),
    tier: z.string().optional(),
  }),
  z.object({ type: z.literal('restart'), worker: z.string(), reason: z.string(), said: saidSchema }),
  z.object({ type: z.literal('chunk'), text: z.string(), tokens: z.number() }),
  z.object({
    type: z.literal('done'),
    result: z.object({
      text: z.string(),
      finish: z.enum(['stop', 'length']),
      promptTokens: z.number(),
      cachedTokens: z.number(),
      completionTokens: z.number(),
      queuedMs: z.number(),
      firstTokenMs: z.number(),
      totalMs: z.number(),
      tokensPerSecond: z.number(),
    }),
  }),
]);
export type AskRequest = z.infer<typeof askSchema>;

export type AskEvent = z.infer<typeof askEventSchema>;

export const inferenceContract = {
  /** Asks one question and streams what happens to it; ends with `done`. Aborting the call cancels the request. */
  ask: oc.input(askSchema).output(eventIterator(askEventSchema)),
};
