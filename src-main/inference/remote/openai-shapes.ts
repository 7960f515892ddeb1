import { z } from 'zod';
import type { FinishReason } from '../../../src-preload/contract/inference.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { TokenLogprobs, TokenProbability } from '../backend.ts';
import { protocolError } from './openai-errors.ts';

/** What we read of an OpenAI-compatible server's answers; everything else in them is ignored. */

const MAX_TOP = 100;

const count = z.int().nonnegative();
const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count.default(0),
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
});

const probabilitySchema = z.object({
  token: z.string(),
  logprob: z.number().nullable(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
});
const contentLogprobs = z.object({
  content: z.array(probabilitySchema.extend({ top_logprobs: z.array(probabilitySchema).default([]) })),
});
/** The older form, of /completions. */
const listLogprobs = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number().nullable()).nullable()).nullish(),
});
const logprobsSchema = z.union([contentLogprobs, listLogprobs]).nullish().catch(null);

/** Part of a call: its name comes whole, its arguments in pieces. */
const callPieceSchema = z
  .object({
    index: z.int().min(0).default(0),
    function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  })
  .transform(({ index, function: called }) => ({ index, name: called?.name ?? '', args: called?.arguments ?? '' }));
export type CallPiece = z.infer<typeof callPieceSchema>;

const finishSchema = z.string().nullish();
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), tool_calls: z.array(callPieceSchema).nullish() }).nullish(),
        text: z.string().nullish(),
        logprobs: logprobsSchema,
        finish_reason: finishSchema,
      }),
    )
    .default([]),
  usage: usageSchema.nullish(),
});

export const modelsSchema = z.object({
  data: z
    .array(
      z.object({
        // It is logged, shown and kept.
        id: z.string().max(512),
        max_model_len: count.nullish().catch(null),
        meta: z.object({ n_ctx: count.nullish(), n_params: count.nullish() }).nullish().catch(null),
      }),
    )
    .max(10_000),
});

export const embeddingsSchema = z.object({
  data: z.array(z.object({ index: count, embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: count }).nullish(),
});

export const tokenizeSchema = z.union([
  z.object({ count }).transform((answer) => answer.count),
  z.object({ tokens: z.array(z.unknown()) }).transform(({ tokens }) => tokens.length),
]);

export const echoSchema = z.object({
  choices: z.tuple([z.object({ logprobs: listLogprobs })]),
});

/** vLLM: for each token of the prompt its own log-probability and the likeliest ones, by token id. */
export const promptLogprobsSchema = z.object({
  prompt_logprobs: z.array(
    z
      .record(
        z.string(),
        z.object({ logprob: z.number(), rank: z.int().nullish(), decoded_token: z.string().nullish() }),
      )
      .nullable(),
  ),
  prompt_token_ids: z.array(count).nullish(),
});

export type Usage = z.infer<typeof usageSchema>;
export type ListLogprobs = z.infer<typeof listLogprobs>;
export type PromptLogprobs = z.infer<typeof promptLogprobsSchema>;

/** One event of a streamed answer. */
export interface AnswerChunk {
  text: string;
  logprobs: TokenLogprobs[] | undefined;
  calls: CallPiece[];
  finish: FinishReason | undefined;
  usage: Usage | undefined;
}

export function parseChunk(event: unknown): AnswerChunk {
  const { choices, usage } = parse(chunkSchema, event, say('remote.chunk'));
  const [choice] = choices;
  return {
    text: choice?.delta?.content ?? choice?.text ?? '',
    logprobs: choice?.logprobs ? toLogprobs(choice.logprobs) : undefined,
    calls: choice?.delta?.tool_calls ?? [],
    finish: choice?.finish_reason ? (choice.finish_reason === 'length' ? 'length' : 'stop') : undefined,
    usage: usage ?? undefined,
  };
}

/** @throws QuarryError PROTOCOL when the answer has not the shape */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: Saying): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw protocolError(say('remote.unlikeApi', { what }), error);
  return data;
}

function toLogprobs(logprobs: z.infer<typeof contentLogprobs> | ListLogprobs): TokenLogprobs[] {
  if ('content' in logprobs) {
    return logprobs.content.map((token) => ({
      ...toProbability(token),
      top: token.top_logprobs.slice(0, MAX_TOP).map(toProbability),
    }));
  }
  return logprobs.tokens.map((token, at) => listedToken(logprobs, token, at));
}

/** The token at a place of the older form. */
export function listedToken(list: ListLogprobs, token: string, at: number): TokenLogprobs {
  const top = Object.entries(list.top_logprobs?.[at] ?? {}).slice(0, MAX_TOP);
  return {
    ...listedProbability(token, list.token_logprobs[at] ?? null),
    top: top.map(([text, logprob]) => listedProbability(text, logprob)).sort(byLogprob),
  };
}

/** Here a token that is part of a character is written as its bytes: `bytes:\xf0\x9f`. */
function listedProbability(text: string, logprob: number | null): TokenProbability {
  if (!/^bytes:(\\x[0-9a-f]{2})+$/.test(text)) return toProbability({ token: text, logprob });
  const bytes = Buffer.from(text.replace('bytes:', '').replaceAll('\\x', ''), 'hex');
  return toProbability({ token: bytes.toString(), logprob, bytes: [...bytes] });
}

export function byLogprob(one: TokenProbability, other: TokenProbability): number {
  return other.logprob - one.logprob;
}

/** JSON has no −∞; OpenAI writes −9999 for «practically never», and so do we. */
const NEVER = -9999;

export function toProbability({ token, logprob, bytes }: z.input<typeof probabilitySchema>): TokenProbability {
  return { token, logprob: logprob ?? NEVER, bytes: bytes ?? [...Buffer.from(token)] };
}
