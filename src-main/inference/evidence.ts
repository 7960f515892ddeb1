import { z } from 'zod';

/** How many of the likeliest tokens are told with each token of an answer that others can check (QUASAR, A8). */
export const EVIDENCE_TOP = 10;

/** As many are read of each token that somebody else has chosen: what is likely there is among them here. */
export const PROBE_TOP = 40;

const chance = z.tuple([z.int().min(0).max(0xffff_ffff), z.number().max(0)]);

/** Of one token that was chosen: which it was, and what the model thought of it and of the likeliest. */
export const tokenEvidenceSchema = z.strictObject({
  id: z.int().min(0).max(0xffff_ffff),
  /** Natural-log probability under the model itself. */
  logprob: z.number().max(0),
  /** Tokens and their log-probabilities, best first. */
  top: z.array(chance).max(EVIDENCE_TOP),
});
/** The same of a probe that was read. */
export const readEvidenceSchema = tokenEvidenceSchema.extend({ top: z.array(chance).max(PROBE_TOP) });
export type TokenEvidence = z.infer<typeof tokenEvidenceSchema>;
