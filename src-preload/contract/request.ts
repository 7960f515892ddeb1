import { z } from 'zod';
import { boundedArray, boundedRecord } from './bounded.ts';
import {
  MAX_ANSWER_TOKENS,
  MAX_ARGUMENTS_CHARS,
  MAX_ASKED_TEMPERATURE,
  MAX_BIASED_TOKENS,
  MAX_CALL_ID_CHARS,
  MAX_LOGIT_BIAS,
  MAX_MESSAGES,
  MAX_MODEL_NAME_CHARS,
  MAX_REPEAT_PENALTY,
  MAX_REQUEST_BYTES,
  MAX_SAID_PENALTY,
  MAX_SCHEMA_LEVELS,
  MAX_SCHEMA_VALUES,
  MAX_SEED,
  MAX_STOP_CHARS,
  MAX_STOPS,
  MAX_TEMPERATURE,
  MAX_TEXT_CHARS,
  MAX_TOKEN_DIGITS,
  MAX_TOOL_CALLS,
  MAX_TOOL_LEVELS,
  MAX_TOOL_TEXT_CHARS,
  MAX_TOOLS,
  MAX_TOP_K,
  MAX_TOP_LOGPROBS,
} from './limits.ts';

/**
 * What a model may be asked: one shape for every door that a question comes in by (OpenAI API, contract, conversations,
 * command line) and for everybody who may answer it (this machine, a remote server, the mesh). The doors have names of
 * their own for these fields and leave some out; what they let in is within these limits, and so is what the next one takes
 * (docs/decisions/0011-one-request-shape.md).
 */

/** Half a character, as a cut through an emoji leaves it, is U+FFFD from here on: what is not Unicode cannot be signed. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((value) => value.toWellFormed());
const filled = (max: number) => text(max).min(1, 'must not be empty');

export const textSchema = text(MAX_TEXT_CHARS);

/** Name of a model in a request. */
export const modelNameSchema = filled(MAX_MODEL_NAME_CHARS);

/** Names of tools, as at OpenAI: nothing in one can be taken for the end of it. */
export const toolNameSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const callIdSchema = filled(MAX_CALL_ID_CHARS);

