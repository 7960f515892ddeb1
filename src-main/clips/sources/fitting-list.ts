import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';

/**
 * A list of which what does not fit is left out: one odd video is no reason to do without all others. Where nothing of it fits, the list is of something else.
 * @param max most elements
 */
export function fittingList<Element extends z.ZodType>(element: Element, max: number) {
  return boundedArray(z.unknown(), max).transform((list, context): z.output<Element>[] => {
    const fitting = list.flatMap((each) => {
      const { success, data } = element.safeParse(each);
      return success ? [data as z.output<Element>] : [];
    });
    if (list.length === 0 || fitting.length > 0) return fitting;
    context.issues.push({ code: 'custom', message: 'nothing fits', input: undefined });
    return z.NEVER;
  });
}
