import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKey, signLists } from '../../../../scripts/update-key.ts';
import { FEED_KEY, isFeedSigned, publicHalf, signFeed } from '../../../../src-main/desktop/shell/feed-signature.ts';
import { signedFeed } from '../../../../src-main/desktop/shell/signed-feed.ts';

const LIST = 'latest-linux.yml';
const TEXT = 'version: 2.0.0\nfiles:\n  - url: Quarry-2.0.0.AppImage\n    sha512: abc\npath: Quarry-2.0.0.AppImage\n';
const pair = () => generateKeyPairSync('ed25519').privateKey;
const secret = pair();
const KEY = publicHalf(secret);

type Feed = ReturnType<typeof signedFeed>;

/** A place of updates: its files by name, asked as electron-updater asks. What is not there answers 404. */
function feedOn(files: Record<string, string>) {
  const asked: string[] = [];
  const executor = {
    request: async ({ path = '' }: { path?: string }) => {
      const name = (path.split('?')[0] ?? '').replace('/updates/', '');
      asked.push(name);
      if (files[name] === undefined) throw Object.assign(new Error(`404 ${name}`), { statusCode: 404 });
      return files[name];
    },
  };
  const Provider = signedFeed(KEY);
  const updater = { channel: null, isAddNoCacheQuery: true } as unknown as ConstructorParameters<Feed>[1];
  const runtime = { platform: 'linux', executor } as unknown as ConstructorParameters<Feed>[2];
  return { feed: new Provider({ url: 'https://example.org/updates' }, updater, runtime), asked };
}

const list = process.arch === 'x64' ? LIST : `latest-linux-${process.arch}.yml`;
const NOT_SIGNED = { code: 'PROTOCOL', said: { message: { key: 'desktop.feedNotSigned' } } };

describe('the list of updates for Linux', () => {
  it('counts when it is signed', async () => {
    const { feed, asked } = feedOn({ [list]: TEXT, [`${list}.sig`]: signFeed(list, TEXT, secret) });
    const info = await feed.getLatestVersion();
    expect(info).toMatchObject({ version: '2.0.0' });
    expect(feed.resolveFiles(info)[0]?.url.href).toBe('https://example.org/updates/Quarry-2.0.0.AppImage');
    expect(asked).toEqual([list, `${list}.sig`]);
  });

  it.each([
    ['without a signature', undefined],
    ['with an empty one', ''],
    ['with a page in its place', '<html>not found</html>'],
    ['signed with another key', signFeed(list, TEXT, pair())],
    ['changed after it was signed', signFeed(list, `${TEXT} `, secret)],
    ['signed under another name, as for another processor', signFeed('latest-linux-riscv64.yml', TEXT, secret)],
  ])('is refused in words %s', async (_, signature) => {
    const { feed } = feedOn({ [list]: TEXT, ...(signature !== undefined && { [`${list}.sig`]: signature }) });
    await expect(feed.getLatestVersion()).rejects.toMatchObject(NOT_SIGNED);
  });

  it('is not read before it is checked', async () => {
    const { feed } = feedOn({ [list]: '{ no: [yaml', [`${list}.sig`]: signFeed(list, TEXT, secret) });
    await expect(feed.getLatestVersion()).rejects.toMatchObject(NOT_SIGNED);
  });

  it('that is not there is no forgery', async () => {
    await expect(feedOn({}).feed.getLatestVersion()).rejects.toThrow('404');
  });

  it('is believed by no key that is none', () => {
    const signature = signFeed(LIST, TEXT, secret);
    expect(isFeedSigned(LIST, TEXT, signature, KEY)).toBe(true);
    for (const key of ['', 'ab', 'x'.repeat(64), '0'.repeat(64)]) {
      expect(isFeedSigned(LIST, TEXT, signature, key)).toBe(false);
    }
  });

  it('is signed with no key that was made up: there is one, or none', () => {
    expect(FEED_KEY ?? KEY).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the script of the key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-feed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('makes a pair, keeps its secret half for its owner, and writes over none', async () => {
    const file = join(folder, 'key.pem');
    const key = makeKey(file);
    expect(publicHalf(createPrivateKey(await readFile(file)))).toBe(key);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(() => makeKey(file)).toThrow('EEXIST');
  });

  it('signs every list for Linux, as the app wants it', async () => {
    const pem = secret.export({ format: 'pem', type: 'pkcs8' }).toString();
    for (const file of [LIST, 'latest-linux-arm64.yml', 'latest.yml']) await writeFile(join(folder, file), TEXT);
    expect(signLists(folder, pem, KEY).sort()).toEqual(['latest-linux-arm64.yml', LIST]);
    const files = await readdir(folder);
    expect(files.filter((file) => file.endsWith('.sig')).sort()).toEqual(['latest-linux-arm64.yml.sig', `${LIST}.sig`]);
    const signature = await readFile(join(folder, `${LIST}.sig`), 'utf8');
    expect(isFeedSigned(LIST, await readFile(join(folder, LIST), 'utf8'), signature, KEY)).toBe(true);
  });

  it('signs nothing that no app would take', () => {
    const pem = secret.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => signLists(folder, pem, undefined)).toThrow('names no key');
    expect(() => signLists(folder, pem, publicHalf(pair()))).toThrow('not the secret half');
    expect(() => signLists(folder, pem, KEY)).toThrow('no list of updates');
    expect(() => signLists(folder, '', KEY)).toThrow();
  });
});
