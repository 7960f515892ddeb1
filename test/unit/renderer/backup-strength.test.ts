import { expect, it } from 'vitest';
import { backupFileName } from '../../../src-renderer/components/backup/file-name.ts';
import { strengthOf } from '../../../src-renderer/components/backup/strength.ts';

it('a password is weak or strong by its length, its kinds of characters, and whether it repeats', () => {
  const strengths = ['short', 'aaaaaaaaaaaaaaaa', '1234567890', 'violet stone', 'violet stone harbour engine 7'];
  expect(strengths.map(strengthOf)).toEqual(['short', 'weak', 'weak', 'weak', 'strong']);
});

it('a backup is called by its node and the day', () => {
  expect(backupFileName('ab'.repeat(32), new Date(2026, 10, 3))).toBe('quarry-abababab-2026-11-03.quarry-backup');
});
