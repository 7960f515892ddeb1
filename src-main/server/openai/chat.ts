import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import type { FinishReason, GenerateResult } from '../../../src-preload/contract/inference.ts';
import { MAX_CONTENT_PARTS, MAX_MESSAGES } from '../../../src-preload/contract/limits.ts';
import {
  type ChatMessage,
  type GenerateRequest,
  maxTokensSchema,
  samplingFields,
  textSchema,
  toolCallSchema,
} from '../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import { openAiCall } from '../../inference/tools/openai-form.ts';
import type { AnswerFormat, AnswerPart } from './answer.ts';
import { openAiUsage } from './answer.ts';
import { commonFields, optional, responseFormat, samplingOf } from './fields.ts';
import { chatLogprobs } from './logprobs.ts';
import { madeCallsField, toolChoiceField, toolsField } from './tools.ts';

/** POST /v1/chat/completions: https://platform.openai.com/docs/api-reference/chat/create */

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z.union([
  textSchema,
  boundedArray(textPart, MAX_CONTENT_PARTS, 1)
    .transform((parts) => parts.map(({ text }) => text).join('\n'))
    .pipe(textSchema),
]);
const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), content }),
  // OpenAI's newer name of the system role.
  z.object({ role: z.literal('developer').transform((): 'system' => 'system'), content }),
  // Who calls a tool need say nothing.
  z
    .object({ role: z.literal('assistant'), content: content.nullish(), tool_calls: madeCallsField })
    .refine(saysSomething, {
      path: ['content'],
      message: 'must be a text where there are no tool_calls',
    }),
  z.object({ role: z.literal('tool'), content, tool_call_id: toolCallSchema.shape.id }),
]);

function saysSomething({ content, tool_calls }: { content?: unknown; tool_calls?: unknown }): boolean {
  return typeof content === 'string' || tool_calls !== undefined;
}

/** Parts are counted over all messages before any is read: a thousand parts in each would be a lot of work. */
const messagesSchema = z.preprocess(
  (messages: z.input<typeof messageSchema>[], context) => {
    if (!Array.isArray(messages) || messages.length > MAX_MESSAGES || countParts(messages) <= MAX_CONTENT_PARTS) {
      return messages;
    }
    const message = `must not have more than ${MAX_CONTENT_PARTS} parts in all`;
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  },
  boundedArray(messageSchema, MAX_MESSAGES, 1),
);

function countParts(messages: readonly unknown[]): number {
  return messages.reduce<number>((sum, message) => {
    const { content } = (message ?? {}) as { content?: unknown };
    return sum + (Array.isArray(content) ? content.length : 0);
  }, 0);
}

export const chatSchema = z
  .object({
    ...commonFields,
    messages: messagesSchema,
    max_tokens: optional(maxTokensSchema),
    max_completion_tokens: optional(maxTokensSchema),
    logprobs: optional(z.boolean()),
    top_logprobs: optional(samplingFields.topLogprobs),
    response_format: responseFormat,
    tools: toolsField,
    tool_choice: toolChoiceField,
    parallel_tool_calls: optional(z.boolean()),
    /** Whether the answer may be kept. */
    store: optional(z.boolean()),
  })
  .refine(({ logprobs, top_logprobs }) => logprobs || top_logprobs === undefined, {
    path: ['top_logprobs'],
    message: 'needs logprobs to be true',
  });

/** @throws CONTEXT_TOO_LONG when it is larger than any request may be */
export function chatRequest(body: z.infer<typeof chatSchema>): GenerateRequest {
  return checkGenerate({
    input: { messages: body.messages.map(messageOf) },
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    ...samplingOf(body),
    jsonSchema: body.response_format,
    topLogprobs: body.logprobs ? (body.top_logprobs ?? 0) : undefined,
    tools: body.tools,
    toolChoice: body.tool_choice,
  });
}

function messageOf(message: z.infer<typeof messageSchema>): ChatMessage {
  const { role } = message;
  const said = { role, content: message.content ?? '' };
  if (role === 'tool') return { ...said, toolCallId: message.tool_call_id };
  return role === 'assistant' && message.tool_calls ? { ...said, toolCalls: message.tool_calls } : said;
}

/** Writes answers as `chat.completion` and `chat.completion.chunk`. */
export class ChatFormat implements AnswerFormat {
  readonly #head: { id: string; created: number; model: string };
  readonly #includeUsage: boolean;
  #calls = 0;

  constructor(model: string, includeUsage: boolean) {
    this.#head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
    this.#includeUsage = includeUsage;
  }

  get id(): string {
    return this.#head.id;
  }

  whole({ text, logprobs }: AnswerPart, result: GenerateResult): object {
    const { toolCalls } = result;
    const called = toolCalls && { tool_calls: toolCalls.map(openAiCall) };
    const message = { role: 'assistant', content: toolCalls && text === '' ? null : text, refusal: null, ...called };
    const choice = {
      index: 0,
      message,
      logprobs: logprobs ? chatLogprobs(logprobs) : null,
      finish_reason: result.finish,
    };
    return { ...this.#head, object: 'chat.completion', choices: [choice], usage: openAiUsage(result) };
  }

  opening(): object {
    return this.#chunk({ role: 'assistant', content: '' });
  }

  part({ text, logprobs, toolCalls = [] }: AnswerPart): object {
    const tool_calls = toolCalls.map((call) => ({ index: this.#calls++, ...openAiCall(call) }));
    const delta = { ...(tool_calls.length > 0 ? { tool_calls } : { content: text }) };
    return this.#chunk(text === '' ? delta : { content: text, ...delta }, logprobs ? chatLogprobs(logprobs) : null);
  }

  closing(finish: FinishReason): object {
    return this.#chunk({}, null, finish);
  }

  usage(result: GenerateResult): object {
    return { ...this.#head, object: 'chat.completion.chunk', choices: [], usage: openAiUsage(result) };
  }

  #chunk(delta: object, logprobs: object | null = null, finish_reason: FinishReason | null = null): object {
    const choices = [{ index: 0, delta, logprobs, finish_reason }];
    // Where usage was asked for, every other chunk says that it has none.
    return { ...this.#head, object: 'chat.completion.chunk', choices, ...(this.#includeUsage && { usage: null }) };
  }
}
