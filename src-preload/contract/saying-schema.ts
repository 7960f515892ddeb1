import { z } from 'zod';
import type { Said, Saying } from './saying.ts';

const words = z.union([z.string(), z.lazy(() => sayingSchema)]);

export const sayingSchema: z.ZodType<Saying> = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([words, z.number(), z.array(words)])).optional(),
});

/** Beside the English sentences of an answer: what the screens word them from, by field. See {@link Saying}. */
const said: z.ZodType<Said> = z.record(z.string(), sayingSchema);
export const saidSchema = said.optional();
