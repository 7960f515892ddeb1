import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { TASK_KINDS } from './focus-task-kinds.ts';

/** Kinds of work that the suggestions are about. */
export const WORK_FIELDS = ['office', 'programming', 'research', 'design', 'data', 'language', 'study'] as const;

export const focusTaskSchema = z.object({
  kind: z.enum(TASK_KINDS),
  /** In its list; null for one’s own. */
  id: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  /** Why it is worth recording; empty where nobody says. */
  reason: z.string(),
  /** Null where it is not one of the suggestions. */
  field: z.enum(WORK_FIELDS).nullable(),
  /** 1 where it is not boosted. */
  multiplier: z.number(),
  /** Unix milliseconds; null where it has no end. */
  validUntil: z.number().nullable(),
  /** How many recordings there are of it. */
  recorded: z.number(),
});
export type FocusTask = z.infer<typeof focusTaskSchema>;

/** How the list of boosted tasks stands. */
export const boostedStateSchema = z.object({
  /** Where it comes from; null where the settings name nobody. */
  address: z.string().nullable(),
  /** Of the list; null where none was ever taken. */
  number: z.number().nullable(),
  /** When it was taken, Unix milliseconds. */
  takenAt: z.number().nullable(),
  /** Why the last look brought nothing. */
  error: errorSchema.optional(),
});
export type BoostedState = z.infer<typeof boostedStateSchema>;

export const focusTasksSchema = z.object({
  tasks: z.array(focusTaskSchema),
  /** Suggestions that are left out: there are recordings enough of them. */
  leftOut: z.number(),
  boosted: boostedStateSchema,
  /** Why the market did not say what it wants; absent where it did, and where none is set. */
  marketError: errorSchema.optional(),
});
export type FocusTasks = z.infer<typeof focusTasksSchema>;

export const focusTasksContract = {
  /** What could be recorded: the boosted first, then one’s own, then the suggestions, of which the least recorded come first. */
  tasks: oc
    .input(
      z.object({
        /** Of the suggestions. */
        language: z.enum(['en', 'de']).default('en'),
        /** Default: all. */
        kind: z.enum(TASK_KINDS).optional(),
      }),
    )
    .output(focusTasksSchema),
  /** Fetches the list of boosted tasks now. */
  refreshTasks: oc.output(boostedStateSchema),
};
