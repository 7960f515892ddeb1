import { z } from 'zod';
import { failureSchema } from '../../../process/failure.ts';
import { clipModelSchema } from '../files/model-manifest.ts';

/** Of a picture's sides, pixels; of what is heard at once, samples. */
const [MAX_SIDE, MAX_SAMPLES] = [4_096, 30 * 48_000];
/** Of a text, UTF-16 units; of texts that are asked for at once. */
const MAX_TEXT = 20_000;
export const MOST_TEXTS = 60;

const base64 = (bytes: number) => z.string().max(Math.ceil(bytes / 3) * 4);
const id = z.int().min(0);

/** What the process that makes vectors is told: first which models, then one thing after another. Numbers are of 32 bits, as base64. */
export const vectorTaskSchema = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('open'),
    pictures: clipModelSchema('pictures'),
    sounds: clipModelSchema('sounds').nullable(),
    threads: z.int().min(1).max(64),
  }),
  z.strictObject({
    ...{ task: z.literal('picture'), id },
    width: z.int().min(1).max(MAX_SIDE),
    height: z.int().min(1).max(MAX_SIDE),
    rgb: base64(MAX_SIDE * MAX_SIDE * 3),
  }),
  z.strictObject({ task: z.literal('sound'), id, samples: base64(MAX_SAMPLES * 4) }),
  z.strictObject({ task: z.literal('texts'), id, texts: z.array(z.string().max(MAX_TEXT)).min(1).max(MOST_TEXTS) }),
  z.strictObject({ task: z.literal('pieces'), id, text: z.string().max(MAX_TEXT) }),
]);
export type VectorTask = z.infer<typeof vectorTaskSchema>;

/** 4,096 numbers at the most. */
const vector = z.base64().max(21_848);

/** What it says. */
export const vectorReportSchema = z.union([
  z.strictObject({ id, vector }),
  z.strictObject({
    id,
    texts: z.array(z.strictObject({ seen: vector, heard: vector.nullable() })).max(MOST_TEXTS),
  }),
  z.strictObject({
    id,
    pieces: z.array(z.string().max(MAX_TEXT)).max(MAX_TEXT),
    uniqueTokens: z.int().min(0),
  }),
  z.strictObject({ id, failed: failureSchema }),
]);
export type VectorReport = z.infer<typeof vectorReportSchema>;
