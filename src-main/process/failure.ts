import { z } from 'zod';
import { ERROR_CODES, QuarryError, type QuarryErrorData } from '../../src-preload/contract/errors.ts';
import { saidWithin } from '../../src-preload/contract/saying-schema.ts';

/** Of a sentence, and of what it is worded from: the first error of a schema can be long. */
const MOST_CHARS = 10_000;
/** Half of what is read anywhere: an error becomes part of other sentences, a run's, a trainer's. */
const MOST_LEVELS = 15;

const sentence = z.string().transform((text) => text.slice(0, MOST_CHARS));
/** What fills in a sentence is kept with it, wherever errors are. */
const said = saidWithin(MOST_LEVELS).refine((sayings) => JSON.stringify(sayings).length <= MOST_CHARS);

/**
 * An error as a child of ours tells it: a QuarryError's data. It may run what strangers wrote, a driver or a parser of their files, so nothing is believed: a code that
 * there is not is INTERNAL, and what is not as it should be is left out.
 */
export const failureSchema = z.object({
  code: z.enum(ERROR_CODES).catch('INTERNAL'),
  message: sentence,
  hint: sentence.optional().catch(undefined),
  retryable: z.boolean().optional().catch(undefined),
  retryAfterMs: z.number().min(0).optional().catch(undefined),
  field: z.string().max(200).optional().catch(undefined),
  said: said.optional().catch(undefined),
}) satisfies z.ZodType<QuarryErrorData>;
type Failure = z.infer<typeof failureSchema>;

/** In the child: what goes to the parent. */
export const failureOf = (error: unknown): Failure => ({ ...QuarryError.from(error).toJSON() });

/** In the parent: the error that it was. */
export const revived = (failure: Failure) => new QuarryError(failure);
