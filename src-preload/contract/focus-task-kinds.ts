import { z } from 'zod';

/**
 * Where a task comes from (OMEGA, B10). `own`: somebody typed it. `suggested`: of the list that comes with Quarry. `boosted`: of a signed list, with a
 * multiplier. `platform`: somebody at a market asks for it.
 */
export const TASK_KINDS = ['own', 'suggested', 'boosted', 'platform'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];
/** Those that have a list somewhere, and an id in it. */
export const LISTED_KINDS = ['suggested', 'boosted', 'platform'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/** Of a task in whatever list: short, and nothing that could be a path or a word for a terminal. */
export const listedTaskId = z.string().regex(/^[a-z0-9-]{1,64}$/);

/** Which task was chosen. */
export const taskChoiceSchema = z.object({ kind: z.enum(LISTED_KINDS), id: z.string().min(1).max(64) });
export type TaskChoice = z.infer<typeof taskChoiceSchema>;

/** The task that a recording is of, as its list had it then. */
export const recordedTaskSchema = z.object({
  kind: z.enum(LISTED_KINDS),
  id: z.string(),
  /** What its score is multiplied by, 1 to 5: of the list, never of whoever records. */
  multiplier: z.number(),
});
export type RecordedTask = z.infer<typeof recordedTaskSchema>;
