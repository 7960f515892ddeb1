import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWallet } from '../../../../src-main/app/parts/bittensor/wallet.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { walletRoutes } from '../../../../src-main/app/routes/wallet.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import type { Caller } from '../../../../src-preload/contract/caller.ts';
import type { KeyDraft } from '../../../../src-preload/contract/wallet.ts';
import { SHEET_KEY } from '../../../support/bittensor-key.ts';

const { phrase, address, publicKey } = SHEET_KEY;
const told = ({ phrase: words = '', ask }: KeyDraft) => ask.map((at) => words.split(' ')[at - 1] ?? '');

/** The contract's `wallet` on a folder of its own, as a window calls it. */
async function openRoutes(caller: Caller = { confidential: true }) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-wallets-'));
  const closing: (() => void | Promise<void>)[] = [];
  const config = loadConfig({ env: { BT_WALLET_PATH: folder }, flags: { dataDir: folder } });
  const part = openWallet({ config, ports: {}, onClose: (close) => void closing.push(close) });
  onTestFinished(async () => {
    for (const close of closing) await close();
    await rm(folder, { recursive: true });
  });
  const domain = implementer(pino({ level: 'silent' })).domain('wallet');
  return { folder, wallet: createRouterClient(walletRoutes(domain, part), { context: caller }) };
}

describe('the wallet’s calls', () => {
  it('make a coldkey, which then signs with its password alone', async () => {
    const { wallet, folder } = await openRoutes();
    expect(await wallet.list()).toEqual({ folder, wallets: [], refusals: [], confidential: true });
    const draft = await wallet.draft({ from: 'new', words: 24 });
    expect(draft.phrase?.split(' ')).toHaveLength(24);
    expect(await readdir(folder)).toEqual([]);
    const to = { id: draft.id, wallet: 'main', password: 'a good one' };
    await expect(wallet.keep({ ...to, told: ['a', 'b', 'c'] })).rejects.toMatchObject({ data: { field: 'words' } });
    expect(await wallet.keep({ ...to, told: told(draft) })).toEqual({ address: draft.address, sealing: 'nacl' });
    const key = { wallet: 'main', text: 'It is me.' };
    const wrong = { data: { code: 'UNAUTHORIZED', field: 'password' } };
    await expect(wallet.sign({ ...key, password: 'a bad one' })).rejects.toMatchObject(wrong);
    const { signature } = await wallet.sign({ ...key, password: 'a good one' });
    expect(await wallet.verify({ address: draft.address, signature, text: key.text })).toEqual({ valid: true });
    expect(await wallet.verify({ address, signature, text: key.text })).toEqual({ valid: false });
  });

  it('tell of files what can be known without a password, and nothing of where they are', async () => {
    const { wallet } = await openRoutes();
    const { id } = await wallet.draft({ from: 'phrase', phrase });
    await wallet.keep({ id, wallet: 'main', hotkey: 'default', password: null, told: [] });
    expect((await wallet.list()).wallets).toEqual([
      { name: 'main', coldkey: null, hotkeys: [{ name: 'default', address, sealing: 'plain' }] },
    ]);
    expect(await wallet.publicPart({ wallet: 'main', hotkey: 'default' })).toEqual({
      accountId: `0x${publicKey}`,
      publicKey: `0x${publicKey}`,
      ss58Address: address,
    });
    await wallet.changePassword({ wallet: 'main', hotkey: 'default', from: null, to: 'a password' });
    expect((await wallet.list()).wallets[0]?.hotkeys[0]?.sealing).toBe('nacl');
  });

  it('name the field at fault', async () => {
    const { wallet } = await openRoutes();
    const at = (field: string) => ({ data: { code: 'BAD_REQUEST', field } });
    await expect(wallet.draft({ from: 'phrase', phrase: 'old leopard' })).rejects.toMatchObject(at('phrase'));
    await expect(wallet.draft({ from: 'seed', seed: publicKey.slice(2) })).rejects.toMatchObject(at('seed'));
    await expect(wallet.draft({ from: 'json', json: '{}', password: 'x' })).rejects.toMatchObject(at('json'));
    await expect(wallet.sign({ wallet: 'none', password: 'x', text: 'x' })).rejects.toMatchObject(at('wallet'));
    await expect(wallet.sign({ wallet: '../x', password: 'x', text: 'x' })).rejects.toMatchObject(at('wallet'));
    await expect(wallet.verify({ address: 'x', signature: '0x', text: 'x' })).rejects.toMatchObject(at('address'));
    const { id } = await wallet.draft({ from: 'phrase', phrase });
    await wallet.discard({ id });
    await expect(wallet.keep({ id, wallet: 'main', password: 'x', told: [] })).rejects.toMatchObject({
      data: { code: 'BAD_REQUEST' },
    });
  });

  it('take and give no secret where others could listen, and say what to do', async () => {
    const { wallet, folder } = await openRoutes({});
    const refused = { data: { code: 'UNAUTHORIZED', hint: expect.stringContaining('HTTPS') } };
    await expect(wallet.draft({ from: 'new', words: 12 })).rejects.toMatchObject(refused);
    await expect(wallet.keep({ id: 'x', wallet: 'main', password: 'x', told: [] })).rejects.toMatchObject(refused);
    await expect(wallet.changePassword({ wallet: 'main', from: 'x', to: 'y' })).rejects.toMatchObject(refused);
    await expect(wallet.sign({ wallet: 'main', password: 'x', text: 'x' })).rejects.toMatchObject(refused);
    expect(await wallet.list()).toEqual({ folder, wallets: [], refusals: [], confidential: false });
  });
});
