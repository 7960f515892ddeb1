import { expect, it } from 'vitest';
import { checkMyNodes } from '../../../../src-main/hardware/doctor/my-nodes.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;

it.each([
  [[], 'skip', 'No other node is paired with this one.'],
  [[{ online: true }], 'ok', 'Connected: 1 of 1 paired node.'],
  [[{ online: true }, { online: false, seenAt: NOW - 60_000 }], 'ok', 'Connected: 1 of 2 paired nodes.'],
  [
    [{ online: true }, { online: false, seenAt: NOW - 3 * DAY }, { online: false, seenAt: NOW - DAY }],
    'ok',
    'Connected: 1 of 3 paired nodes. Longest away: 3 days.',
  ],
] as const)('of %o says %s: %s', (others, status, found) => {
  const { said: _, ...result } = checkMyNodes(others, NOW);
  expect(result).toEqual({ name: 'my nodes', status, found });
});

it('warns where none is connected, and says what to do', () => {
  expect(checkMyNodes([{ online: false, seenAt: NOW - DAY }], NOW)).toMatchObject({
    status: 'warn',
    found: 'Connected: 0 of 1 paired node. Longest away: 1 day.',
    advice: expect.stringContaining('quarry my-nodes'),
  });
});
