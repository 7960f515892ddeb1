import { oc } from '@orpc/contract';
import { z } from 'zod';

/** Longest name of an adapter, in characters. */
export const MAX_ADAPTER_NAME_CHARS = 64;

/** Name of an adapter: a line of versions of which one is in use. Parts between slashes, so that names can be grouped: `user/work`. */
export const adapterNameSchema = z
  .string()
  .max(MAX_ADAPTER_NAME_CHARS)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/);

/** How learning stands. */
export const learningStatusSchema = z.object({
  /** Whether answers of this node's own model are kept, so that feedback can refer to them. */
  keeps: z.boolean(),
  /** Name of the adapter that learns. */
  adapter: z.string(),
  /** Answers that are kept: how many, what they take in bytes, and when the oldest was given (Unix milliseconds). */
  answers: z.object({ count: z.int(), bytes: z.number(), oldest: z.number().nullable() }),
  /** Feedback that waits to be learnt, and what a run has taken. */
  feedback: z.object({ waiting: z.int(), taken: z.int() }),
});
export type LearningStatus = z.infer<typeof learningStatusSchema>;

export const learningContract = {
  status: oc.output(learningStatusSchema),
};
