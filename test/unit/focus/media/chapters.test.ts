import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { chaptersOf } from '../../../../src-main/focus/media/chapters.ts';

/** Seconds in which little moves, but for some. */
function seconds(count: number, moved: Record<number, number> = {}) {
  return Array.from({ length: count }, (_, at) => ({ activeMs: (at + 1) * 1_000, motion: moved[at] ?? 20 }));
}

/** Pictures ten seconds apart, of which some look quite different. */
function changes(count: number, changed: Record<number, number> = {}) {
  return Array.from({ length: count }, (_, index) => {
    return { fromMs: index * 10_000, atMs: (index + 1) * 10_000, share: changed[index] ?? 0.02 };
  });
}

it('is one chapter where nothing changes', () => {
  expect(chaptersOf(changes(60), seconds(600))).toEqual([0]);
  expect(chaptersOf([], [])).toEqual([0]);
});

it('begins chapters in the second in which most moved, between pictures that differ', () => {
  const moved = { 123: 1_200, 127: 300, 405: 1_000 };
  expect(chaptersOf(changes(60, { 12: 0.5, 40: 0.8 }), seconds(600, moved))).toEqual([0, 123_000, 405_000]);
});

it('knows a scene also where no motion was told, and a jump that was taken back between two pictures', () => {
  expect(chaptersOf(changes(60, { 30: 0.5 }), [])).toEqual([0, 310_000]);
  expect(chaptersOf(changes(60), seconds(600, { 222: 2_000 }))).toEqual([0, 222_000]);
});

it('keeps the greater of two that are less than 20 seconds apart', () => {
  const found = chaptersOf(changes(60, { 12: 0.5, 13: 0.9 }), seconds(600, { 125: 2_300, 135: 1_500 }));
  expect(found).toEqual([0, 135_000]);
});

it('has at most 20, the greatest of all', () => {
  const changed = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [4 * index, index === 50 ? 1 : 0.4]));
  const found = chaptersOf(changes(360, changed), seconds(3_600));
  expect(found).toHaveLength(20);
  expect(found.some((ms) => ms >= 2_000_000 && ms <= 2_010_000)).toBe(true);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

/** Spans one after the other, of any length, also none; many begin at once. */
const spans = (most: number) =>
  fc.array(fc.nat(90), { maxLength: most }).map((ends) => {
    const sorted = ends.map((end) => 1_000 * end).toSorted((a, b) => a - b);
    return sorted.map((toMs, index) => ({ fromMs: sorted[index - 1] ?? 0, toMs }));
  });

it('finds the second in which most moved wherever pictures and seconds begin, also beyond the last second', () => {
  fc.assert(
    fc.property(spans(80), spans(12), fc.infiniteStream(fc.nat(9)), (lived, looked, numbers) => {
      const next = () => numbers.next().value ?? 0;
      const all = lived.map((span) => ({ ...span, activeMs: span.toMs, motion: next() }));
      const pictures = looked.map(({ fromMs, toMs: atMs }) => ({ fromMs, atMs, share: next() / 9 }));
      const [change] = pictures.filter(({ share }) => share >= 0.35).toSorted((a, b) => b.share - a.share);
      if (!change) return;
      const within = all.filter((one) => one.toMs > change.fromMs && one.fromMs < change.atMs);
      const [most] = within.toSorted((a, b) => b.motion - a.motion);
      const begins = Math.max(change.fromMs, most?.fromMs ?? change.atMs);
      // The greatest change is a chapter, unless the first one is too near.
      if (begins >= 20_000) expect(chaptersOf(pictures, all)).toContain(begins);
    }),
    { numRuns: 2_000 },
  );
});
