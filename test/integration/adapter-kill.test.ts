import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { ifMissing, ignoring } from '../../src-main/base/swallowed.ts';
import { VersionFiles } from '../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../src-main/learning/adapters/versions.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { writePeft } from '../../src-main/learning/formats/peft-adapter.ts';
import { newState } from '../../src-main/learning/training/adapter/adam-w.ts';
import { writeOptimizer } from '../../src-main/learning/training/adapter/optimizer-file.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { AdapterStore } from '../../src-main/store/learning/learning-adapters.ts';
import { startChild } from '../support/killed-child.ts';
import { madeAdapter, smallBase } from '../support/made-adapter.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = join(import.meta.dirname, '../support/adapter-child.ts');
const FILES = ['adapter.gguf', 'adapter_config.json', 'adapter_model.safetensors', 'optimizer.safetensors'];

const data = await mkdtemp(join(tmpdir(), 'quarry-adapters-'));
afterAll(() => rm(data, { recursive: true, force: true }));
const [database, folder, trained] = [join(data, 'quarry.db'), join(data, 'adapters'), join(data, 'run')] as const;

interface Done {
  opened?: true;
  taken?: string;
  undone?: string;
  removed?: string;
}

/**
 * Runs the child until it is killed.
 * @param steps that it has reported by then, at least
 * @param moment what is waited for after them
 * @returns what it had done by then, as far as it could say
 */
async function killed(steps: number, moment: () => Promise<unknown>): Promise<Done[]> {
  const child = startChild(CHILD, [database, folder, trained]);
  const exited = once(child, 'exit');
  const done: Done[] = [];
  const enough = Promise.withResolvers<void>();
  const lines = createInterface(child.stdout).on('line', (line) => {
    done.push(JSON.parse(line));
    if (done.length > steps) enough.resolve();
  });
  const read = once(lines, 'close');
  await Promise.race([enough.promise, exited]);
  await moment();
  child.kill('SIGKILL');
  await Promise.all([exited, read]);
  return done;
}

const atRandom = () => sleep(Math.random() * 150);

/** Files are there before the database knows of them, and go after it has forgotten them: so many things have moved in their folder. */
async function amidFiles(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const moved = new AbortController();
  let left = 1 + Math.floor(Math.random() * 4);
  const watcher = watch(folder, () => {
    if (--left === 0) moved.abort();
  });
  await sleep(10_000, undefined, { signal: moved.signal }).catch(ignoring('something moved'));
  watcher.close();
}

/** The folder is made with the first version: who is killed before has none. */
async function listedIn(path: string): Promise<string[]> {
  return (await readdir(path).catch(ifMissing)) ?? [];
}

it('a node that is killed at any moment has every version as a whole, or nothing of it', async () => {
  await mkdir(trained);
  const adapter = madeAdapter(smallBase());
  await writePeft(trained, adapter, 'small');
  await writeAdapterGguf(join(trained, 'adapter.gguf'), adapter, smallBase());
  await writeOptimizer(join(trained, 'optimizer.safetensors'), newState(adapter));
  let cut = 0;
  let taken = 0;
  // Where a kill hits is chance: if never where it hurts, there are more rounds.
  for (let round = 0; round < 12 * ROUNDS || (cut === 0 && round < 60); round++) {
    const done = await killed(round % 5, round % 2 === 1 ? amidFiles : atRandom);
    expect(done[0]).toEqual({ opened: true });
    const before = await listedIn(folder);
    const db = await openDatabase(database);
    try {
      const store = new AdapterStore(db);
      const versions = new Versions({ store, files: new VersionFiles(folder) });
      await versions.open();
      const { versions: listed } = await versions.page('personal');
      const here = await listedIn(folder);
      if (here.length < before.length) cut++;
      expect(here.sort()).toEqual(listed.map(({ id }) => id).sort());
      for (const { id, sha256 } of listed) {
        expect((await readdir(join(folder, id))).sort()).toEqual(FILES);
        expect(await sha256OfFile(join(folder, id, 'adapter.gguf'))).toBe(sha256);
      }
      const removed = new Set(done.map((each) => each.removed));
      for (const { taken: id } of done.filter((each) => each.taken && !removed.has(each.taken))) {
        taken++;
        expect((await store.version(id ?? ''))?.id).toBe(id);
      }
      for (const id of removed) if (id) expect(listed.map((each) => each.id)).not.toContain(id);
      const runs = await db.selectFrom('learning_runs').select('id').orderBy('id').execute();
      const rows = await db.selectFrom('learning_versions').select('id').orderBy('id').execute();
      expect(runs).toEqual(rows);
      const [{ latest } = { latest: null }] = await versions.adapters();
      if (latest) expect(listed.map(({ id }) => id)).toContain(latest);
      expect((await readdir(trained)).sort()).toEqual(FILES);
    } finally {
      await db.destroy();
    }
  }
  expect(taken).toBeGreaterThan(0);
  expect(cut).toBeGreaterThan(0); // or nothing was cut off where it hurts
});
