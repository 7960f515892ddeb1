import { expect, it } from 'vitest';
import { openPlaces } from '../../../src-main/base/open-places.ts';
import { CAPACITY } from '../../../src-main/hardware/health-score.ts';

it.each([
  ['idle', 5],
  ['light', 4],
  ['moderate', 3],
  ['busy', 2],
  ['overloaded', 0],
] as const)('%s leaves %i of 5 places', (state, places) => {
  expect(openPlaces(5, { capacity: CAPACITY[state] })).toBe(places);
});

it('leaves one place of one until the node is overloaded', () => {
  expect(openPlaces(1, { capacity: CAPACITY.busy })).toBe(1);
});
