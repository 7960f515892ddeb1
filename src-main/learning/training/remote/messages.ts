import { z } from 'zod';
import { boundedArray } from '../../../../src-preload/contract/bounded.ts';
import { ERROR_CODES } from '../../../../src-preload/contract/errors.ts';
import { randomIdSchema, sha256Schema } from '../../../../src-preload/contract/keys.ts';
import { ADAPTER_GGUF, OPTIMIZER, PEFT_CONFIG, PEFT_TENSORS } from '../../formats/adapter-files.ts';
import { ADAPTER_MODULES } from '../../formats/lora-adapter.ts';
import type { StepFigures, TrainerSettings } from '../trainer.ts';
import { MOST_TOKENS, rateSchema, settingsSchema } from '../training-messages.ts';
import { CHUNK_BYTES, MOST_FILE_BYTES, MOST_REASON_CHARS } from './limits.ts';

/** What a trainer saves: no file has another name. */
export const ADAPTER_FILES = [ADAPTER_GGUF, PEFT_TENSORS, PEFT_CONFIG, OPTIMIZER] as const;

const number = z.int().min(0).max(1e9);

/** Bytes that the sender has ready, for the other side to read. */
const blobSchema = z.strictObject({
  id: number,
  size: z.int().min(0).max(MOST_FILE_BYTES),
  sha256: sha256Schema,
});
export type Blob = z.infer<typeof blobSchema>;

const filesSchema = boundedArray(
  z.strictObject({ name: z.enum(ADAPTER_FILES), blob: blobSchema }),
  ADAPTER_FILES.length,
).refine((files) => new Set(files.map(({ name }) => name)).size === files.length, 'each file once');
export type SentFiles = z.infer<typeof filesSchema>;

const wantedSettings = z.strictObject({
  ...settingsSchema.shape,
  modules: boundedArray(z.enum(ADAPTER_MODULES), ADAPTER_MODULES.length, 1),
}) satisfies z.ZodType<TrainerSettings>;

/** What is to be trained: the very file, and how. */
const wanted = { model: sha256Schema, settings: wantedSettings };

/** A share of a blob, and the question for it. Both sides. */
const readSchema = z.strictObject({ type: z.literal('read'), blob: number, at: z.int().min(0).max(MOST_FILE_BYTES) });
const bytesSchema = z.strictObject({
  type: z.literal('bytes'),
  blob: number,
  at: z.int().min(0).max(MOST_FILE_BYTES),
  /** Base64. */
  data: z.string().max(Math.ceil(CHUNK_BYTES / 3) * 4),
});

/** Whoever wants to train says first one of `ask`, `open` and `resume`; then one request after the other, numbered from 1. */
const askSchema = z.strictObject({ type: z.literal('ask'), ...wanted });
const openSchema = z.strictObject({
  type: z.literal('open'),
  session: randomIdSchema,
  ...wanted,
  /** The adapter to go on from; none: a new one. */
  files: filesSchema,
  /** Tokens of the longest sample that will come. */
  longest: z.int().min(1).max(MOST_TOKENS).optional(),
});
const resumeSchema = z.strictObject({ type: z.literal('resume'), session: randomIdSchema });
const stepSchema = z.strictObject({ type: z.literal('step'), n: number, rate: rateSchema, samples: blobSchema });
const scoreSchema = z.strictObject({ type: z.literal('score'), n: number, sample: blobSchema });
const saveSchema = z.strictObject({ type: z.literal('save'), n: number });
/** The answer to this request is not wanted any more. */
const cancelSchema = z.strictObject({ type: z.literal('cancel'), n: number });
const endSchema = z.strictObject({ type: z.literal('end') });

export const openingSchema = z.discriminatedUnion('type', [askSchema, openSchema, resumeSchema]);
export type Opening = z.infer<typeof openingSchema>;
export type OpenMessage = z.infer<typeof openSchema>;

export const askingMessageSchema = z.discriminatedUnion('type', [
  openSchema,
  stepSchema,
  scoreSchema,
  saveSchema,
  cancelSchema,
  endSchema,
  readSchema,
  bytesSchema,
]);
export type AskingMessage = z.infer<typeof askingMessageSchema>;
export type Request = Extract<AskingMessage, { n: number }> | OpenMessage;

/** Why something is not done. */
const whySchema = z.strictObject({
  reason: z.enum(['not-allowed', 'no-model', 'no-time', 'busy', 'no-memory', 'failed', 'gone', 'nonsense']),
  /** In words, of `no-time`, `failed` and `nonsense`. */
  text: z.string().max(MOST_REASON_CHARS).optional(),
  /** Of `failed`. */
  code: z.enum(ERROR_CODES).optional(),
  retryable: z.boolean().optional(),
  /** Of `no-memory`, in bytes. */
  wants: z.number().min(0).max(1e15).optional(),
  has: z.number().min(0).max(1e15).optional(),
});
export type Why = z.infer<typeof whySchema>;

/** JSON has no word for what is not finite. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);
const figuresSchema = z.strictObject({
  loss: figure,
  distillLoss: figure,
  klLoss: figure,
  gradNorm: figure,
  isRatio: figure.optional(),
  clipFraction: figure.optional(),
  tokens: z.number().min(0),
  seconds: z.number().min(0),
}) satisfies z.ZodType<StepFigures, unknown>;

/** Seconds of a step of one sample, and of two, of {@link FORECAST_TOKENS} tokens. */
export const FORECAST_TOKENS = [64, 128, 256, 512, 1_024, 2_048] as const;
const secondsSchema = boundedArray(z.number().min(0).max(1e9), FORECAST_TOKENS.length).refine(
  ({ length }) => length === FORECAST_TOKENS.length,
);
const foreseen = { memory: z.number().min(0).max(1e15), one: secondsSchema, two: secondsSchema };
const foreseenSchema = z.strictObject(foreseen);
/** What a training takes, as it is told. */
export type Foreseen = z.infer<typeof foreseenSchema>;
const forecastSchema = z.strictObject({ type: z.literal('forecast'), ...foreseen });
const openedSchema = z.strictObject({ type: z.literal('opened'), n: z.literal(0), ...foreseen });
const resumedSchema = z.strictObject({ type: z.literal('resumed') });
const steppedSchema = z.strictObject({ type: z.literal('stepped'), n: number, figures: figuresSchema });
const scoredSchema = z.strictObject({ type: z.literal('scored'), n: number, logprobs: blobSchema });
/** The files can be read until the next request. */
const savedSchema = z.strictObject({ type: z.literal('saved'), n: number, files: filesSchema });
const failureSchema = z.strictObject({
  type: z.literal('failure'),
  n: number,
  why: whySchema,
  /** The training has ended there. */
  over: z.boolean(),
});

export const hostMessageSchema = z.discriminatedUnion('type', [
  forecastSchema,
  openedSchema,
  resumedSchema,
  steppedSchema,
  scoredSchema,
  savedSchema,
  failureSchema,
  readSchema,
  bytesSchema,
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;
export type Answer = Extract<HostMessage, { n: number }>;

export type ReadMessage = z.infer<typeof readSchema>;
export type BytesMessage = z.infer<typeof bytesSchema>;
