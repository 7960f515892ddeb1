import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityFromSeed, loadOrCreateIdentity, verify } from '../../../../src-main/mesh/transport/identity.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-identity-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('an identity', () => {
  it('is made once and found again', async () => {
    const first = await loadOrCreateIdentity(join(dir, 'new'));
    const second = await loadOrCreateIdentity(join(dir, 'new'));
    expect(second.id).toBe(first.id);
    expect(first.id).toMatch(/^[0-9a-f]{64}$/);
    expect(await readdir(join(dir, 'new'))).toEqual(['identity.key']);
  });

  it.skipIf(process.platform === 'win32')('is kept where only its owner can read it', async () => {
    await loadOrCreateIdentity(dir);
    expect((await stat(join(dir, 'identity.key'))).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{}', '{"v":1,"seed":"00"}', 'null', '{"v":1,"se'])(
    'is never replaced when its file holds «%s»',
    async (text) => {
      const path = join(dir, 'identity.key');
      await writeFile(path, text);
      await expect(loadOrCreateIdentity(dir)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it('signs so that others can check it by the id alone', () => {
    const [alice, bob] = [identityFromSeed(Buffer.alloc(32, 1)), identityFromSeed(Buffer.alloc(32, 2))];
    const signature = alice.sign(Buffer.from('hello'));
    expect(verify(alice.id, Buffer.from('hello'), signature)).toBe(true);
    expect(verify(alice.id, Buffer.from('hullo'), signature)).toBe(false);
    expect(verify(bob.id, Buffer.from('hello'), signature)).toBe(false);
  });

  it('takes malformed ids and signatures for wrong ones', () => {
    expect(verify('zz', Buffer.from(''), 'zz')).toBe(false);
    expect(verify('', Buffer.from(''), '')).toBe(false);
  });

  it('follows from its seed by the standard: RFC 8032, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const identity = identityFromSeed(seed);
    expect(identity.id).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    expect(identity.sign(Buffer.alloc(0)).slice(0, 32)).toBe('e5564300c360ac729086e2cc806e828a');
  });
});
