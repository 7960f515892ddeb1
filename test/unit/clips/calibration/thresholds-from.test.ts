import { describe, expect, it } from 'vitest';
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

it('goes by others and by their words where copies or own words alone would mislead', () => {
  const { same, unrelated, closest } = thresholdsFrom(
    cosines({ copies: from(0, 1), others: from(0.4, 0.8), fitting: from(-0.2, 0.2), unfitting: from(-0.1, 0.3) }),
  );
  expect(same).toBe(0.76); // the 1st of copies, .01, is below the 90th of others
  expect(unrelated).toBe(0.1); // the 5th of fitting, −.18, is below half of unfitting
  expect(closest).toBe(0.18); // the 95th of fitting
});

it('keeps thresholds within bounds that no library may pass', () => {
  const far = { copies: from(-1, -0.9), others: from(-1, -0.95), fitting: from(-1, -0.5), unfitting: from(-1, -0.6) };
  const odd = thresholdsFrom(cosines(far));
  // What is made up of a topic and a description alone can be as close as √½ to a clip.
  expect([odd.same, odd.closest]).toEqual([0.71, 0]);
  const near = thresholdsFrom(cosines({ copies: [1], others: [1], fitting: [0.3], unfitting: [0.1] }));
  // With 1 every honest reading would be a lie, and with a distance of 0 nothing would ever be known.
  expect(near).toEqual({ same: 0.99, novel: 0.01, unrelated: 0.1, closest: 0.3 });
});

it('never calls new what it calls the same', () => {
  const { same, novel } = thresholdsFrom(
    cosines({ copies: from(0.6, 1), others: from(0.5, 0.99), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) }),
  );
  expect(1 - novel).toBeLessThanOrEqual(same + 1e-9);
});

describe('with clips that somebody put there', () => {
  const honest = { copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.4), unfitting: from(-0.1, 0.3) };
  const before = thresholdsFrom(cosines(honest));
  /** The first so many of a hundred are others. */
  const oddly = (numbers: number[], count: number, value: number) => [
    ...Array.from({ length: count }, () => value),
    ...numbers.slice(count),
  ];

  it.each([1, 3, 9])(
    'of which %i of a hundred are nothing like their copies, a liar is found out as before',
    (count) => {
      const { same, novel } = thresholdsFrom(cosines({ ...honest, copies: oddly(honest.copies, count, -1) }));
      expect(same).toBeGreaterThan(before.same - 0.06);
      expect(novel).toBeLessThan(before.novel + 0.03);
    },
  );

  it('of which a tenth of all pairs are the same film under another id, what is known stays known', () => {
    const { novel } = thresholdsFrom(cosines({ ...honest, others: oddly(honest.others, 9, 1) }));
    expect(novel).toBeGreaterThan(before.novel - 0.11); // .05 by the 99th percentile alone
  });

  it('of which the words are about something else, clips cannot be bent further', () => {
    const { unrelated } = thresholdsFrom(cosines({ ...honest, fitting: oddly(honest.fitting, 50, -1) }));
    expect(unrelated).toBe(0.1); // half of the words of others are as close
  });

  it('of which the words are their numbers, hardly any words count as closer', () => {
    const { closest } = thresholdsFrom(cosines({ ...honest, fitting: oddly(honest.fitting, 9, 1) }));
    expect(closest).toBeLessThan(before.closest + 0.1);
  });
});

it('says why nothing can be told by them', () => {
  const good = { copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) };
  expect(whyUnlike(cosines(good))).toBeUndefined();
  expect(whyUnlike(cosines({ ...good, others: from(0.9, 1) }))).toBe('copies');
  expect(whyUnlike(cosines({ ...good, others: from(0.995, 1), copies: from(1, 1) }))).toBe('copies');
  expect(whyUnlike(cosines({ ...good, fitting: from(-0.1, 0.3) }))).toBe('words');
  expect(whyUnlike(cosines({ ...good, fitting: from(0.7, 0.9), unfitting: from(0.5, 0.7) }))).toBe('scale');
  expect(whyUnlike(cosines({ ...good, fitting: from(-0.3, -0.1), unfitting: from(-0.9, -0.5) }))).toBe('scale');
  const odd = [...from(0.9, 1).slice(9), ...Array.from({ length: 9 }, () => -1)];
  expect(whyUnlike(cosines({ ...good, copies: odd }))).toBeUndefined(); // nobody keeps it from being measured with a few
});

it('is misled neither by few copies and pairs, nor content with half of the words', () => {
  const good = { copies: from(0.9, 1), others: from(0, 0.5), fitting: from(0.2, 0.6), unfitting: from(-0.1, 0.3) };
  const some = (count: number, value: number, rest: number[]) => [...Array(count).fill(value), ...rest.slice(count)];
  // 12 of a hundred copies are as far as others are: that is too many; 4 are not.
  expect(whyUnlike(cosines({ ...good, copies: some(12, 0.3, from(0.9, 1)) }))).toBe('copies');
  expect(whyUnlike(cosines({ ...good, copies: some(4, 0.3, from(0.9, 1)) }))).toBeUndefined();
  // 5 of a hundred pairs are the same film.
  expect(whyUnlike(cosines({ ...good, others: some(5, 0.99, from(0, 0.5)) }))).toBeUndefined();
  // The middle own words, .15, are closer than half of the others, .1, and not than three quarters, .2.
  expect(whyUnlike(cosines({ ...good, fitting: from(0, 0.3) }))).toBe('words');
});
