import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterPort } from '../../../../../src-main/app/parts/learning/adapter-port.ts';
import { VersionExports } from '../../../../../src-main/learning/adapters/version-exports.ts';
import { VersionFiles } from '../../../../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../../../../src-main/learning/adapters/versions.ts';
import type { AdapterPort } from '../../../../../src-main/learning/feedback/ports.ts';
import type { Db } from '../../../../../src-main/store/database.ts';
import { AdapterStore } from '../../../../../src-main/store/learning/learning-adapters.ts';
import { smallBase } from '../../../../support/made-adapter.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';
import { until } from '../../../../support/until.ts';

let folder: string;
let db: Db;
let port: AdapterPort;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-port-'));
  db = await memoryDatabase();
  const files = new VersionFiles(folder);
  const versions = new Versions({ store: new AdapterStore(db), files });
  const base = async () => ({ sha256: 'a'.repeat(64), name: 'small', shape: smallBase() });
  port = adapterPort({ versions, exports: new VersionExports(versions, files), base });
});

afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

describe('adapters of programs', () => {
  it('have an id, and a name that stands for the newest', async () => {
    expect(await port.init({ name: 'user/x', rank: 4, alpha: 8, modules: ['q_proj'] })).toBe('user/x-init');
    await port.init({ name: 'other', rank: 4, alpha: 8 });
    expect(await port.list('')).toEqual(['other-init', 'other-latest', 'user/x-init', 'user/x-latest']);
    expect(await port.list('user/')).toEqual(['user/x-init', 'user/x-latest']);
    for (const ref of ['user/x', 'user/x-init', 'user/x-latest']) expect(await port.resolve(ref)).toBe('user/x');
    await expect(port.resolve('nobody')).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
  });

  it('are all listed, and found by what they are made of, however many there are', async () => {
    const store = new AdapterStore(db);
    await port.init({ name: 'x', rank: 4, alpha: 8 });
    const first = await store.version('x-init');
    if (!first) throw new Error('no version');
    const hash = (number: number) => String(number).padStart(64, '0');
    for (let number = 2; number <= 250; number++) {
      const fetched = JSON.stringify({ from: 'somebody', sha256: hash(1_000 + number) });
      const { number: _, ...row } = { ...first, id: `x-${number}`, gguf_sha256: hash(number), fetched };
      await store.addVersion(row);
    }
    expect(await port.list('x-')).toHaveLength(250 + 1);
    const found = await new Versions({ store, files: new VersionFiles(folder) }).byHash();
    expect([found.get(hash(3)), found.get(hash(1_003)), found.get(hash(250))]).toEqual(['x@3', 'x@3', 'x@250']);
  });

  it('lose the name alone, or the version with its name', async () => {
    await port.init({ name: 'x', rank: 4, alpha: 8 });
    expect(await port.remove('x-latest')).toBe(true);
    expect(await port.remove('x-latest')).toBe(false);
    expect(await port.list('')).toEqual(['x-init']);
    expect(await port.remove('x-init')).toBe(true);
    expect(await port.remove('x-init')).toBe(false);
    expect(await port.list('')).toEqual([]);
  });

  it('are handed out as a zip, of which nothing is left', async () => {
    await port.init({ name: 'x', rank: 4, alpha: 8 });
    const zip = Buffer.concat(await Array.fromAsync(await port.export('x-latest')));
    expect(zip.toString('latin1', 0, 2)).toBe('PK');
    const isClear = () => until(async () => expect(await readdir(folder)).toEqual(['x-init']));
    await isClear();
    const left = await port.export('x');
    for await (const _ of left) break;
    await isClear();
    const unread = await port.export('x');
    expect(await readdir(folder)).toHaveLength(2);
    unread.destroy();
    await isClear();
  });
});
