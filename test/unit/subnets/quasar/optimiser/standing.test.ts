import { describe, expect, it } from 'vitest';
import {
  betterOf,
  nextOf,
  type Tried,
  temperatureOf,
} from '../../../../../src-main/subnets/quasar/optimiser/standing.ts';

const BOUNDS = { iterations: 10, plateau: 3, repairs: 2 };

const tried = (iteration: number, more: Partial<Tried> = {}): Tried => ({
  ...{ number: iteration, iteration, repair: 0, outcome: 'measured', source: 'x', detail: null },
  ...{ ratio: 1, low: 0.9, high: 1.1 },
  ...more,
});

describe('what is tried next', () => {
  it('is the first idea, and a mended one as often as that is allowed', () => {
    expect(nextOf(undefined, undefined, BOUNDS)).toEqual({ iteration: 1, repair: 0, sinceGain: 0 });
    const faulty = tried(1, { outcome: 'syntax', low: null });
    expect(nextOf(undefined, faulty, BOUNDS)).toMatchObject({ iteration: 1, repair: 1, mends: faulty });
    expect(nextOf(undefined, { ...faulty, repair: 2 }, BOUNDS)).toMatchObject({ iteration: 2, repair: 0 });
  });

  it('is a new idea after one that was measured, however slow', () => {
    expect(nextOf(tried(1), tried(2), BOUNDS)).toEqual({ iteration: 3, repair: 0, sinceGain: 1 });
  });

  it('is nothing on a plateau, which begins anew with each gain and where somebody goes on', () => {
    expect(nextOf(tried(2), tried(4), BOUNDS)).toMatchObject({ iteration: 5, sinceGain: 2 });
    expect(nextOf(tried(2), tried(5), BOUNDS)).toBe('plateau');
    expect(nextOf(tried(2), tried(5), BOUNDS, 5)).toMatchObject({ iteration: 6, sinceGain: 0 });
    expect(nextOf(undefined, tried(3, { low: null, outcome: 'wrong', repair: 2 }), BOUNDS)).toBe('plateau');
  });

  it('is nothing after the last idea, but mends that one', () => {
    expect(nextOf(tried(9), tried(10), BOUNDS)).toBe('iterations');
    expect(nextOf(tried(9), tried(10, { outcome: 'trap', low: null }), BOUNDS)).toMatchObject({ repair: 1 });
  });
});

it('the best is what is the fastest for certain', () => {
  const sure = tried(1, { ratio: 1.2, low: 1.15 });
  const lucky = tried(2, { ratio: 1.5, low: 0.8 });
  expect(betterOf(sure, lucky)).toBe(sure);
  expect(betterOf(sure, tried(3, { low: null }))).toBe(sure);
  expect(betterOf(undefined, lucky)).toBe(lucky);
  expect(betterOf(lucky, sure)).toBe(sure);
});

it('grows bolder with each idea that brought nothing, and mends without daring', () => {
  expect([0, 1, 5, 6, 40].map((sinceGain) => temperatureOf({ repair: 0, sinceGain }))).toEqual([0.4, 0.5, 0.9, 1, 1]);
  expect(temperatureOf({ repair: 1, sinceGain: 9 })).toBe(0.2);
});
