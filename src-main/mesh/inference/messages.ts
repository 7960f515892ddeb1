import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { nodeIdSchema, randomIdSchema, requestIdSchema, signatureSchema } from '../../../src-preload/contract/keys.ts';
import { hexPattern, MAX_MESSAGES, MAX_TOP_LOGPROBS } from '../../../src-preload/contract/limits.ts';
import {
  type GenerateRequest,
  maxTokensSchema,
  messageSchema,
  modelNameSchema,
  promptTextSchema,
  samplingFields,
  toolFields,
} from '../../../src-preload/contract/request.ts';
import { sha256 } from '../../base/sha256.ts';
import { FUNDS } from '../../credits/credits.ts';
import { creditsSchema } from '../../credits/price.ts';
import { receiptSchema, workerReceiptSchema } from '../../credits/receipt.ts';
import { TIERS } from '../../credits/tiers.ts';
import { MAX_VOICES, MAX_VOUCHERS, voucherKindSchema, voucherSchema } from '../../credits/voucher.ts';
import { HEALTH_STATES } from '../../hardware/health-score.ts';
import { evidence, plain } from '../transport/envelope.ts';
import { MAX_SERVED_MODELS, servedModelSchema } from '../transport/messages.ts';
import { claimSchema, EVIDENCE_PIECE, MAX_EVIDENCE, toldTokenSchema } from './claim.ts';
import { clipEndSchema, clipPieceSchema, clipQuestionSchema } from './clip-messages.ts';
import { toldByKeySchema } from './told-by-key.ts';

/** Largest frame body of the inference network, in bytes. */
export const MAX_INFERENCE_FRAME = 1024 * 1024;

/** Longest time that a message may name, in milliseconds: a day. */
export const MAX_MS = 86_400_000;

/** Longest texts of messages, in characters: a schema refuses more, and who makes one cuts it. */
export const MAX_REASON_CHARS = 200;
/** A refusal's sentence, and its hint. */
export const MAX_REFUSAL_CHARS = 500;
export const MAX_FIELD_CHARS = 100;

/** Credits that a message may name at most. */
export const MAX_CREDITS = 1_000_000_000;

const milliseconds = z.number().min(0).max(MAX_MS);
const tokens = z.int().min(0).max(10_000_000);
const rate = z.number().min(0).max(1_000_000);
const tier = z.enum(TIERS);
const text = z.string().max(MAX_INFERENCE_FRAME);

/** A worker's state: sent every 10 s and when it changes. */
const statusSchema = evidence('status', {
  /** Counts up from 0 in each process; an older one is ignored. */
  seq: z.int().min(0),
  /** False: the worker takes no requests now; `reason` says why. */
  ready: z.boolean(),
  reason: z.string().max(MAX_REASON_CHARS).optional(),
  health: z.strictObject({
    score: z.number().min(0).max(100),
    state: z.enum(HEALTH_STATES),
    /** Percent of the queue that is open now. */
    capacity: z.number().min(0).max(100),
  }),
  queue: z.strictObject({
    waiting: z.int().min(0),
    running: z.int().min(0),
    /** Requests decoded together. */
    parallel: z.int().min(0).max(10_000),
    /** Requests that may wait. */
    capacity: z.int().min(0),
  }),
  /** Moving average of time per request, absent until one was served. */
  avgMs: milliseconds.optional(),
  /** Moving average of generated tokens per second of one request. */
  tokensPerSecond: rate.optional(),
  points: z.int().min(0),
  tier,
  models: boundedArray(servedModelSchema, MAX_SERVED_MODELS),
});
export type Status = z.infer<typeof statusSchema>;

/**
 * The fields of the contract's request that this version carries, by name: what the contract is given later does not
 * reach peers by itself, who would take it for an offence. A worker gets it by a cap (docs/protocol.md, section 12).
 */
const { temperature, topP, topK, repeatPenalty, seed, stop, jsonSchema, topLogprobs } = samplingFields;
const { tools, toolChoice } = toolFields;
/** The answer is to be chosen so that others can choose it again, and to come with evidence and a {@link claimSchema claim}. */
const verified = z.boolean();
const paramsSchema = z
  .strictObject({
    ...{ temperature, topP, topK, repeatPenalty, seed, stop, jsonSchema, topLogprobs, tools, toolChoice, verified },
  })
  .partial();
