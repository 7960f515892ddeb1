import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';

/** An error that is part of an answer. */
export const errorSchema = z.object({ code: z.enum(ERROR_CODES), message: z.string(), hint: z.string().optional() });
export type ErrorView = z.infer<typeof errorSchema>;
