import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { MAX_CONTENT_PARTS } from '../../../src-preload/contract/limits.ts';
import { textSchema } from '../../../src-preload/contract/request.ts';

/** Content of messages: a text, or several. Of what is no text it is said that no model here takes it, and why. */

const PICTURES = 'no model here has a projector, without which it sees no pictures; send a text';
const SOUND = 'no model here hears; send as text what is said there';
const FILES = 'files are not read here; send their text';

/** Kinds of parts that OpenAI's models take, with the field at fault. */
const OTHER_PARTS: ReadonlyMap<unknown, [field: string, why: string]> = new Map([
  ['image_url', ['image_url', PICTURES]],
  ['input_image', ['image_url', PICTURES]],
  ['input_audio', ['input_audio', SOUND]],
  ['file', ['file', FILES]],
  ['input_file', ['type', FILES]],
]);

/** @param part reads a part that is a text */
export function contentSchema(part: z.ZodType<string>) {
  const told = z.preprocess((given, context) => {
    const other = OTHER_PARTS.get((given as { type?: unknown } | null)?.type);
    if (!other) return given;
    const [field, message] = other;
    context.issues.push({ code: 'custom', path: [field], message, input: undefined });
    return z.NEVER;
  }, part);
  return z.union([
    textSchema,
    boundedArray(told, MAX_CONTENT_PARTS, 1)
      .transform((texts) => texts.join('\n'))
      .pipe(textSchema),
  ]);
}

/**
 * A list whose elements have content. Parts are counted over all of them before any is read: a thousand parts in each would be a lot of work.
 * @param contentOf whatever it is: the list is a stranger's
 */
export function boundedContents<Element extends z.ZodType>(
  element: Element,
  most: number,
  contentOf: (element: Record<string, unknown>) => unknown = ({ content }) => content,
) {
  const partsOf = (given: unknown) => {
    const content = contentOf((given ?? {}) as Record<string, unknown>);
    return Array.isArray(content) ? content.length : 0;
  };
  return z.preprocess(
    (list: z.input<Element>[], context) => {
      if (!Array.isArray(list) || list.length > most) return list;
      if (list.reduce<number>((sum, each) => sum + partsOf(each), 0) <= MAX_CONTENT_PARTS) return list;
      const message = `must not have more than ${MAX_CONTENT_PARTS} parts in all`;
      context.issues.push({ code: 'custom', message, input: undefined });
      return z.NEVER;
    },
    boundedArray(element, most, 1),
  );
}