/** A model wants a tool to be called. Who offered the tool calls it, or does not. */
export const toolCallSchema = z.strictObject({
  /** Names the call, so that its result can be told from others. */
  id: callIdSchema,
  name: toolNameSchema,
  /** As JSON, an object. What a model writes is checked against what the tool takes; what a client sends back, not again. */
  arguments: text(MAX_ARGUMENTS_CHARS),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One turn of a conversation. */
export const messageSchema = z.strictObject({
  /** `tool`: what came of a call. */
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: textSchema,
  /** Of an assistant: what it wanted to be called after it said this. */
  toolCalls: boundedArray(toolCallSchema, MAX_TOOL_CALLS, 1).optional(),
  /** Of a tool's message: which call this is the result of. */
  toolCallId: callIdSchema.optional(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

export const messagesSchema = boundedArray(messageSchema, MAX_MESSAGES, 1);
export const promptTextSchema = filled(MAX_TEXT_CHARS);

/** A conversation (rendered with the model's own chat template) or a raw prompt (used as it is). */
export const inputSchema = z.union([
  z.strictObject({ messages: messagesSchema }),
  z.strictObject({ prompt: promptTextSchema }),
]);
export type GenerateInput = z.infer<typeof inputSchema>;

export const stopSchema = filled(MAX_STOP_CHARS);

/** A JSON schema of so many levels at most. */
function smallSchema(levels: number) {
  return z.preprocess(
    (schema: Record<string, unknown>, context) => {
      if (isSmallJson(schema, levels)) return schema;
      const message = `must be JSON of at most ${MAX_SCHEMA_VALUES} keys and entries that nests at most ${levels} levels`;
      context.issues.push({ code: 'custom', message, input: undefined });
      return z.NEVER;
    },
    z.record(z.string().max(1_000), z.unknown()),
  );
}

/** What the model may ask to be called: by name, with what it does and what it takes. */
export const toolSchema = z.strictObject({
  name: toolNameSchema,
  description: text(MAX_TOOL_TEXT_CHARS).optional(),
  /** JSON schema of an object. Default: it takes nothing. */
  parameters: smallSchema(MAX_TOOL_LEVELS).optional(),
});
export type Tool = z.infer<typeof toolSchema>;

/** What a model may call, each field with its limits, not optional yet. */
export const toolFields = {
  tools: boundedArray(toolSchema, MAX_TOOLS),
  /**
   * `auto`: the model decides. `none`: it is told of no tools. `required`: it calls one, and says nothing else. A name: it calls this
   * one. Default `auto`.
   */
  toolChoice: z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ name: toolNameSchema })]),
};

/** A token by its number in the model's vocabulary, as a key. */
const tokenNumber = z.string().regex(new RegExp(`^(0|[1-9][0-9]{0,${MAX_TOKEN_DIGITS - 1}})$`));
const saidPenalty = z.number().min(-MAX_SAID_PENALTY).max(MAX_SAID_PENALTY);

/** What people and programs ask for; of the two limits together the wider one would be told. */
export const askedTemperature = z.number().min(0).max(MAX_ASKED_TEMPERATURE);

/** How an answer is made: each field with its limits, not optional yet. */
export const samplingFields = {
  /** 0 is greedy: always the likeliest token. Default {@link DEFAULTS}, as for all that follow. */
  temperature: z.number().min(0).max(MAX_TEMPERATURE),
  /** Nucleus sampling, 0–1. */
  topP: z.number().min(0).max(1),
  /** 0 switches it off. */
  topK: z.int().min(0).max(MAX_TOP_K),
  /** Makes what was said lately less likely; 1 is off. */
  repeatPenalty: z.number().positive().max(MAX_REPEAT_PENALTY),
  /** Taken off a token's logit for each time that the answer has said it. 0 is off. Not over the mesh, as the two that follow. */
  frequencyPenalty: saidPenalty,
  /** Taken off a token's logit once the answer has said it. 0 is off. */
  presencePenalty: saidPenalty,
  /** Added to the logits of tokens, before anything is chosen among them: −100 bans one, 100 forces it. Default: nothing. */
  logitBias: boundedRecord(tokenNumber, z.number().min(-MAX_LOGIT_BIAS).max(MAX_LOGIT_BIAS), MAX_BIASED_TOKENS),
  /** Default: random. With the same seed and an idle engine the same text comes back. */
  seed: z.int().min(0).max(MAX_SEED),
  /** Generation ends before the first of these; they are not part of the text. */
  stop: boundedArray(stopSchema, MAX_STOPS),
  /** The output is constrained to this JSON schema. */
  jsonSchema: smallSchema(MAX_SCHEMA_LEVELS),
  /** Report the log-probability of every chosen token and of the K likeliest. Default: none reported. */
  topLogprobs: z.int().min(0).max(MAX_TOP_LOGPROBS),
};

/** Most tokens to generate. By default those of {@link DEFAULTS}, and never more than the context has room for. */
export const maxTokensSchema = z.int().min(1).max(MAX_ANSWER_TOKENS);

export const samplingSchema = z.strictObject({ ...samplingFields, ...toolFields }).partial();

/** The whole of it. */
export const requestSchema = z.strictObject({
  input: inputSchema,
  maxTokens: maxTokensSchema.optional(),
  ...samplingSchema.shape,
});
export type GenerateRequest = z.infer<typeof requestSchema>;

/** Whether a request is small enough for whoever answers. @param most bytes. Default: for all who may, {@link MAX_REQUEST_BYTES} */
export function fitsAll(request: GenerateRequest, most = MAX_REQUEST_BYTES): boolean {
  // What says far too much is not even written out: it may say one text a thousand times.
  if (charsOf(request.input) > most) return false;
  const json = JSON.stringify(request);
  // A UTF-16 code unit takes at most three bytes.
  return json.length * 3 <= most || new TextEncoder().encode(json).length <= most;
}

function charsOf(input: GenerateInput): number {
  return 'prompt' in input ? input.prompt.length : input.messages.reduce((sum, { content }) => sum + content.length, 0);
}

/** Whether it is JSON within the limits of a schema. Never looks deeper or further than they allow: it may be a stranger's. */
function isSmallJson(schema: unknown, most: number): boolean {
  let values = 0;
  const isJson = (value: unknown, levels: number): boolean => {
    if (value === undefined || value === null || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value === 'string') return value.isWellFormed();
    if (typeof value !== 'object' || levels === 0) return false;
    if (Array.isArray(value)) {
      values += value.length;
      return values <= MAX_SCHEMA_VALUES && value.every((each) => isJson(each, levels - 1));
    }
    for (const key in value) {
      if (++values > MAX_SCHEMA_VALUES || !key.isWellFormed()) return false;
      if (!isJson((value as Record<string, unknown>)[key], levels - 1)) return false;
    }
    return true;
  };
  return isJson(schema, most);
}
