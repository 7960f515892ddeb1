/** @module-tag long */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { expect, it, onTestFinished } from 'vitest';
import type { NodeClient } from '../../src-main/cli/terminal/node-client.ts';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const { phrase, seed, canonical, expanded, address, password } = SHEET_KEY;
/** Keyfiles of this test: what they hold, they may hold. */
const KEYFILES = ['coldkey', 'default'];

async function startNode(folder: string) {
  const data = join(folder, 'data');
  const node = new QuarryProcess(['start', '--headless', '--data', data, '--port', '0', '--bootstrap', '127.0.0.1:9'], {
    BT_WALLET_PATH: join(folder, 'wallets'),
    QUARRY_DEBUG: '1',
    QUARRY_LOG_LEVEL: 'trace',
    NODE_OPTIONS: `--report-on-signal --report-uncaught-exception --report-directory=${folder}`,
  });
  const [, url = ''] = await node.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
  const token = (await readFile(join(data, 'local.token'), 'utf8')).trim();
  const link = new RPCLink({ url: `${url}/rpc`, headers: { authorization: `Bearer ${token}` } });
  return { node, client: createORPCClient(link) as NodeClient };
}

/** What the process says of itself when it is asked to; it has a name before it has all its text. */
async function crashReport(folder: string): Promise<unknown> {
  const name = (await readdir(folder)).find((file) => /^report\..+\.json$/.test(file));
  return name && JSON.parse(await readFile(join(folder, name), 'utf8'));
}

/** Everything that lies in a folder, but for the keyfiles themselves. */
async function textsOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => !KEYFILES.includes(basename(name))).map((name) => join(folder, name));
  const texts = paths.map(async (path) => ((await stat(path)).isFile() ? readFile(path, 'latin1') : ''));
  return (await Promise.all(texts)).join('\n');
}

it('leaves nothing of a key, its words or its passwords in log, database, diagnostics or crash report', async () => {
  const folder = await temporaryFolder();
  const { node, client } = await startNode(folder.path);
  onTestFinished(async () => {
    await node.stop();
    await folder.remove();
  });
  const { wallet } = client;
  const draft = await wallet.draft({ from: 'new', words: 12 });
  const words = draft.phrase?.split(' ') ?? [];
  const to = { id: draft.id, wallet: 'main', password };
  await expect(wallet.keep({ ...to, told: words.slice(0, 3) })).rejects.toMatchObject({ data: { field: 'words' } });
  await wallet.keep({ ...to, told: draft.ask.map((at) => words[at - 1] ?? '') });
  await wallet.sign({ wallet: 'main', password, text: 'It is me.' });
  await expect(wallet.sign({ wallet: 'main', password: `${password}!`, text: 'x' })).rejects.toThrow();
  await wallet.changePassword({ wallet: 'main', from: password, to: `another ${password}` });
  const { id } = await wallet.draft({ from: 'phrase', phrase });
  await wallet.keep({ id, wallet: 'main', hotkey: 'default', password: null, told: [] });
  const again = await wallet.draft({ from: 'seed', seed });
  await expect(wallet.keep({ ...to, id: again.id, told: [] })).rejects.toMatchObject({ data: { field: 'wallet' } });
  await expect(wallet.draft({ from: 'phrase', phrase: `${phrase} ${phrase}` })).rejects.toThrow();
  await expect(wallet.draft({ from: 'json', json: JSON.stringify({ seed }), password })).rejects.toThrow();
  // What does not fit the contract's schema is an error that names what is wrong with it.
  await expect(wallet.draft({ from: 'phrase', seed } as never)).rejects.toThrow();
  await expect(wallet.sign({ wallet: 'main', password: [password] as never, text: 'x' })).rejects.toThrow();
  const sent = async (input: unknown) => Array.fromAsync(await client.chain.send(input as never));
  await expect(sent({ id: again.id, password, typed: phrase })).rejects.toThrow(/ten minutes/);
  await expect(sent({ id: again.id, password: [password] })).rejects.toThrow();

  const { text } = await client.node.diagnostics();
  node.child.kill('SIGUSR2');
  await until(async () => expect(await crashReport(folder.path)).toHaveProperty('javascriptStack'));
  await node.stop('SIGKILL'); // nothing is tidied up, and no file goes while it is read
  const seen = [node.stdout, node.stderr, text, await textsOf(folder.path)].join('\n').toLowerCase();
  for (const secret of [words.join(' '), phrase, seed, canonical, expanded, password])
    expect(seen).not.toContain(secret);
  for (const found of [address.toLowerCase(), 'javascriptstack', 'sqlite format']) expect(seen).toContain(found);
});
