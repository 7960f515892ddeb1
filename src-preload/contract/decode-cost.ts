import { z } from 'zod';

/** How long a batch of so many sequences takes that decode: one token each. */
const decodeCostSchema = z.strictObject({ sequences: z.int().min(1), ms: z.number().positive() });
export type DecodeCost = z.infer<typeof decodeCostSchema>;
/** In the order of `sequences`. Empty: not measured. */
export const decodeCostsSchema = z.array(decodeCostSchema).max(64);
