import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { ModelLibrary } from '../../src-main/models/library/library.ts';
import { startChild } from '../support/killed-child.ts';
import { ggufFile, install, linkBetweenDrives, sha256Of } from '../support/model-files.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/move-child.ts', import.meta.url));
const AT_ONCE = 4;
/** Every moment is tried, or only every third, beginning anywhere: then three runs try as much as a heavy one. */
const STEP = ROUNDS > 1 ? 1 : 3;
/** Far more changes of the file system than a child makes. */
const MOST_CHANGES = 500;
const MEMORY_DRIVE = '/dev/shm';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'quarry-library-kill-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A data folder with a model, an unfinished download and a model elsewhere that can be imported. */
async function prepare(name: string) {
  const home = join(dir, name);
  const place = { folder: join(home, 'models'), tinyPath: join(home, 'tiny.gguf'), source: join(home, 'new.gguf') };
  await rm(home, { recursive: true, force: true });
  const bytes = ggufFile(Buffer.alloc(200_000, name));
  await mkdir(place.folder, { recursive: true });
  await writeFile(place.tinyPath, ggufFile('tiny'));
  await writeFile(place.source, bytes);
  await install(place.folder, 'old', bytes, 1);
  await writeFile(join(place.folder, 'half.partial'), 'half');
  return { ...place, home, sha256: sha256Of(bytes) };
}

/** @returns whether the child was killed before it was done */
async function runChild(args: string[]): Promise<boolean> {
  const child = startChild(CHILD, args);
  const [code, signal] = await once(child, 'exit');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the child ended with ${code}`);
  return signal === 'SIGKILL';
}

/** Tries the moments at which a child can be killed, several at a time, to the first at which it was done. @returns which */
async function atEveryMoment(moment: (number: number) => Promise<boolean>): Promise<number> {
  const first = 1 + Math.floor(Math.random() * STEP);
  for (let number = first; number < MOST_CHANGES; number += AT_ONCE * STEP) {
    const killed = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => moment(number + at * STEP)));
    if (killed.includes(false)) return number + killed.indexOf(false) * STEP;
  }
  throw new Error('the child never got to its end');
}

async function reopen({ folder, tinyPath }: { folder: string; tinyPath: string }): Promise<ModelLibrary> {
  const library = new ModelLibrary({ folder, tinyPath, now: () => 3, link: linkBetweenDrives });
  await library.open();
  return library;
}

// Windows has no SIGKILL that a process can send itself.
describe.skipIf(process.platform === 'win32').each(['link', 'copy'])('a process that moves the models by %s', (how) => {
  it('loses none, whenever it is killed', async () => {
    const moments = await atEveryMoment(async (number) => {
      const place = await prepare(`at-${number}`);
      const to = join(place.home, 'new');
      const killed = await runChild([String(number), how, 'move', place.folder, place.tinyPath, to]);

      const library = await reopen(place);
      expect(await library.find(), `killed at ${number}`).toMatchObject({ name: 'old', sha256: place.sha256 });
      expect(await library.verify('old')).toMatchObject({ ok: true });
      const { partial } = await library.diskUse();
      expect(partial).toEqual([{ name: 'half', bytes: 4 }]);
      const moved = (await lstat(place.folder)).isSymbolicLink();
      const beside = (await readdir(place.home)).filter((name) => name.startsWith('models'));
      expect(beside, `killed at ${number}`).toEqual(['models']);
      if (!moved) expect((await readdir(to).catch(ifMissing)) ?? [], `killed at ${number}`).toEqual([]);
      if (!moved) await library.moveTo(to); // nothing is in the way of trying again
      expect(await realpath(place.folder)).toBe(to);
      await library.close();
      return killed;
    });
    expect(moments).toBeGreaterThan(20);
  });
});

describe.skipIf(process.platform === 'win32')('a process that imports a model', () => {
  it('leaves a whole model or nothing, whenever it is killed', async () => {
    let whole = 0;
    const moments = await atEveryMoment(async (number) => {
      const place = await prepare(`at-${number}`);
      const killed = await runChild([String(number), 'copy', 'import', place.folder, place.tinyPath, place.source]);
      const library = await reopen(place);
      const names = (await library.list()).map(({ name }) => name);
      const files = ['half.partial', 'library.lock', 'old.gguf', 'old.gguf.json'];
      if (names.includes('new')) {
        whole += 1;
        expect(await library.find()).toMatchObject({ name: 'new', origin: 'imported', sha256: place.sha256 });
        files.push('new.gguf', 'new.gguf.json');
      }
      expect(await readdir(place.folder)).toEqual(files.sort());
      await library.import(place.source, 'new');
      await library.close();
      return killed;
    });
    expect(moments).toBeGreaterThan(5);
    expect(whole).toBeGreaterThan(0);
  });
});

const otherDrive = existsSync(MEMORY_DRIVE) && statSync(MEMORY_DRIVE).dev !== statSync(tmpdir()).dev;
it.skipIf(!otherDrive)('models move to a real other drive and back', async () => {
  const place = await prepare('real');
  const there = await mkdtemp(join(MEMORY_DRIVE, 'quarry-move-'));
  const library = new ModelLibrary({ ...place, now: () => 1 });
  try {
    await library.moveTo(there);
    expect(await readdir(there)).toEqual(['half.partial', 'old.gguf', 'old.gguf.json']);
    expect(await library.verify('old')).toMatchObject({ ok: true, expected: place.sha256 });
    await library.import(place.source, 'new'); // from another drive now
    await library.moveTo(join(place.home, 'back'));
    expect(existsSync(there)).toBe(false);
    expect(await library.verify('new')).toMatchObject({ ok: true });
  } finally {
    await library.close();
    await rm(there, { recursive: true, force: true });
  }
});
