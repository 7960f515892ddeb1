import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256OfFile } from '../../../src-main/base/sha256.ts';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-sha256-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('hashes a file, tells how far it is, and gives up when asked to', async () => {
  const path = join(folder, 'abc');
  await writeFile(path, 'abc');
  let read = 0;
  const hash = await sha256OfFile(path, undefined, (bytes) => {
    read += bytes;
  });
  expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(read).toBe(3);
  expect(sha256Schema.safeParse(hash).success).toBe(true);
  expect(sha256Schema.safeParse(hash.toUpperCase()).success).toBe(false);
  await expect(sha256OfFile(path, AbortSignal.abort())).rejects.toThrow('aborted');
});
