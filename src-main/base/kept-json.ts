import type { z } from 'zod';
import { type ErrorView, errorSchema } from '../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Saying } from '../../src-preload/contract/saying.ts';
import { errorView } from './error-view.ts';
import { parsedJson } from './json-text.ts';

/** What a row keeps as JSON. @returns undefined for what was damaged: the rest of a list is shown all the same */
export function keptJson<Kept>(json: string, schema: z.ZodType<Kept>): Kept | undefined {
  return schema.safeParse(parsedJson(json)).data;
}

/** An error that a row keeps. @param json of it @param damaged what is said where it cannot be read any more */
export function keptError(json: string, damaged: Saying): ErrorView {
  return keptJson(json, errorSchema) ?? errorView(new QuarryError({ code: 'INTERNAL', message: damaged }));
}
