import { z } from 'zod';
import { boundedArray } from '../../src-preload/contract/bounded.ts';
import { DEFAULTS } from '../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import {
  MAX_ANSWER_TOKENS,
  MAX_LONG_REQUEST_BYTES,
  MAX_MESSAGES,
  MAX_REQUEST_BYTES,
} from '../../src-preload/contract/limits.ts';
import {
  fitsAll,
  type GenerateRequest,
  messageSchema,
  promptTextSchema,
  requestSchema,
  text,
} from '../../src-preload/contract/request.ts';
import { type Saying, say, type Words } from '../../src-preload/contract/saying.ts';
import { valueFault } from '../base/value-fault.ts';
import type { ProbeRequest } from './backend.ts';

// What backends accept: the one request shape of the contract, and what only backends are asked (scores, vectors).

/** Texts of one request for embeddings: OpenAI’s limit. */
export const MAX_EMBED_INPUTS = 2048;

const longText = text(MAX_LONG_REQUEST_BYTES);

/** Texts as long as the longest context takes: doors let in less. A raw prompt may be empty here: the likelihood of a text's own beginning is asked for so. */
export const backendInputSchema = z.union([
  z.strictObject({ messages: boundedArray(messageSchema.extend({ content: longText }), MAX_MESSAGES, 1) }),
  z.strictObject({ prompt: longText }),
]);

export const generateSchema = requestSchema.extend({ input: backendInputSchema });

export const scoreSchema = z.strictObject({
  input: backendInputSchema,
  continuation: z.union([promptTextSchema, boundedArray(z.int().min(0), MAX_ANSWER_TOKENS, 1)]),
  topK: z.int().min(0).max(100).optional(),
});

/** Tokens of a probe, at the most: what it goes on from, and what it goes on with. */
export const MAX_PROBE_TOKENS = 4_096;

const tokenIds = boundedArray(z.int().min(0), MAX_PROBE_TOKENS, 1);

export const probeSchema = z.strictObject({
  prompt: tokenIds,
  length: z.int().min(1).max(MAX_PROBE_TOKENS),
  captureAt: z.int().min(1).max(MAX_PROBE_TOKENS),
  said: tokenIds.optional(),
});

/** Path of an adapter's file, absolute from the host on: the engine may stand in another folder. */
export const adapterSchema = z
  .string()
  .max(4_096)
  .regex(/^[^\0]+$/);

export const embedSchema = boundedArray(promptTextSchema, MAX_EMBED_INPUTS, 1);

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
  throw badField(field, issue ? valueFault(issue) : say('value.shape'));
}

/** The probe, if it is one. @throws BAD_REQUEST naming the field */
export function checkProbe(value: ProbeRequest): z.infer<typeof probeSchema> {
  const request = checkRequest(probeSchema, value);
  const { length, captureAt, said } = request;
  if (captureAt > length) throw badField('captureAt', say('engine.probeStep', { length }));
  if (said && said.length !== length) throw badField('said', say('engine.probeSaid', { length }));
  return request;
}

/**
 * The request, if anybody could answer it, here or on the mesh. Its door asks, before anything is loaded for it, and so does
 * whoever answers: milliseconds for the largest there is.
 * @param most bytes of its JSON. Default: what any door lets in
 * @throws BAD_REQUEST naming the field; CONTEXT_TOO_LONG when it is too large as a whole
 */
export function checkGenerate(value: GenerateRequest, most = MAX_REQUEST_BYTES): GenerateRequest {
  const request = checkRequest(generateSchema, value);
  checkTools(request);
  checkSize(request, most);
  return request;
}

/** The same for an engine or a server, which this node's own work may ask more than a door lets in. @throws as {@link checkGenerate} */
export const checkLongGenerate = (value: GenerateRequest): GenerateRequest =>
  checkGenerate(value, MAX_LONG_REQUEST_BYTES);

/** What a schema cannot say: who speaks of calls, and whether what has to be called is there. */
function checkTools({ input, tools = [], toolChoice }: GenerateRequest): void {
  const messages = 'messages' in input ? input.messages : [];
  for (const [at, { role, toolCalls, toolCallId }] of messages.entries()) {
    const name = `input.messages.${at}`;
    if (toolCalls && role !== 'assistant') throw wrongTool(`${name}.toolCalls`, say('engine.onlyAssistantCalls'));
    if ((role === 'tool') !== (toolCallId !== undefined))
      throw wrongTool(`${name}.toolCallId`, say('engine.ofWhichCall'));
  }
  const wanted = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  if (wanted === undefined && toolChoice !== 'required') return;
  if (tools.length === 0) throw wrongTool('toolChoice', say('engine.noTools'));
  if (wanted !== undefined && !tools.some(({ name }) => name === wanted)) {
    throw wrongTool('toolChoice', say('engine.noSuchTool'));
  }
}

function wrongTool(field: string, why: Saying): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('engine.badField', { field, why }), field });
}

function checkSize(request: GenerateRequest, most: number): void {
  if (fitsAll(request, most)) return;
  throw new QuarryError({
    code: 'CONTEXT_TOO_LONG',
    message: say('engine.tooLarge', { most }),
    hint: say('engine.shorter'),
    field: 'messages' in request.input ? 'input.messages' : 'input.prompt',
  });
}

/** Tokens of an answer that is to be chosen again, at the most: of each, what the likeliest were is kept until it is told. */
export const MAX_VERIFIED_TOKENS = 16_384;

/** What changes logits in ways that only a backend of this node, or a server that it asks, has: neither the mesh's messages nor verified choices know them. */
export const LOGIT_SHIFTS = ['logitBias', 'frequencyPenalty', 'presencePenalty'] as const;

/** Whether others could choose the answer's tokens again, given a seed: not where tools, a schema or a bias have a say in it, nor where it may be very long. */
export function canBeVerified(request: GenerateRequest): boolean {
  return whyNotVerified(request) === undefined;
}

/** @throws BAD_REQUEST where nobody could choose the answer's tokens again */
export function checkVerifiable(request: GenerateRequest): void {
  if (request.seed === undefined) throw badField('seed', say('engine.verifiedSeed'));
  const field = whyNotVerified(request);
  if (field === 'maxTokens') throw badField(field, say('engine.verifiedLong', { most: MAX_VERIFIED_TOKENS }));
  if (field) throw badField(field, say('engine.verifiedFree'));
}

function whyNotVerified(request: GenerateRequest) {
  const { jsonSchema, tools = [], maxTokens = DEFAULTS.maxTokens } = request;
  if (jsonSchema !== undefined) return 'jsonSchema';
  if (tools.length > 0) return 'tools';
  const shift = LOGIT_SHIFTS.find((field) => request[field] !== undefined);
  if (shift) return shift;
  return maxTokens > MAX_VERIFIED_TOKENS ? 'maxTokens' : undefined;
}

/** That a field of a request is not what the engine takes. */
export function badField(field: string, why: Words): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('engine.badField', { field, why }), field });
}
