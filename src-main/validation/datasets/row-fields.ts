import { z } from 'zod';
import { faultText } from '../../base/value-fault.ts';

/** But for what ends lines and indents them: neither a prompt nor an answer has any. */
const CONTROLS = /(?![\n\r\t])\p{Cc}/u;

/** A text of a row that models read or programs are given. @param most characters */
export const rowText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed() && !CONTROLS.test(value), faultText('value.controls'));

/** The same, of which something has to be there. */
export const rowWords = (most: number) =>
  rowText(most).refine((value) => value.trim() !== '', faultText('value.blank'));

/** What every row may have beside its own. What is null counts as not there: tables have no other way. */
export const ROW_FIELDS = {
  id: z
    .union([z.int(), rowText(200)])
    .transform(String)
    .nullish()
    .transform((id) => id ?? undefined),
  license: rowText(200)
    .nullish()
    .transform((license) => license ?? undefined),
};
