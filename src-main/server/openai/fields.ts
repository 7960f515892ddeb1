import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  askedTemperature,
  modelNameSchema,
  samplingFields,
  stopSchema,
} from '../../../src-preload/contract/request.ts';
import { ApiError } from '../failures/api-error.ts';

/** What the requests of the OpenAI API have in common: the one request's fields under OpenAI's names, and what we say about wrong ones. */

/** Clients write null for «not set». */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** 0 asks for nothing, as does a bias of no token. */
const saidPenalty = (schema: typeof samplingFields.presencePenalty) =>
  optional(schema).transform((penalty) => penalty || undefined);
const logitBias = optional(samplingFields.logitBias).transform((bias) =>
  bias && Object.keys(bias).length > 0 ? bias : undefined,
);

export const commonFields = {
  model: modelNameSchema,
  temperature: optional(askedTemperature),
  top_p: optional(samplingFields.topP),
  frequency_penalty: saidPenalty(samplingFields.frequencyPenalty),
  presence_penalty: saidPenalty(samplingFields.presencePenalty),
  logit_bias: logitBias,
  // OpenAI takes any integer, the engine 32 bits.
  seed: optional(z.int().transform((seed) => ((seed % 2 ** 32) + 2 ** 32) % 2 ** 32)),
  stop: optional(z.union([stopSchema.transform((stop) => [stop]), samplingFields.stop])),
  stream: optional(z.boolean()),
  stream_options: optional(z.object({ include_usage: optional(z.boolean()) })),
  // Not OpenAI's, but understood by llama-server and vLLM under these names.
  top_k: optional(samplingFields.topK),
  repeat_penalty: optional(samplingFields.repeatPenalty),
  repetition_penalty: optional(samplingFields.repeatPenalty),
};

const jsonSchemaFormat = z.object({
  type: z.literal('json_schema'),
  json_schema: z.object({ schema: samplingFields.jsonSchema }),
});

/** As a JSON schema: undefined for plain text. */
export const responseFormat = optional(
  z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      jsonSchemaFormat,
    ])
    .transform((format) => jsonSchemaOf(format.type === 'json_schema' ? { ...format, ...format.json_schema } : format)),
);

type Format = { type: 'text' | 'json_object' } | { type: 'json_schema'; schema: Record<string, unknown> };

/** What an answer is held to; undefined for plain text. */
export function jsonSchemaOf(format: Format | undefined): Record<string, unknown> | undefined {
  if (format?.type === 'json_schema') return format.schema;
  return format?.type === 'json_object' ? { type: 'object' } : undefined;
}

/** Now, as OpenAI tells times. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export interface CommonFields {
  temperature: number | undefined;
  top_p: number | undefined;
  frequency_penalty: number | undefined;
  presence_penalty: number | undefined;
  logit_bias: Record<string, number> | undefined;
  seed: number | undefined;
  stop: string[] | undefined;
  top_k: number | undefined;
  repeat_penalty: number | undefined;
  repetition_penalty: number | undefined;
}

/** The sampling of a request, under the engine's names. */
export function samplingOf(fields: CommonFields) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    topK: fields.top_k,
    repeatPenalty: fields.repeat_penalty ?? fields.repetition_penalty,
    frequencyPenalty: fields.frequency_penalty,
    presencePenalty: fields.presence_penalty,
    logitBias: fields.logit_bias,
    seed: fields.seed,
    stop: fields.stop,
  };
}

/**
 * Fields that would change the answer and that we cannot honour, each with the values that ask for nothing. Any other
 * unknown field is ignored, as OpenAI's servers ignore `user` or `metadata` in what they generate.
 */
const UNSUPPORTED: Record<string, readonly unknown[]> = {
  audio: [],
  dimensions: [],
  function_call: ['none', 'auto'],
  functions: [[]],
  modalities: [['text']],
  suffix: [''],
  web_search_options: [],
};

/** What does here what such a field is for. */
const INSTEAD: Readonly<Record<string, string>> = {
  conversation: 'previous_response_id',
  function_call: 'tool_choice',
  functions: 'tools',
};

