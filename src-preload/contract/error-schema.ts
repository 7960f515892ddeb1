import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';
import { saidSchema } from './saying-schema.ts';

/** An error that is part of an answer. */
export const errorSchema = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  hint: z.string().optional(),
  said: saidSchema,
});
export type ErrorView = z.infer<typeof errorSchema>;
