import { z } from 'zod';

/**
 * Lists and records that a stranger may send. They are measured before anything in them is looked at, and a list is read no
 * further than its first fault. zod alone copies a record of any size, and makes an issue of every element that is wrong, within
 * unions one for each branch: four megabytes of `[1,1,1,…]` cost five seconds and a gigabyte.
 */

/** What the lists below are made of, by their definition: zod sees a function there, and whoever makes examples wants to know. */
export const BOUNDED_LISTS = new WeakMap<z.core.$ZodTypeDef, { element: z.ZodType; max: number; min: number }>();

/** @param max most elements */
export function boundedArray<Element extends z.ZodType>(element: Element, max: number, min: 0 | 1 = 0) {
  const list = arrayReader(element, max, min);
  BOUNDED_LISTS.set(list._zod.def, { element, max, min });
  return list;
}

function arrayReader<Element extends z.ZodType>(element: Element, max: number, min: number) {
  return z.custom<z.input<Element>[]>().transform((list, context): z.output<Element>[] => {
    const refuse = (issue: z.core.$ZodRawIssue) => {
      context.issues.push(issue);
      return z.NEVER;
    };
    if (!Array.isArray(list)) return refuse({ code: 'invalid_type', expected: 'array', input: list });
    const size = { origin: 'array', input: undefined, inclusive: true };
    if (list.length > max) return refuse({ ...size, code: 'too_big', maximum: max });
    if (list.length < min) return refuse({ ...size, code: 'too_small', minimum: min, message: 'must not be empty' });
    const read: z.output<Element>[] = [];
    for (const [index, each] of list.entries()) {
      const { success, data, error } = element.safeParse(each);
      const [issue] = error?.issues ?? [];
      if (issue) return refuse({ ...issue, path: [index, ...issue.path], input: undefined });
      if (success) read.push(data);
    }
    return read;
  });
}

/** @param max most keys */
export function boundedRecord<Value extends z.ZodType>(key: z.ZodString, value: Value, max: number) {
  return z.preprocess(
    (record: Record<string, z.input<Value>>, context) => {
      if (!hasMoreKeys(record, max)) return record;
      context.issues.push({ code: 'too_big', origin: 'object', maximum: max, inclusive: true, input: undefined });
      return z.NEVER;
    },
    z.record(key, value),
  );
}

/** Counts no further than it has to, and makes no list of the keys. */
function hasMoreKeys(record: unknown, max: number): boolean {
  if (typeof record !== 'object' || record === null) return false;
  let count = 0;
  for (const _ in record) if (++count > max) return true;
  return false;
}
