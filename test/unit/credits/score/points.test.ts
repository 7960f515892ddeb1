import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complexityPoints, pointsFor, qualityPoints, speedPoints } from '../../../../src-main/credits/score/points.ts';

describe('points', () => {
  it.each([
    [0, 5],
    [499, 5],
    [500, 4],
    [999, 4],
    [1_000, 3],
    [1_999, 3],
    [2_000, 2],
    [2_999, 2],
    [3_000, 1],
    [4_999, 1],
    [5_000, 0],
    [600_000, 0],
  ])('%i ms earn %i for speed', (ms, points) => expect(speedPoints(ms)).toBe(points));

  it.each([
    [0, 0],
    [49, 0],
    [50, 1],
    [149, 2],
    [150, 3],
    [1_000_000, 3],
  ])('a prompt of %i characters earns %i for complexity', (chars, points) =>
    expect(complexityPoints(chars)).toBe(points),
  );

  it.each([
    [0, 1],
    [100, 1],
    [101, 2],
  ])('an answer of %i characters earns %i for quality', (chars, points) => expect(qualityPoints(chars)).toBe(points));

  it('a request is worth 1 to 10', () => {
    const nat = fc.nat({ max: 10_000_000 });
    fc.assert(
      fc.property(nat, nat, nat, (processingMs, promptChars, resultChars) => {
        const points = pointsFor({ processingMs, promptChars, resultChars });
        expect(points).toBeGreaterThanOrEqual(1);
        expect(points).toBeLessThanOrEqual(10);
      }),
    );
    expect(pointsFor({ processingMs: 100, promptChars: 150, resultChars: 101 })).toBe(10);
  });
});
