import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOCK_BYTES, fileCoreKey } from '../../../../src-main/mesh/sharing/file-core.ts';
import { SharedFile } from '../../../../src-main/mesh/sharing/shared-file.ts';
import { modelOf, removeFolder } from '../../../support/sharing-node.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-shared-file-'));
});
afterEach(() => removeFolder(dir));

async function build(content: Buffer, name: string, sha256?: string) {
  const model = await modelOf(dir, content);
  const folder = join(dir, name);
  const options = { ...model, sha256: sha256 ?? model.sha256, folder };
  const progress: number[] = [];
  const { signal } = new AbortController();
  const treeHash = await SharedFile.build({ ...options, onProgress: (done) => progress.push(done), signal });
  return { ...options, treeHash, progress };
}

describe('the index of a shared file', () => {
  it('has the same key wherever it was built, and another one for other bytes', async () => {
    const content = randomBytes(40 * BLOCK_BYTES + 1);
    const [one, two] = [await build(content, 'one'), await build(content, 'two')];
    expect(one.treeHash).toBe(two.treeHash);
    expect(one.progress.at(-1)).toBe(content.length);
    content.writeUInt8(content.readUInt8(7) ^ 1, 7);
    const { treeHash, bytes } = await build(content, 'other');
    expect(fileCoreKey(treeHash, bytes).equals(fileCoreKey(one.treeHash, one.bytes))).toBe(false);
  });

  it('has a key that is part of the protocol', async () => {
    const { treeHash, bytes } = await build(Buffer.alloc(2 * BLOCK_BYTES + 5, 'quarry'), 'known');
    expect(treeHash).toMatchInlineSnapshot(`"7a565c56752588efee76ead0c33ac421cd61f94a4b45d8994faae9b280d71bf5"`);
    expect(fileCoreKey(treeHash, bytes).toString('hex')).toMatchInlineSnapshot(
      `"f6c7879d2fa83aacd1e623cfc1195cd2c81e5ea11a206ea33c95bf3fc1f200e2"`,
    );
  });

  it('gives the file’s own blocks', async () => {
    const content = randomBytes(2 * BLOCK_BYTES + 5);
    const file = await SharedFile.open(await build(content, 'blocks'));
    const last = await file.core.get(2, { valueEncoding: 'binary' });
    await file.close();
    expect(last.equals(content.subarray(2 * BLOCK_BYTES))).toBe(true);
  });

  it('is not built of a file with another SHA-256', async () => {
    await expect(build(randomBytes(100), 'wrong', 'f'.repeat(64))).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });

  it('is not opened for another file', async () => {
    const built = await build(randomBytes(100), 'mixed');
    await expect(SharedFile.open({ ...built, treeHash: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'MODEL_INVALID',
    });
  });
});
