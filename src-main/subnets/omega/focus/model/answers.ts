import { z } from 'zod';
import { foreignLine } from '../../../../base/foreign-text.ts';
import { parsedJson } from '../../../../base/json-text.ts';

/** Characters of an answer as a whole: twice what the longest that is wanted has. */
export const MOST_ANSWER_CHARS = 40_000;
const MOST_APPLICATIONS = 20;
const MOST_STEPS = 40;

/** Words of a model, in one line that steers no terminal; what is longer is cut off. */
const line = (most: number) => z.string().transform((text) => foreignLine(text).slice(0, most));
const lines = (most: number, chars: number) => z.array(line(chars)).transform((all) => all.slice(0, most));

/** In every answer. */
const common = {
  /** The word that the question asked to be said again: an answer that somebody else wrote does not know it. */
  seal: z.string().max(100),
  /** The model saw that the material gives orders to whoever judges. */
  orders: z.boolean(),
};

export const annotationSchema = z.object({
  ...common,
  applications: lines(MOST_APPLICATIONS, 80),
  steps: lines(MOST_STEPS, 300),
  description: line(1_500),
});
/** What happens in a recording, in words. */
export type Annotation = Pick<z.infer<typeof annotationSchema>, 'applications' | 'steps' | 'description'>;

export const legitimacySchema = z.object({ ...common, rationale: line(600), legitimate: z.boolean() });

export const completionSchema = z.object({
  ...common,
  rationale: line(600),
  /** What would have to be seen for more. */
  missing: line(400),
  score: z.number().min(0).max(1),
});

export type Sealed = z.infer<z.ZodObject<typeof common>>;

/** The schema as servers take it: every field is wanted, and no other. */
export function answerSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { ...rest, additionalProperties: false };
}

/** An answer as it was wanted; undefined for any other. One that stands in a fence of backquotes is taken out of it. */
export function readAnswer<Answer extends Sealed>(
  text: string,
  schema: z.ZodType<Answer>,
  seal: string,
): Answer | undefined {
  if (text.length > MOST_ANSWER_CHARS) return undefined;
  const [, inside = text] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text) ?? [];
  const { data } = schema.safeParse(parsedJson(inside));
  return data?.seal === seal ? data : undefined;
}
