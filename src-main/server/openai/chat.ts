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
} from '../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import type { AnswerFormat, AnswerPart } from './answer.ts';
import { openAiUsage } from './answer.ts';
import { commonFields, optional, responseFormat, samplingOf } from './fields.ts';
import { chatLogprobs } from './logprobs.ts';

/** POST /v1/chat/completions: https://platform.openai.com/docs/api-reference/chat/create */

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z.union([
  textSchema,
  boundedArray(textPart, MAX_CONTENT_PARTS, 1)
    .transform((parts) => parts.map(({ text }) => text).join('\n'))
    .pipe(textSchema),
]);
/** Absent or empty: what an assistant's call of a tool would be, and we have none. */
const noToolCalls = z.union([boundedArray(z.never(), 0), z.null()]).optional();

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), content }),
  // OpenAI's newer name of the system role.
  z.object({ role: z.literal('developer').transform((): 'system' => 'system'), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: noToolCalls }),
]);

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
  })
  .refine(({ logprobs, top_logprobs }) => logprobs || top_logprobs === undefined, {
    path: ['top_logprobs'],
    message: 'needs logprobs to be true',
  });

/** @throws CONTEXT_TOO_LONG when it is larger than any request may be */
export function chatRequest(body: z.infer<typeof chatSchema>): GenerateRequest {
  const messages: ChatMessage[] = body.messages.map((message) => ({ role: message.role, content: message.content }));
  return checkGenerate({
    input: { messages },
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    ...samplingOf(body),
    jsonSchema: body.response_format,
    topLogprobs: body.logprobs ? (body.top_logprobs ?? 0) : undefined,
  });
}

/** Writes answers as `chat.completion` and `chat.completion.chunk`. */
export class ChatFormat implements AnswerFormat {
  readonly #head: { id: string; created: number; model: string };
  readonly #includeUsage: boolean;

  constructor(model: string, includeUsage: boolean) {
    this.#head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
    this.#includeUsage = includeUsage;
  }

  whole({ text, logprobs }: AnswerPart, result: GenerateResult): object {
    const message = { role: 'assistant', content: text, refusal: null };
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

  part({ text, logprobs }: AnswerPart): object {
    return this.#chunk({ content: text }, logprobs ? chatLogprobs(logprobs) : null);
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
