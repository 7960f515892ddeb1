import { expect, it, onTestFinished, vi } from 'vitest';
import { midnights } from '../../../src-main/base/days.ts';

it('days begin at midnight where the machine stands, also when the clocks change', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'Europe/Berlin');
  const autumn = midnights(Date.UTC(2026, 9, 26, 12), 3);
  expect(autumn.map((at) => new Date(at).toISOString())).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
  const spring = midnights(Date.UTC(2026, 2, 29, 23, 30), 3); // half past one, on the 30th
  expect(spring.map((at) => new Date(at).toISOString())).toEqual([
    '2026-03-27T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
});
