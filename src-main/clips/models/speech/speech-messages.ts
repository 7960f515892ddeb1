import { z } from 'zod';
import { MAX_WORDS_CHARS } from '../../../../src-preload/contract/data-limits.ts';
import { failureSchema } from '../../../process/failure.ts';
import { clipModelSchema } from '../files/model-manifest.ts';

/** Seconds of speech that are listened to at once, and numbers of 32 bits in one message. */
export const [MOST_SPEECH_SECONDS, PART_SAMPLES] = [600, 160_000];
const MOST_TURNS = 10_000;

const id = z.int().min(0);

/** What the process that listens is told: first which models, then sounds in parts, each followed by what is wanted of it. */
export const speechTaskSchema = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('open'),
    voice: clipModelSchema('voice').nullable(),
    words: clipModelSchema('words').nullable(),
    speakers: clipModelSchema('speakers').nullable(),
    threads: z.int().min(1).max(64),
  }),
  z.strictObject({ task: z.literal('part'), id, samples: z.string().max(Math.ceil((PART_SAMPLES * 4) / 3) * 4) }),
  z.strictObject({ task: z.enum(['voice', 'words', 'speakers']), id }),
]);
export type SpeechTask = z.infer<typeof speechTaskSchema>;

const span = { from: z.number().min(0), to: z.number().min(0) };

/** What it says. */
export const speechReportSchema = z.union([
  z.strictObject({ id, spans: z.array(z.strictObject(span)).max(MOST_TURNS) }),
  z.strictObject({
    id,
    words: z.array(z.strictObject({ ...span, words: z.string().max(MAX_WORDS_CHARS) })).max(MOST_TURNS),
  }),
  z.strictObject({ id, turns: z.array(z.strictObject({ ...span, speaker: z.string().max(20) })).max(MOST_TURNS) }),
  z.strictObject({ id, failed: failureSchema }),
]);
export type SpeechReport = z.infer<typeof speechReportSchema>;
