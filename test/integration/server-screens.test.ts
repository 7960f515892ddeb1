import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { readNote } from '../../src-main/client/running-node.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import type { contract } from '../../src-preload/contract/contract.ts';
import { ownerOf } from '../support/owner.ts';

const TOKEN = 'a token of some length';

let dataDir: string;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-screens-'));
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await rm(dataDir, { recursive: true, force: true });
});

/** A node without a model or a mesh, as its server shows it. */
async function openNode(settings = ''): Promise<{ app: App; url: string }> {
  await writeFile(join(dataDir, 'quarry.toml'), `port = 0\nlogLevel = "silent"\n${settings}`);
  const app = await createApp(loadConfig({ env: {}, flags: { dataDir } }), { server: true });
  return { app, url: app.server?.url ?? '' };
}

/** The whole contract, as the screens have it in a browser, or as a program of this account has it. */
async function openScreens(url: string, { headers }: Pick<ClientOptions, 'headers'> = {}) {
  const options = { origin: url, headers: headers ?? (await ownerOf(dataDir)) };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc/ws`, options);
  sockets.push(socket);
  await once(socket, 'open');
  const link = new RPCLink({ websocket: socket as unknown as globalThis.WebSocket });
  const client: ContractRouterClient<typeof contract> = createORPCClient(link);
  return { socket, client };
}

function login(url: string, token: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: url };
  return fetch(`${url}/session`, { method: 'POST', headers, body: JSON.stringify({ token }) });
}

function cookieOf({ headers }: Response): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('the screens of a node', () => {
  it('have its contract over a WebSocket: calls, live data and named errors', async () => {
    const { app, url } = await openNode();
    await using _node = app;
    const { client } = await openScreens(url);
    expect(await client.node.status()).toMatchObject({ id: app.identity.id });
    const downloads = await client.models.watchDownloads();
    expect((await downloads.next()).value).toEqual([]);
    await downloads.return?.();
    await expect(client.models.verify({ name: 'nothing' }).then((events) => events.next())).rejects.toMatchObject({
      data: { code: 'MODEL_NOT_FOUND', message: expect.any(String) },
    });
  });

  it('are told with 1001 that the node closes, and keep it from nothing', async () => {
    const { app, url } = await openNode();
    const { client, socket } = await openScreens(url);
    const downloads = await client.models.watchDownloads();
    await downloads.next();
    const closed = once(socket, 'close');
    await app[Symbol.asyncDispose]();
    expect((await closed)[0]).toBe(1001);
  });

  it('want a login where there is a token, which lasts until there is another', async () => {
    const first = await openNode(`apiToken = "${TOKEN}"`);
    expect((await login(first.url, 'wrong')).status).toBe(401);
    const headers = { cookie: cookieOf(await login(first.url, TOKEN)) };
    const { client } = await openScreens(first.url, { headers });
    expect(await client.credits.summary()).toBeDefined();
    await first.app[Symbol.asyncDispose]();
    const second = await openNode(`apiToken = "${TOKEN}"`);
    const again = await openScreens(second.url, { headers });
    expect(await again.client.credits.summary()).toBeDefined();
    await second.app[Symbol.asyncDispose]();
    for (const settings of [`apiToken = "another ${TOKEN}"`, '', `apiToken = "${TOKEN}"`]) {
      const { app, url } = await openNode(settings);
      await using _node = app;
      await expect(openScreens(url, { headers })).rejects.toThrow('401');
    }
  });

  it('open by a link that the node gives to this account, and stay open when it is started again', async () => {
    const first = await openNode();
    await expect(openScreens(first.url, { headers: {} })).rejects.toThrow('401');
    const { client } = await openScreens(first.url);
    const { url: link, expiresAt } = await client.node.entry();
    expect(link.startsWith(`${first.url}/enter?code=`)).toBe(true);
    expect(expiresAt).toBeGreaterThan(Date.now());
    const headers = { cookie: cookieOf(await fetch(link, { redirect: 'manual' })) };
    await openScreens(first.url, { headers });
    await first.app[Symbol.asyncDispose]();
    const second = await openNode();
    await using _node = second.app;
    await openScreens(second.url, { headers });
  });

  it('are for whoever has the token of the data folder, which is this account alone', async () => {
    const path = join(dataDir, 'local.token');
    const tokens: (string | undefined)[] = [];
    for (const spoil of [() => {}, () => {}, () => writeFile(path, 'short'), () => chmod(path, 0o644)]) {
      await spoil();
      const { app } = await openNode();
      await using _node = app;
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      tokens.push((await readNote(dataDir))?.token);
      expect(await readFile(path, 'utf8')).toBe(`${tokens.at(-1)}\n`);
    }
    expect(tokens[1]).toBe(tokens[0]);
    expect(new Set(tokens).size).toBe(3); // anew where it was damaged, or readable for others
  });

  it.each(['', `apiToken = "${TOKEN}"`])('leave commands of the same user their own way in: %s', async (settings) => {
    const { app, url } = await openNode(settings);
    await using _node = app;
    const ask = async (authorised: object) => {
      const headers = { ...authorised, 'content-type': 'application/json' };
      return (await fetch(`${url}/rpc/node/status`, { method: 'POST', headers, body: '{}' })).status;
    };
    expect(await ask(await ownerOf(dataDir))).toBe(200);
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask({})).toBe(401);
  });
});
