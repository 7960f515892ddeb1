import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { MAX_TASK_DESCRIPTION_CHARS, MAX_TASK_TITLE_CHARS } from '../../../src-preload/contract/focus-limits.ts';
import { listedTaskId } from '../../../src-preload/contract/focus-task-kinds.ts';
import { WORK_FIELDS } from '../../../src-preload/contract/focus-tasks.ts';

const wordsSchema = z.strictObject({
  title: z.string().min(1).max(MAX_TASK_TITLE_CHARS),
  description: z.string().min(1).max(MAX_TASK_DESCRIPTION_CHARS),
  reason: z.string().min(1).max(200),
});

const suggestionSchema = z.strictObject({
  id: listedTaskId,
  field: z.enum(WORK_FIELDS),
  en: wordsSchema,
  de: wordsSchema,
});
export type Suggestion = z.infer<typeof suggestionSchema>;

/** Of a task there are recordings enough with so many: more teach little that is new. */
export const ENOUGH_RECORDINGS = 3;

/** The list that comes with Quarry. @throws Error where it is damaged: a mistake in the package */
export async function readSuggestions(path: string): Promise<Suggestion[]> {
  return z.strictObject({ tasks: z.array(suggestionSchema) }).parse(JSON.parse(await readFile(path, 'utf8'))).tasks;
}

/**
 * What is suggested: without those of which there are recordings enough; the least recorded first, otherwise one of each kind of work after the other, as the list
 * has them.
 * @param count recordings that there are of a task
 */
export function suggested<One extends { id: string; field: string }>(
  all: readonly One[],
  count: (id: string) => number,
): { tasks: One[]; leftOut: number } {
  const wanted = all.filter(({ id }) => count(id) < ENOUGH_RECORDINGS);
  const places = new Map<string, number>();
  const placed = wanted.map((one) => {
    const place = places.get(one.field) ?? 0;
    places.set(one.field, place + 1);
    return { one, place };
  });
  placed.sort((a, b) => count(a.one.id) - count(b.one.id) || a.place - b.place);
  return { tasks: placed.map(({ one }) => one), leftOut: all.length - wanted.length };
}
