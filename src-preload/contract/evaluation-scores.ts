import { z } from 'zod';
import { sentenceSchema } from './saying-schema.ts';

const SCORE_NAMES = [
  ...(['accuracy', 'reward', 'composite'] as const),
  ...(['memory', 'position', 'coherence', 'speed', 'scaling', 'consistency'] as const),
] as const;
export type ScoreName = (typeof SCORE_NAMES)[number];

/** A score of an evaluation, told in words. */
export const evaluationScoreSchema = z.object({
  score: z.enum(SCORE_NAMES),
  name: sentenceSchema,
  /** 0–1; of `speed` tokens a second. Null where these answers do not show it. */
  value: z.number().nullable(),
  is: sentenceSchema,
  /** What it was made of; where it was not measured, what would measure it. */
  from: sentenceSchema,
});
export type EvaluationScore = z.infer<typeof evaluationScoreSchema>;
