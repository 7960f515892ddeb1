import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { ifMissing } from '../../../../src-main/base/swallowed.ts';
import { exportName } from '../../../../src-main/learning/adapters/export-version.ts';
import { VersionFiles } from '../../../../src-main/learning/adapters/version-files.ts';
import type { AdapterBase, LearntVersion } from '../../../../src-main/learning/adapters/version-intake.ts';
import { Versions } from '../../../../src-main/learning/adapters/versions.ts';
import { OPTIMIZER } from '../../../../src-main/learning/formats/adapter-files.ts';
import { writeAdapterGguf } from '../../../../src-main/learning/formats/gguf-adapter.ts';
import type { LoraAdapter, LoraMatrices } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { readPeft, writePeft } from '../../../../src-main/learning/formats/peft-adapter.ts';
import { type AdamWState, newState } from '../../../../src-main/learning/training/adapter/adam-w.ts';
import { writeOptimizer } from '../../../../src-main/learning/training/adapter/optimizer-file.ts';
import { loadAdapter } from '../../../../src-main/learning/training/saved-adapter.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { AdapterStore } from '../../../../src-main/store/learning/learning-adapters.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { type MadeAdapter, madeAdapter, smallBase } from '../../../support/made-adapter.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const NOON = Date.UTC(2026, 10, 27, 12, 0, 0);
const BASE: AdapterBase = { sha256: 'a'.repeat(64), name: 'small', shape: smallBase() };
const OTHER: AdapterBase = { ...BASE, sha256: 'b'.repeat(64), name: 'other' };

let folder: string;
let db: Db;
let now: number;
let changes: number;
let versions: Versions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-versions-'));
  db = await memoryDatabase();
  now = NOON;
  changes = 0;
  versions = opened();
  await versions.open();
});

afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

function opened(): Versions {
  const files = new VersionFiles(join(folder, 'adapters'));
  return new Versions({ store: new AdapterStore(db), files, now: () => now, onChange: () => changes++ });
}

const listed = async () => (await versions.page('personal')).versions;

function zeroed(matrix: LoraMatrices | undefined): LoraMatrices {
  if (!matrix) throw new Error('no such matrix');
  matrix.b.fill(0);
  return matrix;
}

