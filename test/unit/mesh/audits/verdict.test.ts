import { expect, it } from 'vitest';
import { verdictOf } from '../../../../src-main/mesh/audits/verdict.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const FIGURES = { found: 1.23456, threshold: 0.5, tokens: 512 };

it.each([
  ['top', 'the mean distance of its ten likeliest tokens'],
  ['chosen', 'the mean distance of its log-probabilities'],
  ['mismatches', 'the share of tokens that this file would not have chosen'],
] as const)(
  'says of somebody who was found out by %s what was measured, and what honest ones come to',
  (measure, words) => {
    expect(sentence(verdictOf({ measure, ...FIGURES }))).toBe(
      `over 512 tokens of its answers, ${words} is 1.235, where honest workers with the file that it declares stay below 0.500`,
    );
  },
);
