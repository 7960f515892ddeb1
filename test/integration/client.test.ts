import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, connect } from '../../src-main/client/client.ts';
import { ownToken, QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

/** `quarry/client`, from its sources, with a real node of the built-in model. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let url = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  node = new QuarryProcess(['start', '--headless', '--data', folder.path, '--bootstrap', '127.0.0.1:9', '--port', '0']);
  [, url = ''] = await node.printed(/api +(\S+)\/v1/);
});

afterAll(async () => {
  await node?.stop();
  await folder?.remove();
});

async function connected(options: ConnectOptions = { dataDir: folder.path }) {
  const quarry = await connect(options);
  onTestFinished(() => quarry.close());
  return quarry;
}

/** Address of a server that is no node. */
async function somebodyElse(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a program', () => {
  it('finds the node of a data folder, or is told where it is', async () => {
    expect((await connected()).url).toBe(url);
    const token = await ownToken(folder.path);
    const { id } = await (await connected({ url, token })).rpc.node.status();
    expect(id).toMatch(/^[0-9a-f]{64}$/);
  });

  it('asks the own model: pieces, and the same text at the end', async () => {
    const quarry = await connected();
    const answer = quarry.ask('What is a mesh?', { target: 'local', maxTokens: 12, seed: 7 });
    let text = '';
    for await (const piece of answer) text += piece.text;
    const result = await answer.result;
    expect(text.length).toBeGreaterThan(0);
    expect(result).toMatchObject({ text, target: 'local', credits: 0, paid: [], completionTokens: expect.any(Number) });
    expect(await quarry.ask('What is a mesh?', { target: 'local', maxTokens: 12, seed: 7 }).result).toMatchObject({
      text,
    });
  });

  it('sees what can be asked', async () => {
    const quarry = await connected();
    await quarry.rpc.inference.load();
    expect(await quarry.models()).toEqual([{ name: 'tiny', target: 'local', loaded: true, workers: 1, tiny: true }]);
    await quarry.rpc.inference.unload();
    expect(await quarry.models()).toEqual([{ name: 'tiny', target: 'local', loaded: false, workers: 1, tiny: true }]);
  });

  it('gets errors by their names, from calls and from streams', async () => {
    const quarry = await connected();
    await expect(quarry.rpc.models.show({ name: 'nobody' })).rejects.toMatchObject({
      name: 'QuarryError',
      code: 'MODEL_NOT_FOUND',
    });
    await expect(quarry.ask([], { target: 'local' }).result).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const events = await quarry.rpc.models.verify({ name: 'nobody' });
    await expect(events.next()).rejects.toMatchObject({ name: 'QuarryError', code: 'MODEL_NOT_FOUND' });
  });

  it('gives an answer up: by a signal, by time, by closing the connection', async () => {
    const quarry = await connected();
    const giveUp = new AbortController();
    const aborted = quarry.ask('Nobody is there.', { signal: giveUp.signal });
    giveUp.abort();
    await expect(aborted.result).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(quarry.ask('Nobody is there.', { timeoutMs: 200 }).result).rejects.toMatchObject({ code: 'DEADLINE' });
    const closed = quarry.ask('Nobody is there.');
    await quarry.close();
    await expect(closed.result).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(quarry.models()).rejects.toMatchObject({ code: 'CANCELLED' });
    await quarry.close();
  });

  it('leaves the loop of a stream, and the next call works', async () => {
    const quarry = await connected();
    for await (const { role } of await quarry.rpc.node.watch()) {
      expect(role).toBe('miner');
      break;
    }
    expect((await quarry.rpc.node.status()).role).toBe('miner');
  });
});

describe('who cannot connect is told why', () => {
  it.each<[string, () => ConnectOptions, string]>([
    ['a data folder without a node', () => ({ dataDir: `${folder.path}-other` }), 'NOT_RUNNING'],
    ['nobody at the address', () => ({ url: 'http://127.0.0.1:9', token: 'x' }), 'NOT_RUNNING'],
    ['another token', () => ({ url, token: 'x'.repeat(43) }), 'UNAUTHORIZED'],
    ['no token', () => ({ url }), 'UNAUTHORIZED'],
    ['no address', () => ({ url: 'quarry' }), 'BAD_REQUEST'],
    ['an address that is none of ours', () => ({ url: 'file:///etc' }), 'BAD_REQUEST'],
    ['both', () => ({ url, dataDir: folder.path }), 'BAD_REQUEST'],
    ['who has given up before', () => ({ url, signal: AbortSignal.abort() }), 'CANCELLED'],
  ])('%s', async (_, options, code) => {
    await expect(connect(options())).rejects.toMatchObject({ name: 'QuarryError', code });
  });

  it('a server that is no node', async () => {
    const pages = await somebodyElse((_request, response) => response.end('<html>Hello.</html>'));
    await expect(connect({ url: pages })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const nothing = await somebodyElse((_request, response) => response.writeHead(404).end());
    await expect(connect({ url: nothing })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('one that says nothing, after the time that was given', async () => {
    const silent = await somebodyElse(() => {});
    await expect(connect({ url: silent, timeoutMs: 50 })).rejects.toMatchObject({ code: 'DEADLINE' });
  });
});
