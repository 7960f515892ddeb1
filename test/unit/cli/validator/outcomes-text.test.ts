import { expect, it } from 'vitest';
import { outcomesText } from '../../../../src-main/cli/validator/outcomes-text.ts';

it.each([
  [{ answered: 120, failed: 6, notReached: 2 }, '120 answers · 6 unanswered · 2 not reached'],
  [{ answered: 1, failed: 0, notReached: 2 }, '1 answer · 2 not reached'],
  [{ answered: 0, failed: 0, notReached: 0 }, '0 answers'],
])('what came of %o is told as «%s»', (counts, text) => {
  expect(outcomesText(counts)).toBe(text);
});
