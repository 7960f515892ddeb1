import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VersionExports } from '../../../../src-main/learning/adapters/version-exports.ts';
import { VersionFiles } from '../../../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../../../src-main/learning/adapters/versions.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { AdapterStore } from '../../../../src-main/store/learning/learning-adapters.ts';
import { smallBase } from '../../../support/made-adapter.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { openServer } from '../../../support/server-harness.ts';

let folder: string;
let db: Db;
let exports: VersionExports;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-exports-'));
  db = await memoryDatabase();
  const files = new VersionFiles(folder);
  const versions = new Versions({ store: new AdapterStore(db), files });
  const base = { sha256: 'a'.repeat(64), name: 'small', shape: smallBase() };
  await versions.intake.init({ name: 'user/x', base, use: true }, { rank: 2, alpha: 4 });
  exports = new VersionExports(versions, files);
});

afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function made(form: 'zip' | 'gguf', lasts?: () => boolean) {
  const steps = exports.export('user/x', form, undefined, lasts);
  const { value } = await steps.next();
  if (!value) throw new Error('nothing was exported');
  return { ...value, leave: () => steps.return() };
}

describe('an exported version', () => {
  it('is a file that goes when whoever asked leaves', async () => {
    const { path, name, version, bytes, leave } = await made('zip');
    expect(name).toBe('user__x-init.zip');
    expect(version.id).toBe('user/x-init');
    expect((await readFile(path)).length).toBe(bytes);
    await leave();
    expect(await readdir(folder)).toEqual(['user%2fx-init']);
  });

  it('leaves nothing behind when there is none', async () => {
    await expect(exports.export('other', 'zip').next()).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
    expect(await readdir(folder)).toEqual(['user%2fx-init']);
  });

  it('is given to a browser that has its ticket, under its name, for as long as its login lasts', async () => {
    const { url } = await openServer({
      token: 'a token of some length',
      giveExport: (request) => exports.give(request),
    });
    let isHere = true;
    const { download, path, leave } = await made('gguf', () => isHere);
    const answer = await fetch(url + download);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="user__x-init.gguf"');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(path));
    expect((await fetch(`${url}/learning/export/nothing`)).status).toBe(404);
    isHere = false;
    expect((await fetch(url + download)).status).toBe(404);
    await leave();
  });

  it('is gone for those who have a ticket and come late', async () => {
    const { url } = await openServer({
      token: 'a token of some length',
      giveExport: (request) => exports.give(request),
    });
    const { download, leave } = await made('zip');
    await leave();
    expect((await fetch(url + download)).status).toBe(404);
  });

  it('gives way to newer ones', async () => {
    const all = [];
    for (let at = 0; at < 5; at++) all.push(await made('gguf'));
    await expect(readFile(all[0]?.path ?? '')).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await readFile(all[4]?.path ?? '')).length).toBeGreaterThan(0);
    for (const { leave } of all) await leave();
    expect(await readdir(folder)).toEqual(['user%2fx-init']);
  });
});