/**
 * Fields by which other servers are told what an answer has to look like or how it is sampled, and what does that here. A program that
 * sends one counts on it, and would not see that it was passed over.
 */
export const OTHERWISE: Readonly<Record<string, string>> = {
  format: 'response_format',
  grammar: 'response_format with a JSON schema',
  guided_json: 'response_format with a JSON schema',
  options: 'fields of the request itself: temperature, top_p, seed, max_tokens and so on',
};

/** @throws ApiError 400 that says what takes the field's place */
function refuseForeign(body: Record<string, unknown>, inPlace: Readonly<Record<string, string>>): void {
  for (const [param, instead] of Object.entries(inPlace)) {
    if (body[param] === undefined || body[param] === null) continue;
    const message = `«${param}» is not a field of this API. In its place, use ${instead}.`;
    throw new ApiError(400, { message, param, code: 'unsupported_value' });
  }
}

/** @throws ApiError 400 that names the first unsupported field */
function refuseUnsupported(body: Record<string, unknown>, unsupported: Record<string, readonly unknown[]>): void {
  for (const [field, harmless] of Object.entries(unsupported)) {
    const value = body[field];
    if (value === undefined || value === null) continue;
    // The value is a stranger's: compared only as far as the harmless one goes.
    if (harmless.some((each) => each === value || isDeepStrictEqual(each, value))) continue;
    const only = harmless.length > 0 ? ` other than ${JSON.stringify(harmless[0])}` : '';
    const instead = INSTEAD[field] ? ` In its place, use ${INSTEAD[field]}.` : '';
    throw new ApiError(400, {
      message: `Quarry does not support «${field}»${only}.${instead}`,
      param: field,
      code: 'unsupported_value',
    });
  }
}

/**
 * The body in the schema's shape.
 * @param unsupported fields that would change the answer, with the values that ask for nothing. Default: those of OpenAI's older endpoints
 * @param inPlace fields of other servers, with what does here what they do there. Default: those of a chat
 * @throws ApiError 400 that names the field at fault
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  unsupported = UNSUPPORTED,
  inPlace = OTHERWISE,
): z.infer<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(400, { message: 'The body has to be a JSON object.' });
  }
  refuseUnsupported(body as Record<string, unknown>, unsupported);
  refuseForeign(body as Record<string, unknown>, inPlace);
  const { data, error } = schema.safeParse(body);
  if (error) throw invalidField(error.issues);
  return data;
}

function invalidField(issues: z.core.$ZodIssue[]): ApiError {
  const issue = deepest(issues);
  const param = paramPath(issue?.path ?? []);
  const missing = issue !== undefined && isMissing(issue);
  const code = missing
    ? 'missing_required_parameter'
    : issue?.code === 'invalid_type'
      ? 'invalid_type'
      : 'invalid_value';
  const message = missing ? `«${param}» is missing.` : `«${param}» is not valid: ${issue?.message ?? 'wrong shape'}.`;
  return new ApiError(400, { message, param, code });
}

function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.includes('received undefined');
}

/** Of a union's branches, the issue that lies deepest says most about what was meant. */
function deepest(issues: z.core.$ZodIssue[], path: PropertyKey[] = []): z.core.$ZodIssue | undefined {
  const [issue] = issues;
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) {
    return issue && { ...issue, path: [...path, ...issue.path] };
  }
  const branches = issue.errors
    .map((branch) => deepest(branch, [...path, ...issue.path]))
    .filter((each) => each !== undefined);
  const inner = branches.reduce((best, each) => (each.path.length > best.path.length ? each : best));
  if (inner.path.length > path.length + issue.path.length) return inner;
  if (branches.every(isMissing)) return inner;
  // All branches fail at the field itself: the one of the right type says why, or else none says more than the field.
  const [rightType, ...others] = branches.filter(({ code }) => code !== 'invalid_type');
  return rightType && others.length === 0 ? rightType : { ...inner, code: 'custom', message: 'wrong type' };
}

/** `messages[0].content`, as OpenAI writes it. */
function paramPath(path: readonly PropertyKey[]): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`)).join('');
}
