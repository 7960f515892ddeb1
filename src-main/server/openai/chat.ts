import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FinishReason, GenerateResult } from '../../../src-preload/contract/inference.ts';
import { MAX_MESSAGES } from '../../../src-preload/contract/limits.ts';
import {
  type ChatMessage,
  type GenerateRequest,
  maxTokensSchema,
  samplingFields,
  toolCallSchema,
} from '../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import { openAiCall } from '../../inference/tools/openai-form.ts';
import type { ApiError } from '../failures/api-error.ts';
import { type AnswerFormat, type AnswerPart, openAiUsage, type WholeAnswer } from './answer.ts';
import { BEST_OF_ALL, choiceFields } from './choices.ts';
import { boundedContents, contentSchema } from './content.ts';
import type { StreamEvent } from './event-stream.ts';
import { commonFields, optional, responseFormat, samplingOf, unixSeconds } from './fields.ts';
import { chatLogprobs } from './logprobs.ts';
import { madeCallsField, toolChoiceField, toolsField } from './tools.ts';

/** POST /v1/chat/completions: https://platform.openai.com/docs/api-reference/chat/create */

const content = contentSchema(z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text));
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

export const chatSchema = z
  .object({
    ...commonFields,
    ...choiceFields,
    messages: boundedContents(messageSchema, MAX_MESSAGES),
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
  })
  .refine(...BEST_OF_ALL);

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
  /** Calls of each answer so far. */
  readonly #calls: number[] = [];

  constructor(model: string, includeUsage = false) {
    this.#head = { id: `chatcmpl-${randomUUID()}`, created: unixSeconds(), model };
    this.#includeUsage = includeUsage;
  }

  get id(): string {
    return this.#head.id;
  }

  whole(answers: readonly WholeAnswer[]): object {
    const choices = answers.map(({ text, logprobs, result: { toolCalls, finish } }, index) => {
      const called = toolCalls && { tool_calls: toolCalls.map(openAiCall) };
      const message = { role: 'assistant', content: toolCalls && text === '' ? null : text, refusal: null, ...called };
      return { index, message, logprobs: logprobs ? chatLogprobs(logprobs) : null, finish_reason: finish };
    });
    const usage = openAiUsage(answers.map(({ result }) => result));
    return { ...this.#head, object: 'chat.completion', choices, usage };
  }

  opening(index: number): StreamEvent[] {
    return [this.#chunk({ index, delta: { role: 'assistant', content: '' } })];
  }

  part({ text, logprobs, toolCalls = [] }: AnswerPart, index: number): StreamEvent[] {
    const before = this.#calls[index] ?? 0;
    this.#calls[index] = before + toolCalls.length;
    const tool_calls = toolCalls.map((call, at) => ({ index: before + at, ...openAiCall(call) }));
    const delta = {
      ...((text !== '' || tool_calls.length === 0) && { content: text }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    return [this.#chunk({ index, delta, logprobs: logprobs ? chatLogprobs(logprobs) : null })];
  }

  closing({ finish }: GenerateResult, index: number): StreamEvent[] {
    return [this.#chunk({ index, delta: {}, finish_reason: finish })];
  }

  end(results: readonly GenerateResult[]): StreamEvent[] {
    const usage = { ...this.#head, object: 'chat.completion.chunk', choices: [], usage: openAiUsage(results) };
    return this.#includeUsage ? [usage, '[DONE]'] : ['[DONE]'];
  }

  failure(error: ApiError): StreamEvent[] {
    return [error.toJSON()];
  }

  #chunk(choice: { index: number; delta: object; logprobs?: object | null; finish_reason?: FinishReason }): object {
    const choices = [{ logprobs: null, finish_reason: null, ...choice }];
    // Where usage was asked for, every other chunk says that it has none.
    return { ...this.#head, object: 'chat.completion.chunk', choices, ...(this.#includeUsage && { usage: null }) };
  }
}
