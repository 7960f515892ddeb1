import fc from 'fast-check';
import { expect, it } from 'vitest';
import { betaBelow, betaQuantile } from '../../../../src-main/validation/scoring/beta.ts';

it.each([
  // By SciPy’s beta.ppf.
  [0.1, 0.5, 0.5, 0.024471741852423214],
  [0.9, 0.5, 0.5, 0.9755282581475768],
  [0.1, 1.5, 3.5, 0.07525707350021323],
  [0.1, 200.5, 0.5, 0.9932673620945638],
  [0.1, 0.5, 200.5, 3.942684252426894e-5],
  [0.9, 180.5, 20.5, 0.9243505758805265],
  [0.1, 4_500.5, 500.5, 0.8944485339360131],
  [0.9, 50_000.5, 50_000.5, 0.5020262975574474],
  [0.9, 0.5, 1e6, 1.3527711502449259e-6],
])('%d of Beta(%d, %d) lies below %d', (part, a, b, x) => {
  expect(betaQuantile(part, a, b) / x).toBeCloseTo(1, 7);
});

it('a quantile and the part below it are each other’s reverse, on both sides of the mean', () => {
  const parameter = fc.double({ min: 0.5, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), parameter, parameter, (part, a, b) => {
      const x = betaQuantile(part, a, b);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(1);
      // What lies closer to 1 than two numbers do to each other cannot be told from it.
      if (x < 1 - 1e-6) expect(betaBelow(x, a, b)).toBeCloseTo(part, 6);
    }),
  );
});

it('has ends', () => {
  expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3), betaBelow(-1, 2, 3), betaBelow(2, 2, 3)]).toEqual([0, 1, 0, 1]);
});