async function zipOf(files: Record<string, Buffer>): Promise<string> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name, { compress: true });
  zip.end();
  const path = join(folder, `${Math.random()}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** A folder as a trainer writes it. */
async function trained(made: MadeAdapter = {}, name = `run-${Math.random()}`): Promise<string> {
  return await written(madeAdapter(BASE.shape, made), name);
}

async function written(adapter: LoraAdapter, name = `run-${Math.random()}`): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writePeft(path, adapter, 'small');
  await writeAdapterGguf(join(path, 'adapter.gguf'), adapter, BASE.shape);
  await writeOptimizer(join(path, OPTIMIZER), newState(adapter));
  return path;
}

async function learn(more: Partial<LearntVersion> = {}, made: MadeAdapter = {}) {
  now += 60_000;
  const version = {
    name: 'personal',
    base: BASE,
    parent: null,
    use: true,
    feedback: [1],
    metrics: { compliance: 1 },
    run: 'r1',
    ...more,
  };
  return await versions.intake.take(await trained(made), version);
}

const there = async (path: string) => (await stat(path).catch(ifMissing)) !== undefined;

describe('versions of an adapter', () => {
  it('are numbered, named by their time, and in use one at a time', async () => {
    const first = await learn();
    const second = await learn({ parent: first.id, feedback: [2, 3], run: 'r2' }, { seed: 2 });
    expect(first).toMatchObject({
      id: 'personal-20261127-120100',
      number: 1,
      parent: null,
      origin: 'learnt',
      rank: 3,
      alpha: 6,
      feedback: [1],
      metrics: { compliance: 1 },
      run: 'r1',
    });
    expect(second).toMatchObject({ id: 'personal-20261127-120200', number: 2, parent: first.id, inUse: true });
    expect((await listed()).map(({ number, inUse }) => [number, inUse])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(changes).toBe(2);
  });

  it('are found by number, id, name and «latest»', async () => {
    const first = await learn();
    const second = await learn({ parent: first.id });
    const meant = async (ref: string) => (await versions.resolve(ref)).version?.id;
    expect(await meant('personal@1')).toBe(first.id);
    expect(await meant(first.id)).toBe(first.id);
    for (const ref of ['personal', 'personal@latest', 'personal-latest', 'personal@2'])
      expect(await meant(ref)).toBe(second.id);
    for (const ref of ['personal@3', 'person', 'personal@', `${first.id}x`, '../personal', 'toString'])
      await expect(versions.resolve(ref)).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND', field: 'adapter' });
  });

  it('belong to one model', async () => {
    await learn();
    expect((await versions.resolve('personal', BASE.sha256)).version?.number).toBe(1);
    await expect(versions.resolve('personal', OTHER.sha256)).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('small'),
    });
    await expect(learn({ base: OTHER })).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    expect(await readdir(join(folder, 'adapters'))).toHaveLength(1);
  });

  it.each<[string, (state: AdamWState) => void]>([
    ['cannot be read', () => undefined],
    [
      'is of another adapter',
      ({ means, squares }) => [means, squares].map(({ matrices }) => matrices.delete('0.q_proj')),
    ],
    ['no steps come to', ({ squares }) => squares.matrices.get('0.q_proj')?.a.fill(-1)],
    ['is out of all proportion', ({ means }) => means.matrices.get('0.q_proj')?.a.fill(1e38)],
  ])('are taken in without an optimizer’s state that %s: the next run begins it anew', async (what, spoil) => {
    const from = await trained();
    const path = join(from, OPTIMIZER);
    const state = newState(madeAdapter(BASE.shape));
    spoil(state);
    await rm(path);
    if (what === 'cannot be read') await writeFile(path, 'state');
    else await writeOptimizer(path, state);
    const how = { name: 'personal', base: BASE, parent: null, use: true, feedback: [1], metrics: null, run: 'r1' };
    const { id } = await versions.intake.take(from, how);
    const taken = (await versions.folder(id)).folder;
    expect((await readdir(taken)).sort()).toEqual((await readdir(from)).filter((name) => name !== OPTIMIZER).sort());
    expect((await loadAdapter(taken, BASE.shape)).state.steps).toBe(0);
    expect(await there(path)).toBe(true);
  });

  it('have the very bytes that were taken in, and leave what they were taken from', async () => {
    const from = await trained();
    const taken = await versions.intake.take(from, {
      name: 'personal',
      base: BASE,
      parent: null,
      use: true,
      feedback: [],
      metrics: null,
      run: 'r',
    });
    const { path } = await versions.resolve('personal');
    for (const name of await readdir(from)) {
      expect(await readFile(join(path ?? '', '..', name))).toEqual(await readFile(join(from, name)));
    }
    expect((await readdir(join(path ?? '', '..'))).sort()).toEqual((await readdir(from)).sort());
    expect(taken.bytes).toBeGreaterThan(1_000);
    if (process.platform !== 'win32') expect((await stat(join(folder, 'adapters'))).mode & 0o077).toBe(0);
  });

  it('never share an id, also within a second', async () => {
    const take = async () =>
      versions.intake.take(await trained(), {
        name: 'personal',
        base: BASE,
        parent: null,
        use: true,
        feedback: [],
        metrics: null,
        run: 'r',
      });
    const taken = await Promise.all([take(), take(), take()]);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(3);
    expect(taken.map(({ number }) => number).sort()).toEqual([1, 2, 3]);
  });

  it('are refused when their two forms differ, and nothing is left of them', async () => {
    const from = await trained();
    await writeAdapterGguf(join(from, 'other.gguf'), madeAdapter(BASE.shape, { seed: 7 }), BASE.shape);
    await rm(join(from, 'adapter.gguf'));
    await writeFile(join(from, 'adapter.gguf'), await readFile(join(from, 'other.gguf')));
    const taking = versions.intake.take(from, {
      name: 'personal',
      base: BASE,
      parent: null,
      use: true,
      feedback: [],
      metrics: null,
      run: 'r',
    });
    await expect(taking).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('two forms'),
    });
    expect(await readdir(join(folder, 'adapters'))).toEqual([]);
    expect(await versions.adapters()).toEqual([]);
  });

  it('are written down with what else is true then, or neither is', async () => {
    await learn({
      alongside: async (inside, id) => {
        await inside
          .insertInto('learning_runs')
          .values({
            id,
            name: 'personal',
            state: 'accepted',
            created_at: 1,
            settings: '{}',
            step: 0,
            seconds: 0,
          } as never)
          .execute();
        return 'personal';
      },
    });
    expect(await db.selectFrom('learning_runs').select('id').execute()).toEqual([{ id: 'personal-20261127-120100' }]);
    const failing = learn({ alongside: () => Promise.reject(new Error('no')) });
    await expect(failing).rejects.toThrow('no');
    expect((await listed()).length).toBe(1);
    expect(await readdir(join(folder, 'adapters'))).toHaveLength(1);
  });

  it('begin with one that changes nothing', async () => {
    const made = await versions.intake.init(
      { name: 'user/x', base: BASE, use: true },
      { rank: 4, alpha: 8, lastLayers: 1 },
    );
    expect(made).toMatchObject({ id: 'user/x-init', number: 1, origin: 'init', rank: 4, alpha: 8 });
    expect((await versions.resolve('user/x-latest')).version?.id).toBe('user/x-init');
    const adapter = await readPeft((await versions.folder('user/x')).folder, BASE.shape);
    expect([...adapter.matrices.keys()].every((name) => name.startsWith('1.'))).toBe(true);
    expect([...adapter.matrices.values()].every(({ b }) => b.every((value) => value === 0))).toBe(true);
    const spread = Math.max(...(adapter.matrices.get('1.q_proj')?.a ?? []).map(Math.abs));
    expect(spread).toBeGreaterThan(0.8 / Math.sqrt(24));
    expect(spread).toBeLessThanOrEqual(1 / Math.sqrt(24));
    await expect(
      versions.intake.init({ name: 'user/x', base: BASE, use: true }, { rank: 4, alpha: 8 }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has no module that there is not', async () => {
    const wanted = { rank: 4, alpha: 8, modules: ['q_proj', 'lm_head'] };
    await expect(versions.intake.init({ name: 'y', base: BASE, use: true }, wanted)).rejects.toMatchObject({
      ...{ code: 'BAD_REQUEST', field: 'modules', message: expect.stringContaining('lm_head') },
    });
  });

  it('are listed also where something of one is damaged, without that', async () => {
    await learn({ feedback: [7], metrics: { compliance: 1 } });
    await db
      .updateTable('learning_versions')
      .set({ modules: '["q', feedback: '{}', metrics: '7', fetched: '[]' })
      .execute();
    const [version] = await listed();
    expect(version).toMatchObject({ number: 1, modules: [], feedback: [], metrics: null, from: null });
  });
});

describe('versions by their bytes', () => {
  it('are found by those that came, too, and where it is damaged which those were, by their own', async () => {
    const [first, second] = [await learn(), await learn()];
    const fetched = async (id: string, text: string) =>
      await db.updateTable('learning_versions').set({ fetched: text }).where('id', '=', id).execute();
    await fetched(first.id, JSON.stringify({ from: 'somebody', sha256: 'c'.repeat(64) }));
    await fetched(second.id, '{"from":"some');
    const byHash = await versions.byHash();
    expect(byHash.get('c'.repeat(64))).toBe('personal@1');
    expect(byHash.get(first.sha256)).toBe('personal@1');
    expect((await versions.ids()).sort()).toEqual([first.id, second.id].sort());
    await versions.remove('personal@1');
    expect(await versions.ids()).toEqual([second.id]);
    expect([...(await versions.byHash()).values()]).toEqual(['personal@2']);
  });
});

describe('undo', () => {
  it('goes back to the version before, whose very bytes are there, and on again', async () => {
    const first = await learn();
    const bytes = await readFile((await versions.resolve('personal')).path ?? '');
    const second = await learn({ parent: first.id }, { seed: 2 });
    const took = await cpuMs(async () => expect((await versions.undo('personal'))?.id).toBe(first.id));
    expect(took).toBeLessThan(1_000);
    expect(await readFile((await versions.resolve('personal')).path ?? '')).toEqual(bytes);
    expect((await versions.redo('personal')).id).toBe(second.id);
    await expect(versions.redo('personal')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('ends at the model as it is', async () => {
    await learn();
    expect(await versions.undo('personal')).toBeNull();
    expect(await versions.resolve('personal')).toEqual({ name: 'personal', version: null, path: null });
    await expect(versions.undo('personal')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await versions.redo('personal')).number).toBe(1);
  });

  it('is taken back to where it came from, also where another version is newer', async () => {
    const first = await learn();
    await learn({ parent: null });
    await versions.use(first.id);
    await versions.undo('personal');
    expect((await versions.redo('personal')).id).toBe(first.id);
  });

  it('says before where it and its way back lead, and goes there', async () => {
    const ids = async () => {
      const { current, undo, redo } = await versions.steps('personal');
      return [current?.id ?? null, undo && (undo.to?.id ?? null), redo?.id ?? null];
    };
    expect(await versions.steps('personal')).toEqual({ current: null, undo: null, redo: null });
    const first = await learn();
    const second = await learn({ parent: first.id });
    const other = await learn({ parent: null, use: false });
    expect(await ids()).toEqual([second.id, first.id, null]); // a newer one is not one that was learnt on from it
    await versions.remove(first.id);
    expect([(await versions.steps('personal')).undo, await ids()]).toEqual([{ to: null }, [second.id, null, null]]);
    await versions.undo('personal');
    expect(await ids()).toEqual([null, null, second.id]);
    expect((await versions.redo('personal')).id).toBe(second.id);
    await versions.undo('personal');
    await versions.remove(second.id);
    expect(await ids()).toEqual([null, null, other.id]);
    expect((await versions.redo('personal')).id).toBe(other.id);
  });

  it('has nothing to export or delete where no version is in use', async () => {
    await learn();
    await versions.undo('personal');
    const none = { code: 'ADAPTER_NOT_FOUND', message: expect.stringContaining('in use') };
    await expect(versions.folder('personal')).rejects.toMatchObject(none);
    await expect(versions.remove('personal', true)).rejects.toMatchObject(none);
  });

  it('passes over what was deleted', async () => {
    const first = await learn();
    const second = await learn({ parent: first.id });
    await learn({ parent: second.id });
    await versions.remove('personal@2');
    expect((await versions.undo('personal'))?.id).toBe(first.id);
  });

  it('goes to any version, by its name', async () => {
    const first = await learn();
    await learn({ parent: first.id });
    expect((await versions.use('personal@1')).inUse).toBe(true);
    expect((await versions.resolve('personal')).version?.number).toBe(1);
  });

  it.each(['use', 'resolve', 'undo'] as const)('refuses a file that was changed: %s', async (way) => {
    const first = await learn();
    const path = (await versions.resolve('personal@1')).path ?? '';
    await learn({ parent: first.id });
    const bytes = await readFile(path);
    bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
    await writeFile(path, bytes);
    const doing = way === 'undo' ? versions.undo('personal') : versions[way]('personal@1');
    await expect(doing).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('not what it was'),
    });
    expect((await versions.resolve('personal')).version?.number).toBe(2);
  });
});

describe('what is deleted', () => {
  it('is not the version in use, without a word', async () => {
    const first = await learn();
    const second = await learn({ parent: first.id });
    await expect(versions.remove('personal')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'version' });
    await versions.remove('personal', true);
    expect((await versions.resolve('personal')).version?.id).toBe(first.id);
    await expect(versions.resolve(second.id)).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
  });

  it('takes its files along, is known to its children, and its number is given to no other', async () => {
    const first = await learn();
    const { folder: files } = await versions.folder(first.id);
    const second = await learn({ parent: first.id });
    await versions.remove(second.id, true);
    await versions.use(first.id);
    const third = await learn({ parent: first.id });
    await versions.remove(first.id);
    expect(await there(files)).toBe(false);
    expect(third.number).toBe(3);
    expect(await listed()).toEqual([{ ...third, inUse: true }]);
    expect(third.parent).toBe(first.id);
  });
});

describe('another name', () => {
  it('is taken by the adapter; its versions stay where they are', async () => {
    const first = await learn();
    const { path } = await versions.resolve('personal');
    await versions.rename('personal', 'work/mine');
    expect(await versions.resolve('work/mine@1')).toMatchObject({ name: 'work/mine', version: { id: first.id }, path });
    expect((await versions.resolve(first.id)).name).toBe('work/mine');
    await expect(versions.resolve('personal')).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
  });

  it('is none that is taken, or that versions have', async () => {
    await learn();
    await learn({ name: 'other' });
    for (const name of ['other', 'personal', 'a-init', '../a'])
      await expect(versions.rename('personal', name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('an opening', () => {
  const root = () => join(folder, 'adapters');

  it('clears away what a kill has left, and nothing else', async () => {
    const first = await learn();
    await mkdir(join(root(), '0123456789ab.tmp'));
    await mkdir(join(root(), 'personal-20261127-130000'));
    await writeFile(join(root(), 'personal-20261127-130000', '.pending'), '');
    await mkdir(join(root(), 'personal-20261127-140000'));
    await mkdir(join(root(), 'my notes'));
    await mkdir(join(root(), '0123456789.tmp'));
    await writeFile(join(root(), 'readme'), '');
    await writeFile(join(root(), first.id, '.pending'), '');
    await opened().open();
    expect((await readdir(root())).sort()).toEqual(
      ['0123456789.tmp', 'my notes', first.id, 'personal-20261127-140000', 'readme'].sort(),
    );
    expect(await readdir(join(root(), first.id))).not.toContain('.pending');
  });

  it('deletes files of a version that was deleted', async () => {
    await learn();
    const second = await learn();
    await versions.use('personal@1');
    await db.updateTable('learning_versions').set({ bytes: 0 }).where('id', '=', second.id).execute();
    await opened().open();
    expect(await there(join(root(), second.id))).toBe(false);
    expect(await there(join(root(), 'personal-20261127-120100'))).toBe(true);
  });

  it('asks once which versions there are, however many', async () => {
    for (let at = 0; at < 5; at++) await learn();
    const store = new AdapterStore(db);
    const asked = [vi.spyOn(store, 'states'), vi.spyOn(store, 'version'), vi.spyOn(store, 'all')];
    await new Versions({ store, files: new VersionFiles(join(folder, 'adapters')) }).open();
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
  });

  it('gives no id whose folder is there', async () => {
    await mkdir(join(root(), 'personal-20261127-120100'), { recursive: true });
    expect((await learn()).id).toBe('personal-20261127-120101');
  });
});

describe('to and from elsewhere', () => {
  it.each(['zip', 'peft', 'gguf'] as const)('goes out as %s and comes back with every bit', async (form) => {
    await learn({ name: 'user/x' });
    const target = join(folder, exportName('user/x-1', form));
    const from = await versions.export('user/x', form, target);
    const back = await versions.intake.import(target, { name: 'back', base: BASE, use: false });
    expect(back).toMatchObject({
      origin: 'imported',
      parent: null,
      rank: 3,
      alpha: 6,
      modules: from.modules,
      inUse: false,
    });
    expect(back.sha256).toBe(from.sha256);
    expect((await versions.resolve('back')).version).toBeNull();
    expect((await versions.resolve('back@1')).version?.id).toBe(back.id);
  });

  it('comes from a folder of PEFT’s', async () => {
    const made = await versions.intake.import(await trained(), { name: 'back', base: BASE, use: true });
    expect((await versions.resolve('back')).version?.id).toBe(made.id);
  });

  it.each([
    ['what is not there', 'nothing', 'BAD_REQUEST'],
    ['a folder with something else', '.', 'ADAPTER_INVALID'],
    ['another file', 'file', 'ADAPTER_INVALID'],
    ['a file that only begins like a zip', 'cut.zip', 'ADAPTER_INVALID'],
  ])('refuses %s', async (_, name, code) => {
    await writeFile(join(folder, 'file'), 'hello there');
    await writeFile(join(folder, 'cut.zip'), 'PK\u0003\u0004 and no more');
    const path = join(folder, name);
    await expect(versions.intake.import(path, { name: 'back', base: BASE, use: true })).rejects.toMatchObject({ code });
    expect(await versions.adapters()).toEqual([]);
  });

  it.each([
    ['with nothing that says what it is', [['adapter_model.safetensors', 1e7]], 'should both be there'],
    ['with more than a configuration', [['adapter_config.json', 3e5]], 'larger than an adapter'],
    ['with more than a model has room for', [['adapter.gguf', 2e7]], 'larger than an adapter'],
  ] as const)('refuses a zip %s, and leaves nothing of it', async (_, files, why) => {
    const path = await zipOf(Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.alloc(bytes)])));
    await expect(versions.intake.import(path, { name: 'back', base: BASE, use: true })).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining(why),
    });
    expect(await readdir(join(folder, 'adapters')).catch(ifMissing)).toEqual([]);
  });

  it('takes as much from a zip as its rank has room for, and of two forms one', async () => {
    const from = await trained();
    const config = await readFile(join(from, 'adapter_config.json'));
    const tensors = await readFile(join(from, 'adapter_model.safetensors'));
    const like = { 'adapter_config.json': config, 'adapter.gguf': Buffer.from('never looked at') };
    const taken = { name: 'back', base: BASE, use: true };
    await versions.intake.import(await zipOf({ ...like, 'in/adapter_model.safetensors': tensors }), taken);
    const bomb = await zipOf({ ...like, 'adapter_model.safetensors': Buffer.alloc(9e6) });
    const refused = { code: 'ADAPTER_INVALID', message: expect.stringContaining('larger than an adapter') };
    await expect(versions.intake.import(bomb, taken)).rejects.toMatchObject(refused);
  });

  it.skipIf(process.platform === 'win32').each(['a file', 'adapter_config.json', 'adapter_model.safetensors'])(
    'is not waited for where it is a pipe: %s',
    async (name) => {
      const path = name === 'a file' ? join(folder, 'pipe') : await trained();
      const pipe = name === 'a file' ? path : join(path, name);
      await rm(pipe, { force: true });
      execFileSync('mkfifo', [pipe]);
      const imported = versions.intake.import(path, { name: 'back', base: BASE, use: true });
      await expect(imported).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    },
  );

  it.each<[string, (adapter: LoraAdapter) => void]>([
    ['in its numbers', ({ matrices }) => matrices.get('1.up_proj')?.b.fill(3e38, 7, 8)],
    ['where nothing comes of them by themselves', ({ matrices }) => zeroed(matrices.get('1.up_proj')).a.fill(3e38)],
    ['in how they are scaled', (adapter) => Object.assign(adapter, { alpha: 3e38 })],
    ['in one half of a matrix', ({ matrices }) => matrices.get('1.up_proj')?.a.fill(40)],
  ])('refuses an adapter that is out of all proportion %s, in either form', async (_, spoil) => {
    const adapter = madeAdapter(BASE.shape, { size: 1 });
    await versions.intake.import(await written(adapter), { name: 'sound', base: BASE, use: true });
    spoil(adapter);
    const peft = await written(adapter);
    for (const path of [peft, join(peft, 'adapter.gguf')]) {
      await expect(versions.intake.import(path, { name: 'back', base: BASE, use: true })).rejects.toMatchObject({
        code: 'ADAPTER_INVALID',
        message: expect.stringMatching(/it changes \d\.\w+_proj out of all proportion/),
      });
    }
    expect((await versions.adapters()).map(({ name }) => name)).toEqual(['sound']);
  });

  it('refuses an adapter of another model', async () => {
    const shape = smallBase('llama', 1);
    const made = versions.intake.import(await trained(), { name: 'back', base: { ...BASE, shape }, use: true });
    await expect(made).rejects.toMatchObject({
      code: 'ADAPTER_INVALID',
      message: expect.stringContaining('no matrix'),
      hint: expect.stringContaining(`for the model ${BASE.name}`),
    });
  });

  it('overwrites no file', async () => {
    await learn();
    const target = join(folder, 'there.zip');
    await writeFile(target, 'mine');
    for (const form of ['zip', 'gguf'] as const)
      await expect(versions.export('personal', form, target)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(target, 'utf8')).toBe('mine');
  });
});

describe('a comparison', () => {
  it('gives the norms of what two versions add, and of their difference', async () => {
    await learn({}, { rank: 2, alpha: 4, only: (name) => name.endsWith('q_proj') });
    await learn({}, { rank: 3, alpha: 3, seed: 5, only: (name) => name.endsWith('q_proj') || name === '0.down_proj' });
    const { one, other, modules } = await versions.compare('personal@1', 'personal@2');
    expect([one.number, other.number]).toEqual([1, 2]);
    const wanted = await byHand();
    expect(modules.map(({ module }) => module)).toEqual(['q_proj', 'down_proj']);
    expect(modules[0]?.one).toBeCloseTo(wanted.one, 6);
    expect(modules[0]?.other).toBeCloseTo(wanted.other, 6);
    expect(modules[0]?.apart).toBeCloseTo(wanted.apart, 6);
    expect(modules[1]).toMatchObject({ one: 0 });
    expect(modules[1]?.apart).toBeCloseTo(modules[1]?.other ?? 0, 9);
    expect((await versions.compare('personal@1', 'personal@1')).modules[0]?.apart).toBeCloseTo(0, 6);
  });

  /** The same with the whole matrices. */
  async function byHand() {
    const [one, other] = [await full('personal@1'), await full('personal@2')];
    const norm = (values: number[]) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
    return { one: norm(one), other: norm(other), apart: norm(one.map((value, at) => value - (other[at] ?? 0))) };
  }

  async function full(ref: string): Promise<number[]> {
    const { rank, alpha, matrices } = await readPeft((await versions.folder(ref)).folder, BASE.shape);
    return ['0.q_proj', '1.q_proj'].flatMap((name) => {
      const { a, b, in: columns, out } = matrices.get(name) ?? { a: [], b: [], in: 0, out: 0 };
      return Array.from({ length: out * columns }, (_, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        let sum = 0;
        for (let inner = 0; inner < rank; inner++)
          sum += (b[row * rank + inner] ?? 0) * (a[inner * columns + column] ?? 0);
        return (alpha / rank) * sum;
      });
    });
  }
});
