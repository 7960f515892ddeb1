import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

it('is held until it is closed, though nobody refers to it', async () => {
  const path = join(folder, 'a.lock');
  const held = new WeakRef(tryLock(path) ?? {});
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(setImmediate);
    collect();
  }
  expect(held.deref()).toBeUndefined();
  expect(isLocked(path)).toBe(true);
});

it('says what is wrong with a file that cannot be used', () => {
  expect(() => tryLock(join(folder, 'missing', 'a.lock'))).toThrow();
});
