import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';

/** What may compute while this node learns: the setting `learning.trainer`. */
export const TRAINERS = ['here', 'torch', 'paired'] as const;
export type TrainerKind = (typeof TRAINERS)[number];

/** What a run with the settings of now would take, or why it cannot be done there, with what would fit. */
const trainerOfferSchema = z.object({
  /** Name of another node; null: this one. */
  node: z.string().nullable(),
  /** Bytes of memory, and seconds for a step: two answers and an anchor of usual length. */
  forecast: z.object({ memory: z.number(), secondsPerStep: z.number() }).nullable(),
  error: errorSchema.nullable(),
});
export type TrainerOffer = z.infer<typeof trainerOfferSchema>;

export const trainerOutlookSchema = z.object({
  /** Most steps of a run. */
  steps: z.int(),
  /** One of this computer’s own; of others as many as are connected. */
  offers: z.array(trainerOfferSchema),
});
export type TrainerOutlook = z.infer<typeof trainerOutlookSchema>;

export const learningTrainersContract = {
  /** What one kind of trainer would take for the model that is set, whether or not it is chosen or installed. Others are asked, which may take seconds. */
  outlook: oc.input(z.object({ trainer: z.enum(TRAINERS) })).output(trainerOutlookSchema),
};
