import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { sentenceSchema } from './saying-schema.ts';

/** From where on cosines mean something among the vectors of one model. */
const thresholdsSchema = z.object({
  /** Two clips closer than this are the same one, and so are two readings of one clip. */
  same: z.number(),
  /** A clip whose distance (1 − cosine) to what is known is below this is known. */
  novel: z.number(),
  /** A part of a description that is less close to its clip says nothing about it. */
  unrelated: z.number(),
  /** What claims to be closer to words than this counts as this close. */
  closest: z.number(),
});

const modelSchema = z.object({ kind: z.enum(['pictures', 'sounds']), name: z.string() });

export const modelThresholdsSchema = modelSchema.extend({
  /** Null where nobody has measured them: then nothing is scored or judged. */
  thresholds: thresholdsSchema.nullable(),
  /** By how many clips (pictures, sounds), and when, Unix milliseconds; null where nobody noted it. */
  measured: z.object({ by: z.number(), at: z.number() }).nullable(),
});
export type ModelThresholds = z.infer<typeof modelThresholdsSchema>;

/** What came of measuring one model. */
const measuredSchema = modelSchema.extend({
  /** Clips of as many videos; for sounds, those that have one. */
  clips: z.number(),
  /** Null where they tell nothing; what was known before stays. */
  thresholds: thresholdsSchema.nullable(),
  /** Why, and what can be done; null where they were measured. */
  reason: sentenceSchema.nullable(),
});
export type MeasuredModel = z.infer<typeof measuredSchema>;

export const calibrationStepSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    /** Clips that were read, and how many there will be. */
    done: z.int(),
    of: z.int(),
    /** Null while nobody can say. */
    secondsLeft: z.number().nullable(),
  }),
  z.object({ type: z.literal('done'), models: z.array(measuredSchema) }),
]);
export type CalibrationStep = z.infer<typeof calibrationStepSchema>;

/** From where on the models of clips call two of them alike. */
export const dataCalibrationContract = {
  /** Of the models of pictures and of sounds that are in use. */
  thresholds: oc.output(z.array(modelThresholdsSchema)),
  /**
   * Measures them with clips of the library, one of each video, and has all clips scored anew by what came of it. Ending it keeps nothing of it.
   * @throws BAD_REQUEST where there are too few; ENGINE_UNAVAILABLE without models or ffmpeg; OVERLOADED while it is going on already
   */
  calibrate: oc.output(eventIterator(calibrationStepSchema)),
};
