import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordFrom } from '../../src-main/bittensor/wallet/password-variable.ts';
import { verifyText, Wallets } from '../../src-main/bittensor/wallet/wallets.ts';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { PYTHON } from '../support/official-python.ts';

const { phrase, address, password } = SHEET_KEY;

describe.skipIf(!PYTHON)('wallets beside the official library', () => {
  let folder: string;
  let wallets: Wallets;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-wallets-'));
    wallets = new Wallets({ folder });
  });
  afterAll(async () => {
    await wallets?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The last line that a program prints, as JSON. */
  async function officially(program: string): Promise<unknown> {
    const text = `import json, sys\nfrom bittensor_wallet import Wallet, Keypair, Keyfile\nfolder = ${JSON.stringify(folder)}\n${program}`;
    const { stdout } = await promisify(execFile)(String(PYTHON), ['-c', text]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  async function bring(to: { wallet: string; hotkey?: string; password: string | null }) {
    const { id } = await wallets.draft({ from: 'phrase', phrase });
    return wallets.keep(id, { ...to, told: [] });
  }

  it('opens our coldkey with its password and our hotkeys, plain and encrypted', async () => {
    await bring({ wallet: 'ours', password });
    await bring({ wallet: 'ours', hotkey: 'plain', password: null });
    await bring({ wallet: 'ours', hotkey: 'locked', password });
    const opened = await officially(`
ours = Wallet(name='ours', hotkey='plain', path=folder)
locked = Wallet(name='ours', hotkey='locked', path=folder)
keys = [ours.get_coldkey(password='${password}'), ours.hotkey, locked.get_hotkey(password='${password}')]
print(json.dumps([key.ss58_address for key in keys] + [ours.coldkeypub.ss58_address]))`);
    expect(opened).toEqual([address, address, address, address]);
  });

  it('has its own coldkey and hotkey opened by us, and signs what we verify', async () => {
    const made = (await officially(`
theirs = Wallet(name='theirs', hotkey='default', path=folder)
theirs.create_new_coldkey(n_words=12, use_password=True, overwrite=False, suppress=True, coldkey_password='${password}')
theirs.create_new_hotkey(n_words=12, use_password=False, overwrite=False, suppress=True)
print(json.dumps({'coldkey': theirs.coldkeypub.ss58_address, 'hotkey': theirs.hotkey.ss58_address, 'signature': '0x' + theirs.hotkey.sign(b'hello').hex()}))`)) as {
      coldkey: string;
      hotkey: string;
      signature: string;
    };
    const coldkey = await wallets.signText({ wallet: 'theirs' }, password, 'hello');
    const hotkey = await wallets.signText({ wallet: 'theirs', hotkey: 'default' }, null, 'hello');
    expect([coldkey.address, hotkey.address]).toEqual([made.coldkey, made.hotkey]);
    expect(await verifyText('hello', made.signature, made.hotkey)).toBe(true);
    const verified = await officially(`
key = Keypair(ss58_address='${coldkey.address}')
print(json.dumps(key.verify(b'hello', '${coldkey.signature}')))`);
    expect(verified).toBe(true);
  });

  it('hides a password in the environment as we read it', async () => {
    const file = join(folder, 'theirs', 'coldkey');
    const [name, hidden] = (await officially(`
key = Keyfile('${file}', 'coldkey', False)
print(json.dumps([key.env_var_name(), key.save_password_to_env('${password}')]))`)) as [string, string];
    expect(passwordFrom({ [name]: hidden }, file)).toBe(password);
  });
});
