import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedArray } from './bounded.ts';
import { askedTemperature, messagesSchema, requestSchema, toolCallSchema, toolFields } from './request.ts';
import { saidSchema } from './saying-schema.ts';

/** What of a request people set on the screens and on the command line. */
export const settableSchema = requestSchema
  .pick({ maxTokens: true, topP: true, topK: true, repeatPenalty: true, seed: true })
  .extend({ temperature: askedTemperature.optional() });

export const askSchema = z.object({
  /** `local` is this node's engine, `mesh` another node's. */
  target: z.enum(['local', 'mesh']),
  messages: messagesSchema,
  /** `mesh`: only workers that serve it. `local`: the loaded model's name, or the node's own `model` setting. */
  model: z.string().max(4_096).optional(),
  ...settableSchema.shape,
  tools: toolFields.tools.optional(),
  toolChoice: toolFields.toolChoice.optional(),
  /** Milliseconds until the request ends with DEADLINE. */
  deadlineMs: z.int().min(1).max(3_600_000).optional(),
});

/** How an answer ended. `tool_calls`: the model wants something to be called, and goes on when it has the results. */
export const finishSchema = z.enum(['stop', 'length', 'tool_calls']);
export type FinishReason = z.infer<typeof finishSchema>;

/** Calls of an answer: it has some hundred thousand tokens at the most. */
const MAX_ANSWER_CALLS = 10_000;

/** How an answer came about. */
const resultSchema = z.object({
  text: z.string(),
  finish: finishSchema,
  /** What it wants to be called; absent where that is nothing. */
  toolCalls: boundedArray(toolCallSchema, MAX_ANSWER_CALLS).optional(),
  promptTokens: z.number(),
  /** Of the prompt's tokens, how many were already evaluated for an earlier turn. */
  cachedTokens: z.number(),
  completionTokens: z.number(),
  /** Milliseconds the request waited for a free sequence. */
  queuedMs: z.number(),
  /** Milliseconds from being asked to the first token. */
  firstTokenMs: z.number(),
  /** Milliseconds from being asked to the end. */
  totalMs: z.number(),
  /** Generated tokens per second after the first token; 0 when there are fewer than two. */
  tokensPerSecond: z.number(),
});
export type GenerateResult = z.infer<typeof resultSchema>;

/** From what an answer of the mesh is paid, as its worker says; in words: `paid.claim` and so on. */
export const PAID_FROM = [
  /** What it owes this node. */
  'claim',
  /** The same, signed over to this node by others for this request. */
  'vouchers',
  /** Trust, on the word of somebody whom it has been served by. */
  'word',
  /** Trust: a gift, in the ledger. */
  'gift',
  /** It serves everybody on its mesh of friends. */
  'friend',
] as const;

/** What a worker was paid for what came of its answer. From then on this node owes it as much. */
export const paidSchema = z.object({ worker: z.string(), credits: z.number(), from: z.enum(PAID_FROM) });
export type Paid = z.infer<typeof paidSchema>;

/** What happens to a question on its way through the mesh. */
const wayEvents = [
  /** A worker was asked. */
  z.object({ type: z.literal('worker'), worker: z.string(), model: z.string().optional() }),
  /** The request waits there with `position` others ahead. */
  z.object({
    type: z.literal('queued'),
    worker: z.string(),
    position: z.number(),
    etaMs: z.number(),
    tier: z.string().optional(),
  }),
  /**
   * The worker failed and another one begins anew: forget the text so far. (Two halves by two models, or by one with two
   * seeds, would be an answer that nobody gave and that no receipt seals.)
   */
  z.object({ type: z.literal('restart'), worker: z.string(), reason: z.string(), said: saidSchema }),
  /**
   * An answer is on the books, before its `done`; or what came of one that broke off, before its `restart` or the error. An answer that costs
   * nothing has none.
   */
  paidSchema.extend({ type: z.literal('paid') }),
] as const;
export type WayEvent = z.infer<(typeof wayEvents)[number]>;

export const askEventSchema = z.discriminatedUnion('type', [
  ...wayEvents,
  /** The model of this node answers with what it has learnt: `personal@3`. Before the first `chunk`; not there where it answers as it is. */
  z.object({ type: z.literal('version'), version: z.string() }),
  z.object({ type: z.literal('chunk'), text: z.string(), tokens: z.number() }),
  z.object({ type: z.literal('done'), result: resultSchema }),
]);
export type AskRequest = z.infer<typeof askSchema>;

export type AskEvent = z.infer<typeof askEventSchema>;

export const inferenceContract = {
  /** Asks one question and streams what happens to it; ends with `done`. Aborting the call cancels the request. */
  ask: oc.input(askSchema).output(eventIterator(askEventSchema)),
  /**
   * Loads this computer's model for those who ask here, as a question would; it stays for a while after the last one.
   * @throws what loading throws
   */
  load: oc.output(z.void()),
  /** Takes it out of memory, and ends what it answers. @throws BAD_REQUEST while this node mines with it */
  unload: oc.output(z.void()),
};
