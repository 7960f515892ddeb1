import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { NodeHost } from '../../src-main/app/node-host.ts';
import { readRunningNode } from '../../src-main/client/running-node.ts';
import { WebSessionStore } from '../../src-main/store/web-sessions.ts';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { freePort, takePort } from '../support/free-port.ts';
import { cookieOfLink, ownerOf } from '../support/owner.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

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
      headers: { ...(await ownerOf(dataDir)), 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    expect(await reopened).not.toBe(first);
  });

  it('goes back to what was set before when a node cannot be opened with what is set now', async () => {
    const first = await openAt(await freePort());
    const before = portOf(first);
    await using taken = await takePort();
    await first.settings.set({ changes: { port: taken.port, parallel: 3, language: 'de' } });
    const failures: QuarryError[] = [];
    host.on('failed', (error) => failures.push(error));
    await host.restart();
    expect(failures).toEqual([]);
    expect(portOf(host.app)).toBe(before);
    const { config, settings } = host.app as App;
    expect(config.parallel).not.toBe(3);
    expect(config.language).toBe('de'); // which could not be in the way
    const view = await settings.list();
    expect(view).toMatchObject({
      restartNeeded: true,
      rejected: { code: 'PORT_IN_USE', message: expect.stringContaining(`${taken.port}`) },
    });
    const port = view.settings.find(({ path }) => path === 'port');
    expect(port).toMatchObject({ value: taken.port, origin: 'app', waitsForRestart: true });
  });

  it('goes back, too, when models can no longer be kept where they were to be', async () => {
    const first = await openAt(await freePort());
    const place = join(folder.path, 'drive');
    await first.settings.set({ changes: { 'models.folder': join(place, 'models') } });
    await rm(place, { recursive: true });
    await writeFile(place, 'no folder');
    await host.restart();
    expect(host.app?.config.models.folder).toBeUndefined();
    expect(host.app?.settings.rejected).toMatchObject({
      code: 'CONFIG_INVALID',
      field: 'models.folder',
      message: `The model folder ${join(place, 'models')} cannot be used: something on its path is no folder.`,
    });
  });

  it('refuses a model that is not there when it is set', async () => {
    const app = await openAt(await freePort());
    const set = (model: string) => call(app.contract.settings.set, { changes: { model } });
    await expect(set('nobody-has-it')).rejects.toMatchObject({ data: { code: 'MODEL_NOT_FOUND', field: 'model' } });
    await expect(set(join(folder.path, 'nope.gguf'))).rejects.toMatchObject({ data: { field: 'model' } });
    expect((await set('tiny')).settings.find(({ path }) => path === 'model')?.value).toBe('tiny');
  });

  it('tries again what is set, and forgets why once it works', async () => {
    const first = await openAt(await freePort());
    const before = portOf(first);
    await using taken = await takePort();
    await first.settings.set({ changes: { port: taken.port } });
    await host.close();
    host = new NodeHost({ sources: { flags: { dataDir }, env: {} }, parts: () => ({ server: true }) });
    await host.open(); // as after the computer was started again
    expect(portOf(host.app)).toBe(before);
    expect((await host.app?.settings.set({ changes: { language: 'de' } }))?.rejected?.code).toBe('PORT_IN_USE');
    const corrected = await host.app?.settings.set({ changes: { port: taken.port } });
    expect(corrected).toMatchObject({ restartNeeded: true });
    expect(corrected?.rejected).toBeUndefined();
    await taken[Symbol.asyncDispose]();
    await host.restart();
    expect(portOf(host.app)).toBe(taken.port);
    expect(await host.app?.settings.list()).toMatchObject({ restartNeeded: false });
    expect(host.app?.settings.rejected).toBeUndefined();
  });

  it('tells when a restart fails whatever is set in the app, and may be opened once the cause is gone', async () => {
    const flags = { dataDir, port: await freePort() };
    host = new NodeHost({ sources: { flags, env: {} }, parts: () => ({ server: true }) });
    await host.open();
    await host.app?.settings.set({ changes: { parallel: 3 } });
    await using taken = await takePort();
    flags.port = taken.port;
    const failures: QuarryError[] = [];
    host.on('failed', (error) => failures.push(error));
    await host.restart();
    expect(failures).toMatchObject([{ code: 'PORT_IN_USE' }]);
    expect(host.app).toBeUndefined();
    expect(await readRunningNode(dataDir)).toBeUndefined();
    flags.port = await freePort();
    await host.open();
    expect(portOf(host.app)).toBe(flags.port);
    expect(host.app?.config.parallel).toBe(3);
  });

  it('does not go back when nobody knows what was set before: that might be another mesh', async () => {
    await using taken = await takePort();
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'app-settings.json'), JSON.stringify({ port: taken.port, 'mesh.name': 'friends' }));
    await expect(host.open()).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    expect(host.app).toBeUndefined();
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

describe('a backup, by the screens', () => {
  /** Bytes that are handed over at once. */
  const PIECE = 300_000;
  /** Asked where nobody can listen. */
  const PRIVATE = { context: { confidential: true } };
  const made = async (app: App, password: string) => {
    const pieces: Buffer[] = [];
    for await (const { piece } of await call(app.contract.backup.create, { password }, PRIVATE))
      pieces.push(Buffer.from(piece, 'base64'));
    return Buffer.concat(pieces);
  };

  it('comes in pieces, and the node becomes another one with its logins kept', async () => {
    const app = await openAt(await freePort());
    const password = 'a long enough one';
    const { id: first } = app.identity;
    const file = await made(app, password);
    expect((await call(app.contract.backup.state, undefined)).lastAt).toBeGreaterThan(Date.now() - 60_000);
    await host.close();
    await rm(join(dataDir, 'identity.key'));
    const other = await openAt(await freePort());
    expect(other.identity.id).not.toBe(first);
    const { backup } = other.contract;
    const { url } = await call(other.contract.node.entry, undefined);
    await cookieOfLink(url);
    const sessions = () => new WebSessionStore((host.app ?? other).db).load();
    await until(async () => expect(await sessions()).toHaveLength(1));
    const [login] = await sessions();
    await expect(call(backup.upload, { at: 0, piece: 'AAAA' })).rejects.toMatchObject({ data: { field: 'file' } });
    const upload = (at: number) => call(backup.upload, { at, piece: file.subarray(at, at + PIECE).toString('base64') });
    await upload(0);
    await expect(call(backup.show, undefined)).rejects.toThrow(/cut off/);
    const misplaced = call(backup.upload, { at: 7, piece: 'AAAA' });
    await expect(misplaced).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } });
    for (let at = PIECE; at < file.length; at += PIECE) await upload(at);
    expect(await call(backup.show, undefined)).toMatchObject({ node: first, bytes: file.length });
    await expect(call(backup.restore, undefined)).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } });
    await expect(call(backup.open, { password: 'another' }, PRIVATE)).rejects.toMatchObject({
      data: { field: 'password' },
    });
    expect(await call(backup.open, { password }, PRIVATE)).toMatchObject({ backup: { node: first, receipts: 0 } });
    const reopened = new Promise<App>((resolve) => host.once('open', resolve));
    await call(backup.restore, undefined);
    const again = await reopened;
    expect(again.identity.id).toBe(first);
    expect(again.catchUp?.at).toBeGreaterThan(0);
    expect((await sessions()).map(({ hash }) => hash)).toEqual([login?.hash]);
    const left = await readdir(dataDir);
    expect(left.filter((name) => /^(restore\.|backup-books)/.test(name))).toEqual([]);
    expect(left.some((name) => name.startsWith('before-restore-'))).toBe(true);
  });
});
