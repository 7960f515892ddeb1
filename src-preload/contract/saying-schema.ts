import { z } from 'zod';
import type { Said, Saying } from './saying.ts';

/** Objects and lists inside each other: some ten sentences, each part of another. Ours are two or three. */
const MAX_LEVELS = 30;

const words = z.union([z.string(), z.lazy(() => anySaying)]);
const anySaying: z.ZodType<Saying> = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([words, z.number(), z.array(words)])).optional(),
});

/** Whoever reads or words one goes down into it: too deep a one would end the process, so it is looked at first. */
const shallow = (levels: number) =>
  z.unknown().refine((value) => isWithin(value, levels), 'sentences inside each other without an end');

export const sayingSchema: z.ZodType<Saying> = shallow(MAX_LEVELS).pipe(anySaying);

/** Beside the English sentences of an answer: what the screens word them from, by field. See {@link Saying}. */
export const saidSchema = saidWithin(MAX_LEVELS).optional();

/** A sentence of main: in English, with what stands behind it. */
export const sentenceSchema = z.object({ text: z.string(), said: saidSchema });
export type Sentence = z.infer<typeof sentenceSchema>;

/** @param levels objects and lists inside each other, of this one and all in it: two a sentence, and one around all */
export function saidWithin(levels: number): z.ZodType<Said> {
  return shallow(levels).pipe(z.record(z.string(), anySaying));
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}
