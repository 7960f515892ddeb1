import { z } from 'zod';
import { faultText } from '../../../base/value-fault.ts';
import type { DatasetKind } from '../../../validation/datasets/dataset-kind.ts';
import { ROW_FIELDS, rowText, rowWords } from '../../../validation/datasets/row-fields.ts';
import { type Reckoned, reckoning } from './elr.ts';
import { numberOf } from './number.ts';

const MOST_PROBLEM = 60_000;
/** Of a number of JSON that are what was written there: more are rounded as it is read. */
const EXACT_DIGITS = 15;

/** As a number or as text, in any way that an answer may be written; in plain digits afterwards. */
const answer = z.union([z.number(), rowText(2_000)]).transform((given, context) => {
  const number = typeof given === 'string' || isExact(given) ? numberOf(String(given)) : undefined;
  if (number === undefined) context.addIssue({ code: 'custom', message: faultText('value.exactNumber') });
  return number ?? z.NEVER;
});

const row = z.object({ ...ROW_FIELDS, problem: rowWords(MOST_PROBLEM), numerical_answer: answer });

const isExact = (given: number) =>
  Number.isSafeInteger(given) || String(given).replace(/\D/g, '').length <= EXACT_DIGITS;

/** Problems with a number for an answer. */
export const elrRows: DatasetKind<z.output<typeof row>, Reckoned> = {
  name: 'elr',
  version: '1',
  row,
  pose: async (_, draw) => {
    const { problem, numerical_answer: answer } = await draw();
    return { text: problem.trim(), answer };
  },
  ...reckoning,
};
