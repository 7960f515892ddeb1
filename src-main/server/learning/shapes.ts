import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { learningNumbers } from '../../../src-preload/contract/learning-numbers.ts';
import { MAX_FEEDBACK_CHARS, MAX_MESSAGES, MAX_MODEL_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { promptTextSchema, textSchema } from '../../../src-preload/contract/request.ts';
import { ApiError } from '../failures/api-error.ts';
import { parseBody } from '../openai/fields.ts';
import type { Learnt, WantedLearning } from './learning-door.ts';

/** The requests of CLaaS (B1): names, limits and defaults are its own. */

/** Answers in one batch of feedback. */
const MAX_BATCH = 64;

const adapterRef = z.string().min(1).max(MAX_MODEL_NAME_CHARS);

const trainingSchema = z.object({
  learning_rate: learningNumbers.learningRate.default(3e-5),
  alpha: learningNumbers.mixture.default(0.5),
  is_clip: learningNumbers.isClip.default(5),
  max_grad_norm: learningNumbers.maxGradNorm.default(1),
  kl_reg_weight: learningNumbers.klWeight.default(0),
  teacher_top_k: learningNumbers.teacherTop.default(100),
});

const itemSchema = z.object({
  lora_id: adapterRef,
  prompt: promptTextSchema,
  response: promptTextSchema,
  feedback: promptTextSchema.max(MAX_FEEDBACK_CHARS),
  training: trainingSchema.prefault({}),
  /** Not in the original: id of the answer. */
  completion_id: z.string().min(1).max(200).optional(),
});

const feedbackSchema = z.object({
  requests: boundedArray(itemSchema, MAX_BATCH, 1),
  /** What would be read over is not what somebody meant. */
  training: z.never('«training» belongs into each of «requests».').optional(),
  /** The engine need not sleep here while it learns: those of the original are read, and change nothing. */
  orchestration: z
    .object({
      sleep_before: z.boolean().default(true),
      wake_after: z.boolean().default(true),
      wake_on_failure: z.boolean().default(true),
      sleep_level: z.int().min(1).max(2).default(1),
      /** Not in the original: whether the answer comes once it is learnt. */
      wait: z.boolean().default(true),
    })
    .prefault({}),
});

export const scoreSchema = z.object({
  model: z.string().max(MAX_MODEL_NAME_CHARS).default(''),
  messages: boundedArray(
    z.object({ role: z.enum(['system', 'user', 'assistant']), content: textSchema }),
    MAX_MESSAGES,
    1,
  ),
  completion: textSchema,
});

export const initSchema = z.object({
  lora_id: adapterRef,
  base_model: z.string().min(1).max(MAX_MODEL_NAME_CHARS).optional(),
  lora_r: z.int().min(4).max(128).default(32),
  lora_alpha: z.int().min(8).max(256).default(64),
  target_modules: boundedArray(z.string().max(100), 16, 1).nullish(),
});

export const listSchema = z.object({ prefix: z.string().max(MAX_MODEL_NAME_CHARS).default('') });
export const refSchema = z.object({ lora_id: adapterRef });

/** The value in the schema's shape. @throws ApiError 422, as the original says it */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  try {
    return parseBody(schema, value);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, param, code } = error;
    throw new ApiError(422, { message, param, code }, error);
  }
}

/** @param key of the header `Idempotency-Key` @throws ApiError 422; 400 for a batch that is not of one kind */
export function wantedLearning(body: unknown, key: string | undefined): WantedLearning {
  const { requests, orchestration } = parsed(feedbackSchema, body);
  const [first, ...others] = requests;
  if (!first) throw new ApiError(422, { message: '«requests» is empty.', param: 'requests' });
  const { lora_id: adapter, training } = first;
  if (others.some((item) => item.lora_id !== adapter)) throw mixed('lora_id');
  if (others.some((item) => !isDeepStrictEqual(item.training, training))) throw mixed('training');
  return {
    adapter,
    items: requests.map(({ completion_id: completion, response, feedback }) => ({ completion, response, feedback })),
    training: {
      learningRate: training.learning_rate,
      alpha: training.alpha,
      isClip: training.is_clip,
      maxGradNorm: training.max_grad_norm,
      klRegWeight: training.kl_reg_weight,
      teacherTopK: training.teacher_top_k,
    },
    ...{ wait: orchestration.wait, key },
  };
}

function mixed(field: string): ApiError {
  return new ApiError(400, { message: `All requests of a batch must have the same «${field}».`, param: field });
}

/** What a batch came to, in the original's shape; beside it what only Quarry has. */
export function learningAnswer(
  { adapter, items }: WantedLearning,
  { feedback, outcome }: Learnt,
  { id, totalMs }: { id: string; totalMs: number },
): object {
  const { state, version, run, figures = {}, trainingMs = 0, savingMs = 0, reason } = outcome ?? {};
  const times = { sleep: 0, distill: trainingMs, save: savingMs, wake: 0, logprobs: 0, total: Math.round(totalMs) };
  return {
    status: state === undefined ? 'queued' : state === 'accepted' ? 'ok' : state,
    ...{ request_id: id, lora_id: adapter },
    distill_result: outcome ? { lora_id: version ?? adapter, metadata: figures } : null,
    vllm: { slept: false, woke: false },
    ...{ feedback_log_path: '', timing_ms: times, batch_size: items.length },
    ...{ feedback_ids: feedback, run: run ?? null, reason: reason ?? null },
  };
}
