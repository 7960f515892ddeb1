import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { readNote } from '../../src-main/app/host/running-node.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import type { contract } from '../../src-preload/contract/contract.ts';

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

/** The whole contract, as the screens have it in a browser. */
async function openScreens(url: string, options: ClientOptions = {}) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc/ws`, { origin: url, ...options });
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

  it('want a login where there is a token, which ends with the node', async () => {
    const first = await openNode(`apiToken = "${TOKEN}"`);
    expect((await login(first.url, 'wrong')).status).toBe(401);
    const answer = await login(first.url, TOKEN);
    const cookie = String(answer.headers.getSetCookie()[0]?.split(';')[0]);
    const { client } = await openScreens(first.url, { headers: { cookie } });
    expect(await client.credits.summary()).toBeDefined();
    await first.app[Symbol.asyncDispose]();
    const second = await openNode(`apiToken = "${TOKEN}"`);
    await using _node = second.app;
    const response = await fetch(`${second.url}/session`, { headers: { cookie } });
    expect(await response.json()).toEqual({ needed: true, loggedIn: false });
    await expect(openScreens(second.url, { headers: { cookie } })).rejects.toThrow('401');
  });

  it('leave commands of the same user their own way in', async () => {
    const { app, url } = await openNode(`apiToken = "${TOKEN}"`);
    await using _node = app;
    const note = await readNote(dataDir);
    const ask = (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return fetch(`${url}/rpc/node/status`, { method: 'POST', headers, body: '{}' });
    };
    expect((await ask(String(note?.token))).status).toBe(200);
    expect((await ask('wrong')).status).toBe(401);
  });
});
