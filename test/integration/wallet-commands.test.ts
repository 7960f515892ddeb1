/** @module-tag long */
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const { phrase, seed, canonical, expanded, address, publicKey, password } = SHEET_KEY;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Everything that the commands have said. */
const said: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

async function wallet(args: string[], input = '', env: Record<string, string> = {}) {
  const process = new QuarryProcess(['wallet', ...args, '--data', join(folder.path, 'node')], {
    BT_WALLET_PATH: join(folder.path, 'wallets'),
    QUARRY_DEBUG: '1',
    QUARRY_LOG_LEVEL: 'trace',
    ...env,
  });
  process.child.stdin?.end(input);
  const code = await process.ended();
  const ended = { code, stdout: process.stdout, stderr: process.stderr };
  said.push(ended.stdout, ended.stderr);
  return ended;
}

/** The variable in which the official software keeps a password: base64 of it, hidden by the variable's name. */
function officialPassword(file: string): Record<string, string> {
  const name = `BT_PW_${file.toUpperCase().replace(/[/.]/g, '_')}`;
  const hidden = Buffer.from(password).map((byte, at) => byte ^ name.charCodeAt(at % name.length));
  return { [name]: Buffer.from(hidden).toString('base64') };
}

describe('quarry wallet', () => {
  it('says where it looks and how to begin', async () => {
    const { stdout } = await wallet([]);
    expect(stdout).toContain(join(folder.path, 'wallets'));
    expect(stdout).toContain('quarry wallet create');
  });

  it('brings a hotkey from words, lists it, and signs with it', async () => {
    expect((await wallet(['import', 'main', 'default'], `${phrase}\n`)).stdout).toContain(address);
    const { wallets } = JSON.parse((await wallet(['--json'])).stdout);
    expect(wallets).toMatchObject([
      { name: 'main', coldkey: null, hotkeys: [{ name: 'default', address, sealing: 'plain' }] },
    ]);
    const { signature } = JSON.parse(
      (await wallet(['sign', 'main', 'It is me.', '--hotkey', 'default', '--json'])).stdout,
    );
    expect((await wallet(['verify', address, signature, 'It is me.'])).code).toBe(0);
    expect((await wallet(['verify', address, signature, 'It was me.'])).code).toBe(1);
  });

  it('brings a coldkey with the password that the official software would take', async () => {
    const env = officialPassword(join(folder.path, 'wallets', 'main', 'coldkey'));
    expect((await wallet(['import', 'main', '--seed'], `0x${seed}\n`, env)).stdout).toContain(address);
    expect(JSON.parse((await wallet(['sign', 'main', 'x', '--json'], '', env)).stdout)).toMatchObject({ address });
    const noPassword = await wallet(['sign', 'main', '0x00']);
    expect(noPassword).toMatchObject({ code: 1, stderr: expect.stringContaining('could be a transaction') });
    expect(JSON.parse((await wallet(['show', 'main', '--json'])).stdout)).toEqual(
      JSON.parse(await readFile(join(folder.path, 'wallets', 'main', 'coldkeypub.txt'), 'utf8')),
    );
  });

  it('does not say of files that it does not use whether they have a password', async () => {
    const main = join(folder.path, 'wallets', 'main');
    await chmod(main, 0o775);
    const { code, stdout, stderr } = await wallet([]);
    await chmod(main, 0o700);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/no password|encrypted/);
    expect(stdout.match(/not used as it is/g)).toHaveLength(2);
    expect(stderr.match(/chmod -R go-w/g)).toHaveLength(1);
  });

  it('lists which public files and coldkeys are missing, and the commands that bring them', async () => {
    await rm(join(folder.path, 'wallets', 'main', 'coldkeypub.txt'));
    const env = { BT_WALLET_PATH: join(folder.path, 'hot') };
    await wallet(['import', 'worker', 'default'], `${phrase}\n`, env);
    const { stdout, stderr } = await wallet([]);
    expect(stdout).toMatch(/\(locked\) +encrypted, no public file/);
    expect(stderr).toContain('quarry wallet public main');
    const password = officialPassword(join(folder.path, 'wallets', 'main', 'coldkey'));
    expect((await wallet(['public', 'main'], '', password)).stdout).toContain(address);
    expect((await wallet([])).stderr).toBe('');
    expect((await wallet(['public', 'main'], '', password)).stderr).toContain('is there already');

    expect((await wallet([], '', env)).stderr).toContain('quarry wallet public worker --address');
    expect((await wallet(['sign', 'worker', 'It is me.'], '', env)).stderr).toContain('coldkey of «worker» is not on');
    expect((await wallet(['public', 'worker', '--address', address], '', env)).code).toBe(0);
    expect(JSON.parse((await wallet(['--json'], '', env)).stdout).wallets).toMatchObject([
      { coldkey: { address, sealing: null } },
    ]);
  });

  it('lists without balances where the chain is away, and says why', async () => {
    const { code, stdout, stderr } = await wallet(['list', '--balances', '--endpoint', 'ws://127.0.0.1:9']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await wallet(['list'])).stdout });
    expect(stderr).toMatch(/Without balances\. The chain finney cannot be reached\./);
  });

  it('replaces no key, and says so before it asks for anything', async () => {
    const { code, stderr } = await wallet(['create', 'main', 'default']);
    expect(code).toBe(1);
    expect(stderr).toContain('never replaces');
  });

  it('shows the words of a new key once, and no secret of one that was brought anywhere else', async () => {
    const { stdout } = await wallet(['create', 'main', 'second', '--no-check']);
    const [words = ''] = stdout.split('\n');
    expect(words.split(' ')).toHaveLength(12);
    const texts = [...said.filter((text) => text !== stdout), ...(await othersFiles())].join('\n').toLowerCase();
    for (const secret of [words, phrase, seed, canonical, expanded, password]) expect(texts).not.toContain(secret);
    expect(texts).toContain(publicKey); // it would have been found
  });
});

/** What lies in the folder beside the keyfiles themselves. */
async function othersFiles(): Promise<string[]> {
  const keyfiles = ['coldkey', 'default', 'second'];
  const names = await readdir(folder.path, { recursive: true });
  const paths = names
    .filter((name) => !keyfiles.some((file) => name.endsWith(`/${file}`)))
    .map((name) => join(folder.path, name));
  const files = await Promise.all(
    paths.map(async (path) => ((await stat(path)).isFile() ? readFile(path, 'latin1') : '')),
  );
  return files;
}
