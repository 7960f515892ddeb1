import { z } from 'zod';

/** Most tokens that a draft model guesses ahead of one answer. */
export const MOST_GUESSES = 8;

/** What guessing ahead costs where so many sequences decode together. */
const draftCostSchema = z.strictObject({
  sequences: z.int().min(1),
  /** Milliseconds in which the draft model guesses one more token of each. */
  guessMs: z.number().positive(),
  /** How long the model takes for a batch of so many tokens of each: one, and with guesses more. In the order of `tokens`, beginning with 1. */
  batches: z
    .array(z.strictObject({ tokens: z.int().min(1), ms: z.number().positive() }))
    .min(1)
    .max(MOST_GUESSES + 1),
});
export type DraftCost = z.infer<typeof draftCostSchema>;
/** In the order of `sequences`. Empty: not measured. */
export const draftCostsSchema = z.array(draftCostSchema).max(16);

const seen = z.number().min(0).max(1e9);
/** How well a draft model knows what a model says, as seen lately; what is older counts less. */
export const draftRatesSchema = z.strictObject({
  /** Times that it was sure of the next token, and that it was not. */
  sure: seen,
  unsure: seen,
  /** Of the tokens that it was sure of: those that the model chose too, and the first ones that it did not. */
  accepted: seen,
  rejected: seen,
});
export type DraftRates = z.infer<typeof draftRatesSchema>;
