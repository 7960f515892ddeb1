import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, sr25519Verify } from '@polkadot/util-crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../../../../src-main/bittensor/wallet/key-drafts.ts';
import { refusalsOf } from '../../../../src-main/bittensor/wallet/refusals.ts';
import { filesOf } from '../../../../src-main/bittensor/wallet/wallet-folder.ts';
import { verifyText, Wallets } from '../../../../src-main/bittensor/wallet/wallets.ts';
import { nodeSpawner, type ProcessSpawner } from '../../../../src-main/process/process-spawner.ts';
import { SHEET_KEY } from '../../../support/bittensor-key.ts';
import { until } from '../../../support/until.ts';

const { phrase, address, seed } = SHEET_KEY;
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const told = ({ phrase: words = '', ask }: Draft) => ask.map((at) => words.split(' ')[at - 1] ?? '');
const mode = async (path: string) => (await stat(path)).mode & 0o777;

let folder: string;
let wallets: Wallets;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-wallets-'));
  wallets = new Wallets({ folder });
});

afterEach(async () => {
  await wallets.close();
  await rm(folder, { recursive: true });
});

/** A hotkey without a password, of the sheet's words. */
async function hotkey(name = 'default') {
  const { id } = await wallets.draft({ from: 'phrase', phrase });
  return wallets.keep(id, { wallet: 'main', hotkey: name, password: null, told: [] });
}

