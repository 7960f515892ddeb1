import { expect, it } from 'vitest';
import {
  cosinesOf,
  type Reading,
  thresholdsFrom,
  whyUnlike,
} from '../../../../src-main/clips/calibration/thresholds-from.ts';

const at = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
};
const reading = (group: string, vector: number, copy: number, text: number): Reading => ({
  ...{ group, vector: at(vector), copy: at(copy), text: at(text) },
});
const rounded = (numbers: Float32Array) => [...numbers].map((one) => Math.round(one * 1_000) / 1_000);

it('holds each against its copy and its words, and against all of other groups', async () => {
  const { copies, others, fitting, unfitting } = await cosinesOf([
    reading('a', 0, 10, 60),
    reading('a', 5, 5, 65), // of the same film: held against the third alone
    reading('b', 90, 70, 120),
  ]);
  expect(rounded(copies)).toEqual([0.94, 0.985, 1]); // 20°, 10°, 0°
  expect(rounded(others)).toEqual([0, 0, 0.087, 0.087]); // each pair both ways
  expect(rounded(fitting)).toEqual([0.5, 0.5, 0.866]);
  expect(rounded(unfitting)).toEqual([-0.5, -0.423, 0.866, 0.906]); // 120°, 115°, and the other way round
});

const cosines = (parts: { copies: number[]; others: number[]; fitting: number[]; unfitting: number[] }) => ({
  copies: Float32Array.from(parts.copies).sort(),
  others: Float32Array.from(parts.others).sort(),
  fitting: Float32Array.from(parts.fitting).sort(),
  unfitting: Float32Array.from(parts.unfitting).sort(),
});
/** A hundred, evenly from one to the other. */
const from = (low: number, high: number) => Array.from({ length: 100 }, (_, step) => low + (step / 100) * (high - low));

it('puts each threshold where its rule says', () => {
  const thresholds = thresholdsFrom(
    cosines({ copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) }),
  );
  expect(thresholds).toEqual({
    same: 0.901, // the 1st of copies
    novel: 0.302, // 1 − half way from .901 to .495
    unrelated: 0.2, // the 75th of unfitting
    closest: 0.5, // the 95th of fitting is above what may be
  });
});

it('goes by own words and by others where copies or words of others alone would mislead', () => {
  const { same, unrelated, closest } = thresholdsFrom(
    cosines({ copies: from(0, 1), others: from(0.4, 0.8), fitting: from(-0.2, 0.2), unfitting: from(-0.1, 0.3) }),
  );
  expect(same).toBe(0.6); // the 1st of copies, .01, is below the 50th of others
  expect(unrelated).toBe(-0.18); // the 5th of fitting is below the 75th of unfitting, .2
  expect(closest).toBe(0.18); // the 95th of fitting
});

it('keeps thresholds within what a model’s folder may say, whatever was measured', () => {
  const odd = thresholdsFrom(
    cosines({ copies: from(-1, -0.9), others: from(-1, -0.95), fitting: from(-1, -0.5), unfitting: from(-1, -0.6) }),
  );
  expect([odd.same, odd.novel, odd.closest]).toEqual([0, 1, 0]);
  expect(thresholdsFrom(cosines({ copies: [1], others: [1], fitting: [0.3], unfitting: [0.1] }))).toEqual({
    same: 1,
    novel: 0,
    unrelated: 0.1,
    closest: 0.3,
  });
});

it('says why nothing can be told by them', () => {
  const good = { copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) };
  expect(whyUnlike(cosines(good))).toBeUndefined();
  expect(whyUnlike(cosines({ ...good, others: from(0.9, 1) }))).toBe('copies');
  expect(whyUnlike(cosines({ ...good, fitting: from(-0.1, 0.3) }))).toBe('words');
});

it('is misled neither by few copies and pairs, nor content with half of the words', () => {
  const good = { copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) };
  const some = (count: number, value: number, rest: number[]) => [...Array(count).fill(value), ...rest.slice(count)];
  // 7 of a hundred copies are as far as others are: that is too many; 4 are not.
  expect(whyUnlike(cosines({ ...good, copies: some(7, 0.3, from(0.9, 1)) }))).toBe('copies');
  expect(whyUnlike(cosines({ ...good, copies: some(4, 0.3, from(0.9, 1)) }))).toBeUndefined();
  // 5 of a hundred pairs are the same film.
  expect(whyUnlike(cosines({ ...good, others: some(5, 0.99, from(0, 0.5)) }))).toBeUndefined();
  // The middle own words, .15, are closer than half of the others, .1, and not than three quarters, .2.
  expect(whyUnlike(cosines({ ...good, fitting: from(0, 0.3) }))).toBe('words');
});