const turnSchema = messageSchema.pick({ role: true, content: true, toolCalls: true, toolCallId: true });
const askedSchema = z.union([
  z.strictObject({ messages: boundedArray(turnSchema, MAX_MESSAGES, 1) }),
  z.strictObject({ prompt: promptTextSchema }),
]);

/** What is asked. Signed by the client and meant for one worker, so that no other can claim to have been asked. */
export const promptSchema = evidence('prompt', {
  requestId: requestIdSchema,
  worker: nodeIdSchema,
  /** Any model of the worker when absent. */
  model: modelNameSchema.optional(),
  input: askedSchema,
  params: paramsSchema,
  maxTokens: maxTokensSchema,
  /** Milliseconds from arrival at the worker until it may give up. */
  deadlineMs: z.int().min(1).max(MAX_MS),
  /** What others let the client have of what the worker owes them, or say for it. */
  vouchers: boundedArray(voucherSchema, MAX_VOUCHERS).optional(),
});
export type Prompt = z.infer<typeof promptSchema>;

/** Where a waiting request stands. Sent when it is queued and when its position changes. */
const queueStatusSchema = plain('queue-status', {
  requestId: requestIdSchema,
  /** Requests ahead of this one. */
  position: z.int().min(0),
  etaMs: milliseconds,
  tier,
  /** Where the credits for it come from. */
  funds: z.enum(FUNDS),
});
export type QueueStatus = z.infer<typeof queueStatusSchema>;

const probability = {
  token: z.string().max(1_024),
  bytes: boundedArray(z.int().min(0).max(255), 1_024),
  logprob: z.number().max(0),
};

