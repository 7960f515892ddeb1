import { expect, it } from 'vitest';
import { checkBackup } from '../../../../src-main/hardware/doctor/backup.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;

it.each([
  [{ lastAt: NOW - 1, worthIt: true }, 'ok', 'The last backup is less than a day old.'],
  [{ lastAt: NOW + DAY, worthIt: true }, 'ok', 'The last backup is less than a day old.'],
  [{ lastAt: NOW - 1.5 * DAY, worthIt: true }, 'ok', 'The last backup was made 1 day ago.'],
  [{ lastAt: NOW - 40 * DAY, worthIt: false }, 'ok', 'The last backup was made 40 days ago.'],
  [{ lastAt: null, worthIt: false }, 'ok', 'This node was never backed up. It has not earned much yet.'],
] as const)('of %o says %s: %s', (facts, status, found) => {
  const { said: _, ...result } = checkBackup(facts, NOW);
  expect(result).toEqual({ name: 'backup', status, found });
});

it('warns of a node that was never backed up and has something to lose, and says what to do', () => {
  expect(checkBackup({ lastAt: null, worthIt: true }, NOW)).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('never backed up'),
    advice: expect.stringContaining('quarry backup create'),
  });
});
