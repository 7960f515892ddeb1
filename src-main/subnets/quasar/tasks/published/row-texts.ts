import { z } from 'zod';
import { faultText } from '../../../../base/value-fault.ts';

/**
 * A text of a published row. It may have what old scans and typesetters leave in it, page breaks say; but no zero, at which some engines
 * stop reading, and no half character.
 * @param most UTF-16 units
 */
export const publishedText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), faultText('value.controls'));

/** The same, of which something has to be there. */
export const publishedWords = (most: number) =>
  publishedText(most).refine((value) => value.trim() !== '', faultText('value.blank'));

/** What may as well be missing: tables write nothing as null. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** What a row is called by its file. */
export const rowName = maybe(z.union([z.int().transform(String), publishedText(200)]));

/** Of the text that is asked about. */
export const MOST_CONTEXT = 8_000_000;
