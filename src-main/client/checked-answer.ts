import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';

/**
 * What a node answered, as far as it is used here.
 * @param schema of that part: the rest may be of another version
 * @param url who answered
 * @throws QuarryError UNSUPPORTED
 */
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answered: unknown,
  url: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(answered);
  if (!error) return data;
  const why = z.prettifyError(error).slice(0, 300);
  const message = `What answers at ${url} is no node of Quarry, or one of another version: ${why}`;
  throw new QuarryError({ code: 'UNSUPPORTED', message }, { cause: error });
}
