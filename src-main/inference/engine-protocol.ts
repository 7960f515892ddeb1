import { z } from 'zod';
import { decodeCostsSchema } from '../../src-preload/contract/decode-cost.ts';
import { draftCostsSchema, draftRatesSchema } from '../../src-preload/contract/drafting.ts';
import { ERROR_CODES } from '../../src-preload/contract/errors.ts';
import { KV_CACHE_TYPES } from '../../src-preload/contract/long-context.ts';
import { saidSchema } from '../../src-preload/contract/saying-schema.ts';
import { TOOL_STYLES } from './backend.ts';
import { readEvidenceSchema, tokenEvidenceSchema } from './evidence.ts';
import {
  adapterSchema,
  backendInputSchema,
  embedSchema,
  generateSchema,
  probeSchema,
  scoreSchema,
} from './request-schema.ts';
import { ropeSchema } from './rope.ts';

/** Tokens in one batch, as in llama.cpp's own programs: what the buffers for computing have room for. */
export const BATCH_TOKENS = 512;
/** Positions of one sequence whose logits one batch keeps: 64 × 150,000 tokens × 4 bytes are 38 MB. */
export const MAX_OUTPUTS = 64;
/** Longest text that is made into a vector, in tokens: it is one batch, whose buffers grow with it. */
export const TEXT_TOKENS = 2_048;

/**
 * What the host and its engine child say to each other, as JSON over the child's IPC channel. The child loads one model
 * for its life. Each request is answered by `started`, then its results, then exactly one `done` or `failed`, unless
 * the host cancelled it: then by nothing more.
 */
const id = z.int().nonnegative();
/** See `GenerateOptions`. */
const askedAt = z.int().nonnegative().optional();

/** A smaller model that guesses what the model says next. */
const draftOptionsSchema = z.strictObject({ path: z.string(), name: z.string() });
export type DraftOptions = z.infer<typeof draftOptionsSchema>;

const loadOptionsSchema = z.strictObject({
  modelPath: z.string(),
  name: z.string(),
  tiny: z.boolean(),
  /** -1: as many as fit; 0: none, the GPU is left alone. */
  gpuLayers: z.int().min(-1),
  /** Bytes of GPU memory that stay free where the layers are chosen. Default: what node-llama-cpp leaves. */
  vramReserve: z.int().min(0).optional(),
  /** Default: physical cores − 1, at least 1. */
  threads: z.int().min(1).optional(),
  /** Most tokens a request may use; less where memory is short. */
  contextSize: z.int().min(1),
  /** Most requests decoded together; fewer where memory is short. */
  parallel: z.int().min(1),
  kvCache: z.enum(KV_CACHE_TYPES),
  /** Default: positions as the file has them. */
  rope: ropeSchema.optional(),
  /** Default: nobody guesses. */
  draft: draftOptionsSchema.optional(),
});
export type LoadOptions = z.infer<typeof loadOptionsSchema>;

const keepPromptsSchema = z.strictObject({
  folder: z.string(),
  /** Bytes. */
  most: z.int().min(1),
  /** SHA-256 of the loaded model's file. */
  model: z.hash('sha256'),
});

