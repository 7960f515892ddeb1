import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CAPACITY,
  type HealthInputs,
  healthParts,
  healthScore,
  healthState,
  occupation,
  smoothLoad,
} from '../../../src-main/hardware/health-score.ts';

const inputs = (parts: Partial<HealthInputs> = {}): HealthInputs => ({
  othersCpu: 0,
  load: 0,
  memoryAvailable: 8,
  memoryTotal: 8,
  queueLength: 0,
  queueCapacity: 10,
  ...parts,
});

const score = (parts: Partial<HealthInputs>) => healthScore(healthParts(inputs(parts)));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyInputs = fc
  .tuple(share, share, share, fc.nat(20), fc.integer({ min: 1, max: 20 }))
  .map(([othersCpu, load, memory, queueLength, queueCapacity]) =>
    inputs({ othersCpu, load, memoryAvailable: memory * 8, queueLength, queueCapacity }),
  );

describe('healthScore', () => {
  it.each([
    ['nothing is wrong', {}, 100],
    ['others use the whole CPU', { othersCpu: 1 }, 70],
    ['no memory is available', { memoryAvailable: 0 }, 70],
    ['the last minute was busy', { load: 1 }, 80],
    ['the queue is full', { queueLength: 10 }, 80],
    ['everything is wrong', { othersCpu: 1, load: 1, memoryAvailable: 0, queueLength: 10 }, 0],
    ['everything is half', { othersCpu: 0.5, load: 0.5, memoryAvailable: 4, queueLength: 5 }, 50],
  ])('when %s', (_, parts, expected) => {
    expect(score(parts)).toBe(expected);
  });

  it('stays within 0 and 100, whatever the figures', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const value = healthScore(healthParts(given));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('never rises when something gets worse', () => {
    fc.assert(
      fc.property(anyInputs, share, (given, more) => {
        const worse = { ...given, othersCpu: Math.min(1, given.othersCpu + more), queueLength: given.queueLength + 1 };
        expect(healthScore(healthParts(worse))).toBeLessThanOrEqual(healthScore(healthParts(given)));
      }),
    );
  });

  it('never calls a worker overloaded by its own work alone', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        expect(healthState(healthScore(healthParts({ ...given, othersCpu: 0 })))).not.toBe('overloaded');
      }),
    );
  });

  it('does not count a queue without places as an empty one', () => {
    expect(healthParts(inputs({ queueCapacity: 0 })).queue).toBe(0);
  });
});

describe('healthState', () => {
  it.each([
    [100, 'idle'],
    [81, 'idle'],
    [80, 'light'],
    [61, 'light'],
    [60, 'moderate'],
    [41, 'moderate'],
    [40, 'busy'],
    [21, 'busy'],
    [20, 'overloaded'],
    [0, 'overloaded'],
  ])('%i is %s', (value, state) => {
    expect(healthState(value)).toBe(state);
  });

  it('opens 100, 80, 60, 40 and 0 percent', () => {
    expect(Object.values(CAPACITY)).toEqual([100, 80, 60, 40, 0]);
  });
});

describe('load', () => {
  it('adds what others use to what the engine uses of its share', () => {
    expect(occupation({ others: 0.25, engine: 0.5 })).toBe(0.75);
    expect(occupation({ others: 0.5, engine: 1 })).toBe(1);
  });

  it('takes the first sample as it is', () => {
    expect(smoothLoad(undefined, 0.4, 2_000)).toBe(0.4);
  });

  it('forgets all but 1/e in a minute, however often it is sampled', () => {
    let often = 1;
    for (let step = 0; step < 30; step++) often = smoothLoad(often, 0, 2_000);
    expect(often).toBeCloseTo(1 / Math.E);
    expect(smoothLoad(1, 0, 60_000)).toBeCloseTo(1 / Math.E);
  });
});
