import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartialFile } from '../../../../src-main/models/downloads/partial-file.ts';
import type { WantedModel } from '../../../../src-main/models/wanted-model.ts';

const wanted: WantedModel = { name: 'qwen', urls: ['https://example.org/qwen.gguf'], bytes: 10 };
const never = new AbortController().signal;

let folder: string;
let open: PartialFile[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-partial-'));
  open = [];
});
afterEach(async () => {
  for (const partial of open) await partial.close();
  await rm(folder, { recursive: true, force: true });
});

async function create(now?: () => number): Promise<PartialFile> {
  const partial = await PartialFile.create(folder, wanted, 'anywhere', now);
  open.push(partial);
  await partial.open();
  return partial;
}

function bytes(...values: number[]): Uint8Array[] {
  return values.map((value) => Uint8Array.of(value));
}

describe('PartialFile', () => {
  it('puts pieces where they belong, and knows when none is missing', async () => {
    const partial = await create();
    await partial.write(bytes(6, 7, 8, 9), 6);
    expect(partial.complete).toBe(false);
    await partial.write(bytes(0, 1, 2, 3, 4, 5), 0);
    expect(partial.complete).toBe(true);
    expect([...(await readFile(partial.path))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const sha256 = createHash('sha256')
      .update(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
      .digest('hex');
    expect(await partial.sha256(never)).toBe(sha256);
  });

  it('remembers over a restart whether a person typed the address', async () => {
    const partial = await PartialFile.create(folder, { ...wanted, typed: true }, 'anywhere');
    open.push(partial);
    await partial.open();
    expect((await PartialFile.load(folder, 'qwen'))?.state.wanted.typed).toBe(true);
  });

  it('says of bytes that they are there only after a flush', async () => {
    const partial = await create(() => 0);
    await partial.write(bytes(0, 1, 2), 0);
    expect((await PartialFile.load(folder, 'qwen'))?.received).toBe(0);
    await partial.flush();
    expect((await PartialFile.load(folder, 'qwen'))?.ranges).toEqual([{ start: 0, end: 3 }]);
  });

  it('flushes by itself once a second', async () => {
    let now = 0;
    const partial = await create(() => now);
    await partial.write(bytes(0), 0);
    now = 1_000;
    await partial.write(bytes(1), 1);
    await expect.poll(async () => (await PartialFile.load(folder, 'qwen'))?.received).toBe(2);
  });

  it('remembers what is wanted, who gave bytes and whether it was paused', async () => {
    const partial = await create();
    await partial.expect('example.org', '"1"', 10);
    await partial.setPaused(true);
    expect((await PartialFile.load(folder, 'qwen'))?.state).toMatchObject({
      wanted,
      givers: { 'example.org': '"1"' },
      bytes: 10,
      paused: true,
    });
  });

  it('keeps the last word when several things change at once', async () => {
    const partial = await create();
    await Promise.all([partial.setPaused(true), partial.expect('a', undefined, 10), partial.setPaused(false)]);
    expect((await PartialFile.load(folder, 'qwen'))?.state).toMatchObject({ paused: false, givers: { a: null } });
  });

  it('forgets its bytes when it begins again, and hashes the new ones only', async () => {
    const partial = await create();
    await partial.expect('a', undefined, 10);
    await partial.write(bytes(9, 9, 9), 0);
    await partial.restart();
    expect((await PartialFile.load(folder, 'qwen'))?.state).toMatchObject({ done: [], givers: {} });
    await partial.write(bytes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 0);
    const sha256 = createHash('sha256')
      .update(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
      .digest('hex');
    expect(await partial.sha256(never)).toBe(sha256);
  });

  it.each([
    ['is torn', '{"version":1,"wanted":{"name":"qwen"'],
    ['is of no version', '{"version":"1"}'],
    ['is another download’s', JSON.stringify({ ...sound(), wanted: { ...wanted, name: 'other' } })],
    [
      'has ranges in disorder',
      JSON.stringify({
        ...sound(),
        done: [
          { start: 1, end: 2 },
          { start: 0, end: 1 },
        ],
      }),
    ],
    ['has bytes beyond the end', JSON.stringify({ ...sound(), done: [{ start: 0, end: 11 }] })],
  ])('is not trusted when its record %s: all of it is deleted', async (_, record) => {
    await writeFile(join(folder, 'qwen.partial'), Buffer.alloc(20));
    await writeFile(join(folder, 'qwen.download.json'), record);
    expect(await PartialFile.load(folder, 'qwen')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is left alone when a newer version wrote its record', async () => {
    await writeFile(join(folder, 'qwen.partial'), Buffer.alloc(20));
    await writeFile(join(folder, 'qwen.download.json'), '{"version":2}');
    await expect(PartialFile.load(folder, 'qwen')).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: /newer/ });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('is left alone when its record, or the file, cannot be looked at', async () => {
    const partial = await create();
    await partial.close();
    await rm(partial.path);
    await symlink(partial.path, partial.path);
    await expect(PartialFile.load(folder, 'qwen')).rejects.toMatchObject({ code: 'ELOOP' });
    await rm(join(folder, 'qwen.download.json'));
    await mkdir(join(folder, 'qwen.download.json'));
    await expect(PartialFile.load(folder, 'qwen')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('notices that its file was moved away, or another one put in its place', async () => {
    const partial = await create();
    expect(await partial.isInPlace()).toBe(true);
    await rename(partial.path, join(folder, 'elsewhere'));
    expect(await partial.isInPlace()).toBe(false);
    await writeFile(partial.path, '');
    expect(await partial.isInPlace()).toBe(false);
  });

  it('is not trusted when the file is shorter than its record says', async () => {
    const partial = await create();
    await partial.write(bytes(0, 1, 2), 0);
    await partial.close();
    await truncate(partial.path, 2);
    expect(await PartialFile.load(folder, 'qwen')).toBeUndefined();
  });

  it('has become a model when only its record is left', async () => {
    const partial = await create();
    await partial.close();
    await rm(partial.path);
    expect(await PartialFile.load(folder, 'qwen')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });
});

function sound() {
  return { version: 1, wanted, from: 'anywhere', bytes: 10, givers: {}, done: [], paused: false, begunAt: 0 };
}