export const hostMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('load'), options: loadOptionsSchema }),
  z.strictObject({ type: z.literal('gpus') }),
  /** Answered at once, whatever is computed. */
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({
    type: z.literal('generate'),
    id,
    request: generateSchema,
    adapter: adapterSchema.optional(),
    tokenIds: z.boolean().optional(),
    fresh: z.boolean().optional(),
    verified: z.boolean().optional(),
    asker: z.string().max(200).optional(),
    keepPrompt: z.boolean().optional(),
    askedAt,
  }),
  z.strictObject({
    type: z.literal('score'),
    id,
    request: scoreSchema,
    adapter: adapterSchema.optional(),
    fresh: z.boolean().optional(),
    askedAt,
  }),
  z.strictObject({ type: z.literal('probe'), id, request: probeSchema, evidence: z.boolean() }),
  z.strictObject({ type: z.literal('embed'), id, inputs: embedSchema }),
  z.strictObject({ type: z.literal('tokenize'), id, input: backendInputSchema, askedAt }),
  z.strictObject({ type: z.literal('count'), id, input: backendInputSchema }),
  z.strictObject({ type: z.literal('devices'), id }),
  z.strictObject({ type: z.literal('decode-costs'), id }),
  z.strictObject({ type: z.literal('draft-costs'), id }),
  z.strictObject({ type: z.literal('cancel'), id }),
  /** What was measured before: see `MachineEngine.useDecodeCosts`. */
  z.strictObject({ type: z.literal('use-costs'), costs: decodeCostsSchema }),
  /** From now on instructions are kept on the disk, and looked for there, of requests that say so. */
  z.strictObject({ type: z.literal('keep-prompts'), options: keepPromptsSchema }),
  /** The same of the draft model, and how good its guesses were before. */
  z.strictObject({
    type: z.literal('use-draft-costs'),
    costs: draftCostsSchema,
    rates: draftRatesSchema.optional(),
  }),
  /** Share of its time that the engine may compute. */
  z.strictObject({ type: z.literal('speed'), share: z.number().min(0.01).max(1) }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

/** A request without its id: the host gives it one. */
export type HostRequest =
  | Omit<Extract<HostMessage, { type: 'generate' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'score' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'probe' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'embed' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'tokenize' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'count' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'devices' }>, 'id'>
  | Omit<Extract<HostMessage, { type: 'decode-costs' | 'draft-costs' }>, 'id'>;

const tokenProbability = { token: z.string(), id: z.int().optional(), bytes: z.array(z.int()), logprob: z.number() };
const tokenLogprobs = z.strictObject({ ...tokenProbability, top: z.array(z.strictObject(tokenProbability)) });

const generated = z.strictObject({
  finish: z.enum(['stop', 'length']),
  promptTokens: z.int(),
  cachedTokens: z.int(),
  completionTokens: z.int(),
  /** Milliseconds since the child got the request. */
  queuedMs: z.number(),
  firstTokenMs: z.number(),
  totalMs: z.number(),
});
export type Generated = z.infer<typeof generated>;

const gpu = z.strictObject({
  name: z.string(),
  backend: z.string(),
  vramTotal: z.number(),
  vramFree: z.number(),
  devices: z.array(z.string()).max(64).optional(),
  software: z.literal(true).optional(),
});

const result = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('generate'),
    generated,
    tokenIds: z.array(z.int()).optional(),
    evidence: z.array(tokenEvidenceSchema).optional(),
  }),
  z.strictObject({ kind: z.literal('score'), tokens: z.array(tokenLogprobs) }),
  z.strictObject({
    kind: z.literal('probe'),
    tokens: z.array(z.int()),
    /** Base64 of 32-bit floats, little-endian. */
    logits: z.base64(),
    evidence: z.array(readEvidenceSchema),
  }),
  z.strictObject({ kind: z.literal('embed'), vectors: z.array(z.array(z.number())), promptTokens: z.int() }),
  z.strictObject({ kind: z.literal('tokenize'), tokens: z.array(z.int()) }),
  z.strictObject({ kind: z.literal('count'), tokens: z.int() }),
  z.strictObject({ kind: z.literal('devices'), gpus: z.array(gpu) }),
  /** Empty: requests came. */
  z.strictObject({ kind: z.literal('decode-costs'), costs: decodeCostsSchema }),
  z.strictObject({ kind: z.literal('draft-costs'), costs: draftCostsSchema }),
]);
export type EngineResult = z.infer<typeof result>;

const errorData = z.strictObject({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().optional(),
  field: z.string().optional(),
  said: saidSchema,
});

const requestEvent = z.discriminatedUnion('type', [
  /** From here on the request has touched llama.cpp. */
  z.strictObject({ type: z.literal('started'), id }),
  z.strictObject({
    type: z.literal('chunk'),
    id,
    text: z.string(),
    tokens: z.int(),
    logprobs: z.array(tokenLogprobs).optional(),
  }),
  z.strictObject({ type: z.literal('done'), id, result }),
  z.strictObject({ type: z.literal('failed'), id, error: errorData }),
]);
export type RequestEvent = z.infer<typeof requestEvent>;

const modelInfo = z.strictObject({
  name: z.string(),
  architecture: z.string().optional(),
  parameters: z.number().optional(),
  quantisation: z.string().optional(),
  contextSize: z.int(),
  parallel: z.int(),
  kvCache: z.enum(KV_CACHE_TYPES),
  rope: ropeSchema.optional(),
  device: z.string(),
  gpuLayers: z.int(),
  threads: z.int(),
  tiny: z.boolean(),
  /** It writes no answers. */
  embedsOnly: z.literal(true).optional(),
  toolStyle: z.enum(TOOL_STYLES).optional(),
  endToken: z.int().optional(),
  unquantised: z.literal(true).optional(),
  vocabulary: z.int().optional(),
  /** Absent where none was asked for. `error`: why it guesses nothing. */
  draft: z.strictObject({ name: z.string(), error: errorData.optional() }).optional(),
});
export type LoadedInfo = z.infer<typeof modelInfo>;

export const childMessageSchema = z.discriminatedUnion('type', [
  /** How much of the model is in memory, 0–1; told at each whole per cent. */
  z.strictObject({ type: z.literal('loading'), progress: z.number().min(0).max(1) }),
  z.strictObject({ type: z.literal('loaded'), info: modelInfo }),
  z.strictObject({ type: z.literal('load-failed'), error: errorData }),
  z.strictObject({ type: z.literal('gpus'), gpus: z.array(gpu) }),
  z.strictObject({ type: z.literal('pong') }),
  /** How good the draft model's guesses were lately, and how many times as fast one answer is written with them; told now and then. */
  z.strictObject({ type: z.literal('drafted'), rates: draftRatesSchema, gain: z.number().min(1) }),
  z.strictObject({ type: z.literal('draft-failed'), error: errorData }),
  /** Of one round of the batch loop, in order. */
  z.strictObject({ type: z.literal('events'), events: z.array(requestEvent) }),
]);
export type ChildMessage = z.infer<typeof childMessageSchema>;
