import { z } from 'zod';
import { boundedArray, boundedRecord } from '../../../../src-preload/contract/bounded.ts';
import { MAX_TOOLS } from '../../../../src-preload/contract/limits.ts';
import {
  type ChatMessage,
  type GenerateRequest,
  maxTokensSchema,
  samplingFields,
  textSchema,
  toolSchema,
} from '../../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../../inference/request-schema.ts';
import { commonFields, jsonSchemaOf, OTHERWISE, optional, samplingOf } from '../fields.ts';
import { functionFields, toolChoice, toolsOf } from '../tools.ts';
import { inputSchema } from './items.ts';

/** POST /v1/responses: https://platform.openai.com/docs/api-reference/responses/create */

const MAX_METADATA = 16;
const MAX_METADATA_KEY = 64;
const MAX_METADATA_CHARS = 512;

const functionSchema = z.object({
  type: z.literal('function', 'is no function: Quarry has no tools of its own, and calls none'),
  ...functionFields,
  strict: optional(z.boolean()),
});

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().max(64),
    description: optional(z.string()),
    schema: samplingFields.jsonSchema,
    strict: optional(z.boolean()),
  }),
]);

export const responseSchema = z.object({
  ...commonFields,
  input: inputSchema,
  instructions: optional(textSchema),
  previous_response_id: optional(z.string().max(100)),
  max_output_tokens: optional(maxTokensSchema),
  text: optional(z.object({ format: optional(formatSchema) })),
  tools: optional(boundedArray(functionSchema, MAX_TOOLS)),
  tool_choice: toolChoice(z.object({ type: z.literal('function'), name: toolSchema.shape.name })),
  parallel_tool_calls: optional(z.boolean()),
  include: optional(boundedArray(z.string().max(100), 32)),
  top_logprobs: optional(samplingFields.topLogprobs),
  /** Whether the response is kept, here for who goes on from it, and to learn from. */
  store: optional(z.boolean()),
  metadata: optional(boundedRecord(z.string().max(MAX_METADATA_KEY), z.string().max(MAX_METADATA_CHARS), MAX_METADATA)),
});

export type ResponseBody = z.infer<typeof responseSchema>;

/** What would change the answer and is not there, with the values that ask for nothing. */
export const UNSUPPORTED_HERE: Record<string, readonly unknown[]> = {
  background: [false],
  conversation: [],
  prompt: [],
};

/** Fields of chats and of other servers, with what does here what they do there. */
export const IN_PLACE_HERE: Readonly<Record<string, string>> = {
  ...OTHERWISE,
  format: 'text.format',
  grammar: 'text.format with a JSON schema',
  guided_json: 'text.format with a JSON schema',
  max_completion_tokens: 'max_output_tokens',
  max_tokens: 'max_output_tokens',
  response_format: 'text.format',
};

const LOGPROBS = 'message.output_text.logprobs';

/** @throws CONTEXT_TOO_LONG when it is larger than any request may be */
export function responseRequest(body: ResponseBody, messages: ChatMessage[]): GenerateRequest {
  const { include = [], top_logprobs, tools, tool_choice } = body;
  return checkGenerate({
    input: { messages },
    maxTokens: body.max_output_tokens,
    ...samplingOf(body),
    jsonSchema: jsonSchemaOf(body.text?.format),
    topLogprobs: top_logprobs ?? (include.includes(LOGPROBS) ? 0 : undefined),
    tools: toolsOf(tools),
    toolChoice: typeof tool_choice === 'object' ? { name: tool_choice.name } : tool_choice,
  });
}

/** Our names of fields as errors have them, and what they are called here. */
const PARAMS: Record<string, string> = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  response_format: 'text.format',
};

export function ownParam(param: string | null): string | null {
  if (param === null) return null;
  const named = param
    .replace(/^response_format\.json_schema\b/, 'text.format')
    .replace(/^messages(?=\[)/, 'input')
    .replace(/^(tools\[\d+\])\.function\b/, '$1');
  return PARAMS[named] ?? named;
}

/** What an error says of the field `param`, by its name here. */
export function ownMessage(message: string, param: string | null): string {
  return param === null ? message : message.replaceAll(`«${param}»`, `«${ownParam(param)}»`);
}
