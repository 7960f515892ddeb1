import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256OfFile } from '../../../src-main/base/sha256.ts';
import { checkModelFile } from '../../../src-main/gguf/model-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-model-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(content: Buffer): Promise<string> {
  const path = join(folder, createHash('md5').update(content).digest('hex'));
  await writeFile(path, content);
  return path;
}

function header(version: number, tensors: bigint, keys: bigint): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.write('GGUF');
  bytes.writeUInt32LE(version, 4);
  bytes.writeBigUInt64LE(tensors, 8);
  bytes.writeBigUInt64LE(keys, 16);
  return bytes;
}

describe('checkModelFile', () => {
  it('lets a plausible header pass', async () => {
    await expect(checkModelFile(await file(header(3, 300n, 30n)))).resolves.toBeUndefined();
  });

  it('tells a missing file from a bad one', async () => {
    await expect(checkModelFile(join(folder, 'none.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await expect(checkModelFile(folder)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a short file', Buffer.from('GGUF')],
    ['another kind of file', Buffer.from('PK\u0003\u0004 and a lot of other bytes')],
    ['an unknown version', header(9, 1n, 1n)],
    ['more tensors than any model has', header(3, 2n ** 60n, 1n)],
    ['more keys than any model has', header(3, 1n, 2n ** 60n)],
  ])('refuses %s', async (_what, content) => {
    await expect(checkModelFile(await file(content))).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });
});

it('hashes a file', async () => {
  const content = Buffer.from('some weights');
  const expected = createHash('sha256').update(content).digest('hex');
  await expect(sha256OfFile(await file(content))).resolves.toBe(expected);
});
