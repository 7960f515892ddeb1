import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isLocked, tryLock } from '../../../src-main/base/file-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('is held by one at a time, and can be taken again', () => {
  const path = join(folder, 'a.lock');
  expect(isLocked(path)).toBe(false);
  const lock = tryLock(path);
  expect([isLocked(path), tryLock(path)]).toEqual([true, undefined]);
  lock?.close();
  expect(isLocked(path)).toBe(false);
  const again = tryLock(path);
  expect(again).toBeDefined();
  again?.close();
});

it('says what is wrong with a file that cannot be used', () => {
  expect(() => tryLock(join(folder, 'missing', 'a.lock'))).toThrow();
});
