import { z } from 'zod';
import { QuarryError, type QuarryErrorData } from '../../src-preload/contract/errors.ts';

/** An error as a child of ours tells it: a QuarryError's data. */
export const failureSchema = z.looseObject({ code: z.string().max(100), message: z.string().max(10_000) });
type Failure = z.infer<typeof failureSchema>;

/** In the child: what goes to the parent. */
export const failureOf = (error: unknown): Failure => ({ ...QuarryError.from(error).toJSON() });

/** In the parent: the error that it was. */
export const revived = (failure: Failure) => new QuarryError({ ...(failure as unknown as QuarryErrorData) });
