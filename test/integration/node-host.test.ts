import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { NodeHost } from '../../src-main/app/node-host.ts';
import { readRunningNode } from '../../src-main/app/running-node.ts';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let host: NodeHost;

beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  // Without a mesh and a model: what is tested is the coming and going.
  host = new NodeHost({ sources: { flags: { dataDir }, env: {} }, parts: () => ({ server: true }) });
});

afterEach(async () => {
  await host.close();
  await folder.remove();
});

const portOf = (app: App | undefined) => Number(new URL(app?.server?.url ?? 'http://none:0').port);

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sets the port before there is a node, as a node of that folder would. */
async function openAt(port: number): Promise<App> {
  host = new NodeHost({ sources: { flags: { dataDir }, env: {} }, parts: () => ({}) });
  await host.open();
  await host.app?.settings.set({ changes: { port } });
  await host.close();
  host = new NodeHost({ sources: { flags: { dataDir }, env: {} }, parts: () => ({ server: true }) });
  await host.open();
  if (!host.app) throw new Error('there is no node');
  return host.app;
}

describe('a node host', () => {
  it('opens a node that listens where the settings of the app say', async () => {
    const port = await freePort();
    const app = await openAt(port);
    expect(portOf(app)).toBe(port);
    await host.open();
    expect(host.app).toBe(app);
  });

  it('replaces its node by one with the settings of now', async () => {
    const first = await openAt(await freePort());
    const events: string[] = [];
    host
      .on('close', (app) => events.push(`closes ${portOf(app)}`))
      .on('open', (app) => events.push(`${portOf(app)} is open`));
    const [before, after] = [portOf(first), await freePort()];
    await first.settings.set({ changes: { port: after } });
    await host.restart();
    expect(events).toEqual([`closes ${before}`, `${after} is open`]);
    expect(host.app).not.toBe(first);
    expect((await readRunningNode(dataDir))?.url).toBe(`http://127.0.0.1:${after}`);
    await expect(fetch(`http://127.0.0.1:${before}/healthz`)).rejects.toThrow();
    expect((await fetch(`http://127.0.0.1:${after}/healthz`)).status).toBe(200);
  });

  it('restarts once for all who ask at the same time', async () => {
    await openAt(await freePort());
    let opened = 0;
    host.on('open', () => opened++);
    await Promise.all([host.restart(), host.restart()]);
    expect(opened).toBe(1);
    await host.restart();
    expect(opened).toBe(2);
  });

  it('restarts when a screen asks for it, after the call was answered', async () => {
    const first = await openAt(await freePort());
    const reopened = new Promise<App>((resolve) => host.once('open', resolve));
    const answer = await fetch(`${first.server?.url}/rpc/node/restart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    expect(await reopened).not.toBe(first);
  });

  it('tells when a restart fails, and may be opened once the cause is gone', async () => {
    const first = await openAt(await freePort());
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    await first.settings.set({ changes: { port } });
    const failures: QuarryError[] = [];
    host.on('failed', (error) => failures.push(error));
    await host.restart();
    expect(failures).toMatchObject([{ code: 'PORT_IN_USE' }]);
    expect(host.app).toBeUndefined();
    expect(await readRunningNode(dataDir)).toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
    await host.open();
    expect(portOf(host.app)).toBe(port);
  });

  it('leaves no node behind when it is closed while one opens', async () => {
    const opening = host.open();
    await host.close();
    await opening;
    expect(host.app).toBeUndefined();
    expect(await readRunningNode(dataDir)).toBeUndefined();
    await host.open();
    await host.restart();
    expect(host.app).toBeUndefined();
  });
});
