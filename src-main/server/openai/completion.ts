import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FinishReason, GenerateResult } from '../../../src-preload/contract/inference.ts';
import {
  type GenerateRequest,
  maxTokensSchema,
  promptTextSchema,
  samplingFields,
} from '../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import { ApiError } from '../failures/api-error.ts';
import { type AnswerFormat, type AnswerPart, openAiUsage, type WholeAnswer } from './answer.ts';
import { BEST_OF_ALL, choiceFields } from './choices.ts';
import type { StreamEvent } from './event-stream.ts';
import { commonFields, optional, responseFormat, samplingOf, unixSeconds } from './fields.ts';
import type { Generator } from './generator.ts';
import { ListedLogprobs } from './logprobs.ts';

/** POST /v1/completions: https://platform.openai.com/docs/api-reference/completions/create */

/** OpenAI's, here as there a surprise; chat has a longer one. */
const DEFAULT_MAX_TOKENS = 16;

const ONE_PROMPT = {
  error: ({ code }: { code: string }) => (code === 'too_big' ? 'has to be one prompt at a time, as a text' : undefined),
};

export const completionSchema = z
  .object({
    ...commonFields,
    ...choiceFields,
    // Several prompts at once and prompts in tokens are not supported.
    prompt: z.union([promptTextSchema, z.tuple([promptTextSchema], ONE_PROMPT).transform(([only]) => only)]),
    max_tokens: optional(maxTokensSchema),
    logprobs: optional(samplingFields.topLogprobs),
    echo: optional(z.boolean()),
    response_format: responseFormat,
  })
  .refine(...BEST_OF_ALL);

export type CompletionBody = z.infer<typeof completionSchema>;

/** @throws CONTEXT_TOO_LONG when it is larger than any request may be */
export function completionRequest(body: CompletionBody): GenerateRequest {
  return checkGenerate({
    input: { prompt: body.prompt },
    maxTokens: body.max_tokens ?? DEFAULT_MAX_TOKENS,
    ...samplingOf(body),
    jsonSchema: body.response_format,
    topLogprobs: body.logprobs,
  });
}

/**
 * The prompt as the answer's beginning, with its log-probabilities where they are asked for: those of a text that a
 * document begins with. Nothing stands before the first token, so it has none.
 * @throws ApiError 400 when the model cannot score a text
 */
export async function echoOf(
  { prompt, echo, logprobs }: CompletionBody,
  generator: Generator,
  signal: AbortSignal,
): Promise<AnswerPart | undefined> {
  if (!echo) return undefined;
  if (logprobs === undefined) return { text: prompt };
  if (!generator.score) {
    throw new ApiError(400, { message: 'This model cannot echo log-probabilities.', param: 'echo' });
  }
  const { tokens } = await generator.score({ input: { prompt: '' }, continuation: prompt, topK: logprobs }, { signal });
  const [first, ...rest] = tokens;
  return { text: prompt, logprobs: first ? [{ ...first, logprob: Number.NaN, top: [] }, ...rest] : [] };
}

/** Writes answers as `text_completion`. */
export class CompletionFormat implements AnswerFormat {
  readonly #head: { id: string; object: string; created: number; model: string };
  readonly #includeUsage: boolean;
  /** Of each answer. */
  readonly #logprobs: ListedLogprobs[] = [];

  constructor(model: string, includeUsage = false) {
    const created = unixSeconds();
    this.#head = { id: `cmpl-${randomUUID()}`, object: 'text_completion', created, model };
    this.#includeUsage = includeUsage;
  }

  whole(answers: readonly WholeAnswer[]): object {
    const choices = answers.map((answer, index) => this.#choice(answer, index, answer.result.finish));
    return { ...this.#head, choices, usage: openAiUsage(answers.map(({ result }) => result)) };
  }

  opening(): StreamEvent[] {
    return [];
  }

  part(part: AnswerPart, index: number): StreamEvent[] {
    return [this.#chunk(this.#choice(part, index, null))];
  }

  closing({ finish }: GenerateResult, index: number): StreamEvent[] {
    return [this.#chunk(this.#choice({ text: '' }, index, finish))];
  }

  end(results: readonly GenerateResult[]): StreamEvent[] {
    const usage = { ...this.#head, choices: [], usage: openAiUsage(results) };
    return this.#includeUsage ? [usage, '[DONE]'] : ['[DONE]'];
  }

  failure(error: ApiError): StreamEvent[] {
    return [error.toJSON()];
  }

  #choice({ text, logprobs }: AnswerPart, index: number, finish: FinishReason | null): object {
    this.#logprobs[index] ??= new ListedLogprobs();
    return { index, text, logprobs: logprobs ? this.#logprobs[index].list(logprobs) : null, finish_reason: finish };
  }

  #chunk(choice: object): object {
    return { ...this.#head, choices: [choice], ...(this.#includeUsage && { usage: null }) };
  }
}
