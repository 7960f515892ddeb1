import { describe, expect, it } from 'vitest';
import { type AuditSums, addAudits } from '../../../../src-main/inference/verified/audit.ts';
import {
  findingOf,
  findingOfWhole,
  thresholdsOf,
  thresholdsOfWhole,
} from '../../../../src-main/inference/verified/thresholds.ts';

/** Probes whose first tokens are further off than the many that only repeat. */
const probes = Array.from({ length: 12 }, (_, probe) =>
  Array.from({ length: 256 }, (_, place): AuditSums => {
    const chosen = place < 32 ? 0.02 + 0.002 * probe : 0;
    return { tokens: 1, top: 0.07 + 0.004 * probe, chosen, mismatches: 0 };
  }),
);

it('an honest beginning is below what is for so many tokens, which stretches of the whole would not give', () => {
  const [whole, stretches] = [thresholdsOfWhole(probes), thresholdsOf(probes)];
  expect(whole[32].chosen).toBeGreaterThan(0.042);
  expect(stretches[32].chosen).toBeLessThan(whole[32].chosen);
  // Of what is alike within a probe, more tokens tell no more.
  expect(whole[128].top).toBeCloseTo(whole[32].top);
  expect(whole[32].top).toBeGreaterThan(0.114 * 1.2);
  expect([whole[2048].top, whole[2048].chosen]).toEqual([whole[512].top, whole[512].chosen]);
});

it('what never came about in so few tokens may come about once, and not again and again', () => {
  const { mismatches } = thresholdsOfWhole(probes)[32];
  expect(mismatches).toBeGreaterThan(1 / 32);
  expect(mismatches).toBeLessThan(2 / 32);
  expect(thresholdsOfWhole(probes)[512].mismatches).toBeLessThan(6 / 512);
});

describe('an answer whose end is farther off than its beginning', () => {
  const growing = probes.map((tokens) => tokens.map((each, place) => ({ ...each, top: place < 32 ? 0.02 : 0.2 })));
  const thresholds = thresholdsOfWhole(growing);
  const [probe = []] = growing;
  const upTo = (count: number, factor = 1) => {
    const sums = addAudits(probe.slice(0, count));
    return { ...sums, top: factor * sums.top };
  };

  it('is held against the larger of what is for more tokens and for fewer', () => {
    expect(findingOf(upTo(64), thresholds)).toMatchObject({ measure: 'top', tokens: 64 });
    for (const count of [32, 64, 128, 200, 256]) expect(findingOfWhole(upTo(count), thresholds)).toBeUndefined();
  });

  it('is found out all the same where it is farther off than that, and not where it is too short', () => {
    expect(findingOfWhole(upTo(64, 3), thresholds)).toMatchObject({ measure: 'top', threshold: thresholds[128].top });
    expect(findingOfWhole(upTo(256, 2), thresholds)).toMatchObject({ measure: 'top', tokens: 256 });
    expect(findingOfWhole(upTo(31, 100), thresholds)).toBeUndefined();
  });
});

it('nothing is said where there is nothing to go by', () => {
  expect(() => thresholdsOfWhole([])).toThrow(RangeError);
});