describe('a new coldkey', () => {
  it('is written when its words were told again, encrypted, and opens for one call', async () => {
    const draft = await wallets.draft({ from: 'new', words: 12 });
    expect(draft.phrase?.split(' ')).toHaveLength(12);
    expect(await wallets.list()).toEqual([]);
    const wrong = draft.ask.map(() => 'abandon');
    await expect(
      wallets.keep(draft.id, { wallet: 'main', password: 'x'.repeat(12), told: wrong }),
    ).rejects.toMatchObject({ field: 'words' });
    await expect(wallets.keep(draft.id, { wallet: 'main', password: null, told: told(draft) })).rejects.toMatchObject({
      field: 'password',
    });
    const kept = await wallets.keep(draft.id, { wallet: 'main', password: 'a good one', told: told(draft) });
    expect(kept).toMatchObject({ address: draft.address, sealing: 'nacl' });
    expect([await mode(kept.file), await mode(kept.publicFile), await mode(join(folder, 'main'))]).toEqual([
      0o600, 0o600, 0o700,
    ]);
    expect(await readFile(kept.file, 'latin1')).toMatch(/^\$NACL/);

    const signed = await wallets.signText({ wallet: 'main' }, 'a good one', 'I am here.');
    expect(signed.address).toBe(draft.address);
    expect(await verifyText('I am here.', signed.signature, draft.address)).toBe(true);
    expect(await verifyText('I am there.', signed.signature, draft.address)).toBe(false);
    await expect(wallets.signText({ wallet: 'main' }, 'a bad one', 'x')).rejects.toMatchObject({ field: 'password' });
    await expect(wallets.signText({ wallet: 'main' }, null, 'x')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('that is left is forgotten', async () => {
    const { id } = await wallets.draft({ from: 'new', words: 24 });
    await wallets.discard(id);
    await expect(wallets.keep(id, { wallet: 'main', password: 'x', told: [] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('waits beside few others: each is a process', async () => {
    await Promise.all([1, 2, 3, 4].map(() => wallets.draft({ from: 'seed', seed })));
    await expect(wallets.draft({ from: 'seed', seed })).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});

describe('a coldkey', () => {
  it('whose public file is missing wants its password for another, and says so to who needs its address', async () => {
    const { id } = await wallets.draft({ from: 'phrase', phrase });
    const { publicFile } = await wallets.keep(id, { wallet: 'my own', password: 'a good one', told: [] });
    await rm(publicFile);
    const name = { wallet: 'my own' };
    expect(await wallets.list()).toMatchObject([{ coldkey: { address: null, sealing: 'nacl', lacksPublic: true } }]);
    await expect(wallets.publicPart(name)).rejects.toMatchObject({
      hint: expect.stringContaining("quarry wallet public 'my own'"),
    });
    await expect(wallets.writePublic(name, { password: 'a bad one' })).rejects.toMatchObject({ field: 'password' });
    expect(await wallets.list()).toMatchObject([{ coldkey: { lacksPublic: true } }]);
    await wallets.writePublic(name, { password: 'a good one' });
    expect(await wallets.publicPart(name)).toMatchObject({ ss58Address: address });
  });

  it('that is elsewhere is missed in a sentence, and watched once its address is told', async () => {
    await hotkey();
    const missed = { field: 'wallet', message: expect.stringContaining('coldkey of «main» is not on this computer') };
    await expect(wallets.signText({ wallet: 'main' }, 'x', 'It is me.')).rejects.toMatchObject(missed);
    await expect(wallets.signText({ wallet: 'other' }, 'x', 'It is me.')).rejects.toThrow('no wallet «other»');
    await expect(wallets.writePublic({ wallet: 'main' }, { address: `${ALICE}x` })).rejects.toMatchObject({
      field: 'address',
    });
    await wallets.writePublic({ wallet: 'main' }, { address: ALICE });
    expect(await wallets.list()).toMatchObject([{ coldkey: { address: ALICE, sealing: null } }]);
    await expect(wallets.signText({ wallet: 'main' }, 'x', 'It is me.')).rejects.toMatchObject({
      hint: expect.stringContaining('where the key is'),
    });
  });
});

describe('a key that is brought', () => {
  it('has the address of its words, its seed, and what Polkadot.js exported', async () => {
    await cryptoWaitReady();
    const pair = new Keyring({ type: 'sr25519' }).addFromMnemonic(phrase);
    const json = JSON.stringify(pair.toJson('its password'));
    const drafts = await Promise.all([
      wallets.draft({ from: 'phrase', phrase }),
      wallets.draft({ from: 'seed', seed: `0x${seed}` }),
      wallets.draft({ from: 'json', json, password: 'its password' }),
    ]);
    expect(drafts.map((draft) => [draft.address, draft.phrase, draft.ask])).toEqual(
      drafts.map(() => [address, undefined, []]),
    );
    await wallets.discard(drafts[0]?.id ?? '');
    await expect(wallets.draft({ from: 'json', json, password: 'another' })).rejects.toMatchObject({
      field: 'password',
    });
  });

  it.each([
    [{ from: 'phrase', phrase: phrase.replace('old', 'odl') }, 'phrase'],
    [{ from: 'seed', seed: '0x12' }, 'seed'],
    [{ from: 'json', json: '{}', password: '' }, 'json'],
    [{ from: 'json', json: '{"secretPhrase": "a b', password: '' }, 'json'],
  ] as const)('is refused at its field: %o', async (source, field) => {
    await expect(wallets.draft(source)).rejects.toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('never takes the place of another, not even of one that is only watched', async () => {
    await hotkey();
    await expect(hotkey()).rejects.toMatchObject({ field: 'hotkey' });
    const watched = join(folder, 'watched');
    await mkdir(watched);
    await writeFile(join(watched, 'coldkeypub.txt'), JSON.stringify({ ss58Address: ALICE }));
    const { id } = await wallets.draft({ from: 'phrase', phrase });
    await expect(wallets.keep(id, { wallet: 'watched', password: 'x', told: [] })).rejects.toMatchObject({
      field: 'wallet',
    });
  });

  it('has no name that could lead elsewhere', async () => {
    const { id } = await wallets.draft({ from: 'phrase', phrase });
    for (const wallet of ['../main', 'a/b', '.hidden', '', 'x'.repeat(65), 'xpub.txt', 'a\\0b', 'a\0b']) {
      await expect(wallets.keep(id, { wallet, password: 'x', told: [] })).rejects.toMatchObject({ field: 'wallet' });
    }
  });
});

describe('a hotkey', () => {
  it('goes on signing until it is closed, as the chain and axons verify it', async () => {
    await hotkey();
    const signer = await wallets.openHotkey({ wallet: 'main', hotkey: 'default' }, null);
    const messages = Array.from({ length: 20 }, (_, at) => Buffer.from(`message ${at}`));
    const signatures = await Promise.all(messages.map((message) => signer.sign(message)));
    expect(messages.every((message, at) => sr25519Verify(message, signatures[at] ?? '', signer.publicKey))).toBe(true);
    await signer.close();
    await expect(signer.sign(Buffer.from('more'))).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('goes on signing when its process was killed; one with a password says that it is wanted', async () => {
    const { file } = await hotkey();
    const pids: (number | undefined)[] = [];
    const spawner: ProcessSpawner = {
      spawn(launch, listeners) {
        const child = nodeSpawner.spawn(launch, listeners);
        pids.push(child.pid);
        return child;
      },
    };
    const watched = new Wallets({ folder, spawner });
    const kill = () => process.kill(pids.at(-1) ?? Number.NaN, 'SIGKILL');
    const name = { wallet: 'main', hotkey: 'default' };
    try {
      const plain = await watched.openHotkey(name, null);
      await plain.check();
      kill();
      await until(async () => expect(await plain.sign(Buffer.from('more'))).toHaveLength(64));
      expect(pids).toHaveLength(2);
      if (process.platform !== 'win32') {
        process.kill(pids.at(-1) ?? Number.NaN, 'SIGSTOP');
        await expect(plain.check()).rejects.toThrow(/does not answer/);
        await until(() => plain.check());
      }
      await plain.close();

      await wallets.changePassword(name, { from: null, to: 'a good one' });
      expect(await readFile(file, 'latin1')).toMatch(/^\$NACL/);
      const locked = await watched.openHotkey(name, 'a good one');
      await locked.check();
      kill();
      await until(() => expect(locked.check()).rejects.toMatchObject({ hint: expect.stringContaining('password') }));
      await expect(locked.sign(Buffer.from('more'))).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    } finally {
      await watched.close();
    }
  });

  it('without a public file, as old wallets have them, is listed with its address', async () => {
    const { publicFile } = await hotkey();
    await rm(publicFile);
    expect(await wallets.list()).toMatchObject([
      { name: 'main', coldkey: null, hotkeys: [{ name: 'default', address }] },
    ]);
  });

  it('has its public file written again where that is missing, and never another in the place of one', async () => {
    const { publicFile } = await hotkey();
    const before = await readFile(publicFile, 'utf8');
    const name = { wallet: 'main', hotkey: 'default' };
    await expect(wallets.writePublic(name, { password: null })).rejects.toThrow(/is there already/);
    await rm(publicFile);
    expect((await wallets.list())[0]?.hotkeys).toMatchObject([{ address, lacksPublic: true }]);
    await expect(wallets.writePublic(name, { address: ALICE })).rejects.toMatchObject({ field: 'hotkey' });
    expect(await wallets.writePublic(name, { password: null })).toMatchObject({ ss58Address: address });
    expect([await readFile(publicFile, 'utf8'), await mode(publicFile)]).toEqual([before, 0o600]);
    expect((await wallets.list())[0]?.hotkeys[0]).not.toHaveProperty('lacksPublic');
    await symlink(join(folder, 'nowhere'), filesOf(folder, 'main', 'linked').publicFile);
    await expect(wallets.writePublic({ wallet: 'main', hotkey: 'linked' }, { address: ALICE })).rejects.toThrow(
      /is there already/,
    );
  });

  it('gets a password, and another', async () => {
    const { file } = await hotkey();
    await wallets.changePassword({ wallet: 'main', hotkey: 'default' }, { from: null, to: 'first' });
    expect(await readFile(file, 'latin1')).toMatch(/^\$NACL/);
    expect((await wallets.signText({ wallet: 'main', hotkey: 'default' }, 'first', 'x')).address).toBe(address);
  });

  it.skipIf(process.platform === 'win32')('is encrypted where it is, not where a link to it was', async () => {
    const { file } = await hotkey();
    const elsewhere = join(folder, 'main', 'elsewhere');
    await rename(file, elsewhere);
    await symlink(elsewhere, file);
    await wallets.changePassword({ wallet: 'main', hotkey: 'default' }, { from: null, to: 'first' });
    expect(await readFile(elsewhere, 'latin1')).toMatch(/^\$NACL/);
  });

  it('gets no empty one: such a file is as good as plain', async () => {
    const { id } = await wallets.draft({ from: 'seed', seed: `0x${seed}` });
    const kept = wallets.keep(id, { wallet: 'main', password: '', told: [] });
    await expect(kept).rejects.toMatchObject({ field: 'password' });
    await wallets.discard(id);
  });
});

describe('what others may have done to a wallet', () => {
  const name = { wallet: 'main', hotkey: 'default' };
  const sign = () => wallets.signText(name, null, 'x');

  it('a file or a folder that they can write is not used', async () => {
    const { file } = await hotkey();
    for (const path of [file, join(folder, 'main', 'hotkeys'), join(folder, 'main'), folder]) {
      const before = await mode(path);
      await chmod(path, before | 0o022);
      await expect(sign()).rejects.toMatchObject({
        message: expect.stringContaining(path),
        hint: expect.stringContaining('chmod'),
      });
      await chmod(path, before);
    }
    expect((await sign()).address).toBe(address);
  });

  it('files that are not used are listed as such, with one command that mends them all', async () => {
    await hotkey();
    await hotkey('second');
    await chmod(join(folder, 'main'), 0o775);
    await chmod(join(folder, 'main', 'hotkeys'), 0o775);
    const listed = await wallets.list();
    expect(listed[0]?.hotkeys.map(({ address, sealing }) => [address, sealing])).toEqual([
      [null, 'unknown'],
      [null, 'unknown'],
    ]);
    const refusals = refusalsOf(listed);
    expect(refusals.map(({ hint }) => hint)).toEqual([expect.stringContaining(`: chmod -R go-w ${folder}`)]);
    execFileSync('/bin/sh', ['-c', refusals[0]?.hint?.split(': ')[1] ?? '']);
    expect((await wallets.list())[0]?.hotkeys.map(({ address, sealing }) => [address, sealing])).toEqual([
      [address, 'plain'],
      [address, 'plain'],
    ]);
  });

  it('an address alone that is not read is no wallet less', async () => {
    const { file } = await hotkey();
    await rm(file);
    await chmod(join(folder, 'main'), 0o775);
    expect(await wallets.list()).toMatchObject([{ hotkeys: [{ address: null, sealing: null }] }]);
    await expect(wallets.publicPart(name)).rejects.toMatchObject({ hint: expect.stringContaining('chmod') });
  });

  it('what cannot be read at all is not said to have no password', async () => {
    const { file } = await hotkey();
    await truncate(file, 1_000_000_000);
    const listed = await wallets.list();
    expect(listed).toMatchObject([{ hotkeys: [{ address, sealing: 'unknown' }] }]);
    expect(refusalsOf(listed).map(({ message }) => message)).toEqual([expect.stringContaining('too large')]);
  });

  it('a file of a gigabyte and a pipe are refused at once', async () => {
    const { file } = await hotkey();
    await truncate(file, 1_000_000_000);
    await expect(sign()).rejects.toThrow(/too large/);
    await rm(file);
    await symlink('/dev/zero', file);
    await expect(sign()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('another key in the file than its address says is not used', async () => {
    const { file } = await hotkey();
    await writeFile(file, JSON.stringify({ secretSeed: `0x${'11'.repeat(32)}` }));
    await expect(sign()).rejects.toThrow(/not the one of its address/);
  });

  it('a key that was taken away leaves an address to watch', async () => {
    const { file } = await hotkey();
    await rm(file);
    expect(await wallets.list()).toMatchObject([{ hotkeys: [{ address, sealing: null }] }]);
    await expect(sign()).rejects.toThrow(/Only the address/);
  });
});

it.each([' 0x0503', '\u200b0x0503', 'a\u0000b', 'a\u202eb', 'x'.repeat(32), 'ü'.repeat(16)])(
  'signs no text that could be a transaction: %s',
  async (text) => {
    await expect(wallets.signText({ wallet: 'main' }, null, text)).rejects.toMatchObject({ field: 'text' });
  },
);

it('knows a text that a browser’s wallet signed', async () => {
  await cryptoWaitReady();
  const pair = new Keyring({ type: 'sr25519' }).addFromMnemonic(phrase);
  const signature = `0x${Buffer.from(pair.sign('<Bytes>hello</Bytes>')).toString('hex')}`;
  expect(await verifyText('hello', signature, address)).toBe(true);
  expect(await verifyText('hello', `0x${'12'.repeat(64)}`, address)).toBe(false);
  await expect(verifyText('hello', '0x12', address)).rejects.toMatchObject({ field: 'signature' });
});

it.skipIf(process.platform === 'win32')('are listed by a program that may open few files', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `w${at}`);
  const { publicFile } = await hotkey();
  for (const wallet of names) {
    await mkdir(join(folder, wallet, 'hotkeys'), { recursive: true });
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => copyFile(publicFile, join(folder, wallet, 'hotkeys', `h${at}pub.txt`))),
    );
  }
  const module = JSON.stringify(import.meta.resolve('../../../../src-main/bittensor/wallet/wallet-folder.ts'));
  const script = `const { findWallets } = await import(${module});
    const found = (await findWallets(${JSON.stringify(folder)})).flatMap(({ hotkeys }) => hotkeys);
    console.log(found.length, found.filter(({ refused }) => refused).length);`;
  const few = 'ulimit -n 256; exec "$0" --input-type=module -e "$1"';
  expect(String(execFileSync('sh', ['-c', few, process.execPath, script])).trim()).toBe('401 0');
});
