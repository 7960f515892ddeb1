import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { MAX_ASKED_TEMPERATURE } from './limits.ts';
import { messagesSchema, requestSchema, samplingFields } from './request.ts';
import { saidSchema } from './saying-schema.ts';

/** What of a request people set on the screens and on the command line. */
export const settableSchema = requestSchema
  .pick({ maxTokens: true, topP: true, topK: true, repeatPenalty: true, seed: true })
  .extend({ temperature: samplingFields.temperature.max(MAX_ASKED_TEMPERATURE).optional() });

export const askSchema = z.object({
  /** `local` is this node's engine, `mesh` another node's. */
  target: z.enum(['local', 'mesh']),
  messages: messagesSchema,
  /** `mesh`: only workers that serve it. `local`: the loaded model's name, or the node's own `model` setting. */
  model: z.string().max(4_096).optional(),
  ...settableSchema.shape,
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