export const chunkSchema = plain('chunk', {
  requestId: requestIdSchema,
  /** 0, 1, 2, …: a gap is a protocol error. */
  seq: z.int().min(0),
  text,
  tokens,
  logprobs: boundedArray(
    z.strictObject({ ...probability, top: boundedArray(z.strictObject(probability), MAX_TOP_LOGPROBS) }),
    1_024,
  ).optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

/** How the tokens of an answer came about, in their order, before its end; only where `verified` was asked for. */
const evidenceMessageSchema = plain('evidence', {
  requestId: requestIdSchema,
  /** Place of the first of them: 0, then as many as there were before. */
  start: z.int().min(0).max(MAX_EVIDENCE),
  tokens: boundedArray(toldTokenSchema, EVIDENCE_PIECE, 1),
});
export type EvidenceMessage = z.infer<typeof evidenceMessageSchema>;

/** The end of an answer. The text is in the chunks; `receipt.body.resultHash` seals it. */
const inferenceResultSchema = plain('inference_result', {
  requestId: requestIdSchema,
  finish: z.enum(['stop', 'length']),
  promptTokens: tokens,
  cachedTokens: tokens,
  completionTokens: tokens,
  /** Time in the worker's queue and waiting for a sequence. */
  queuedMs: milliseconds,
  firstTokenMs: milliseconds,
  totalMs: milliseconds,
  tokensPerSecond: rate,
  receipt: workerReceiptSchema,
  /** Where evidence came before. */
  claim: claimSchema.optional(),
});
export type InferenceResult = z.infer<typeof inferenceResultSchema>;

/** Codes that may cross the wire, and what each means to the client: see docs/protocol.md. */
export const REFUSAL_CODES = [
  'BAD_REQUEST',
  'CANCELLED',
  'CONTEXT_TOO_LONG',
  'DEADLINE',
  'ENGINE_CRASHED',
  'ENGINE_UNAVAILABLE',
  'INTERNAL',
  'MODEL_NOT_FOUND',
  'NO_CREDIT',
  'NOT_RUNNING',
  'OUT_OF_MEMORY',
  'OVERLOADED',
  'QUEUE_FULL',
  'RATE_LIMIT',
] as const;

const inferenceErrorSchema = plain('inference_error', {
  requestId: requestIdSchema,
  code: z.enum(REFUSAL_CODES),
  message: z.string().max(MAX_REFUSAL_CHARS),
  hint: z.string().max(MAX_REFUSAL_CHARS).optional(),
  /** The same two by their keys, where they are sentences of Quarry: for people who read another language. */
  said: z.strictObject({ message: toldByKeySchema, hint: toldByKeySchema }).partial().optional(),
  /** Whether another worker, or this one later, may serve the same request. */
  retry: z.boolean(),
  retryAfterMs: milliseconds.optional(),
  field: z.string().max(MAX_FIELD_CHARS).optional(),
});
export type InferenceError = z.infer<typeof inferenceErrorSchema>;

const cancelSchema = plain('cancel', { requestId: requestIdSchema });

/** From the client: its signature for what the answer has cost so far. It replaces every smaller one. */
const pledgeSchema = plain('pledge', {
  requestId: requestIdSchema,
  credits: creditsSchema,
  sig: signatureSchema,
});
export type PledgeMessage = z.infer<typeof pledgeSchema>;

/** From a worker: what a client may expect of it. Sent after hello, and when it changes. */
const termsSchema = plain('terms', {
  /** Credits that it owes the client. */
  owed: z.int().min(0).max(MAX_CREDITS),
  /** Credits that it would give to the client's network now. */
  gift: z.number().min(0).max(MAX_CREDITS),
  salt: randomIdSchema,
  /** Whose vouchers it takes: of each the first 8 bytes of SHA-256 over the salt and the id. */
  voices: boundedArray(z.string().regex(hexPattern(8)), MAX_VOICES),
});
export type TermsMessage = z.infer<typeof termsSchema>;

/** To whom this node has served: asks for a voucher to a worker. */
const vouchSchema = plain('vouch', {
  /** Names the answer. */
  requestId: requestIdSchema,
  kind: voucherKindSchema,
  worker: nodeIdSchema,
  credits: creditsSchema,
});
export type VouchMessage = z.infer<typeof vouchSchema>;

/** The answer: a voucher, or why there is none. */
const voucherMessageSchema = plain('voucher', {
  requestId: requestIdSchema,
  voucher: voucherSchema.optional(),
  refused: z.string().max(MAX_REASON_CHARS).optional(),
});
export type VoucherMessage = z.infer<typeof voucherMessageSchema>;

/** From the client: the receipt with both signatures. It carries its own evidence. */
const signedReceiptSchema = plain('receipt', { status: z.literal('signed'), receipt: receiptSchema });
/** From the worker: it has the receipt, durably; or will never book it, and why. */
const bookedReceiptSchema = plain('receipt', {
  status: z.enum(['booked', 'void']),
  requestId: requestIdSchema,
  reason: z.string().max(MAX_REASON_CHARS).optional(),
});
const receiptMessageSchema = z.discriminatedUnion('status', [signedReceiptSchema, bookedReceiptSchema]);
export type ReceiptMessage = z.infer<typeof receiptMessageSchema>;

/** Every message of the inference network after hello. */
export const inferenceMessageSchema = z.discriminatedUnion('type', [
  statusSchema,
  promptSchema,
  queueStatusSchema,
  chunkSchema,
  evidenceMessageSchema,
  inferenceResultSchema,
  inferenceErrorSchema,
  cancelSchema,
  pledgeSchema,
  termsSchema,
  vouchSchema,
  voucherMessageSchema,
  receiptMessageSchema,
  clipQuestionSchema,
  clipPieceSchema,
  clipEndSchema,
]);
export type InferenceMessage = z.infer<typeof inferenceMessageSchema>;

/** Clients ask, workers answer. The name is part of the protocol: another name is another network. */
export const INFERENCE_NETWORK = {
  name: 'qmesh-inference-v2',
  schema: inferenceMessageSchema,
  maxFrame: MAX_INFERENCE_FRAME,
} as const;

/** SHA-256 of a text's UTF-8, 64 hex: both sides of a receipt compare it. */
export function hashText(text: string): string {
  return sha256(text).toString('hex');
}

/** Length of what is asked, in UTF-16 code units, without the template's own text: of tools and their calls, as JSON. */
export function inputLength({ input, tools }: Pick<GenerateRequest, 'input' | 'tools'>): number {
  if ('prompt' in input) return input.prompt.length;
  const asJson = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  const messages = input.messages.map(({ content, toolCalls }) => content.length + asJson(toolCalls));
  return messages.reduce((sum, length) => sum + length, asJson(tools));
}
