import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelDesk, type ModelDeskOptions } from '../../../../src-main/app/models/model-desk.ts';
import { ModelShares, type ModelSharesOptions } from '../../../../src-main/app/models/model-shares.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { heldFile, sharesFolder } from '../../../../src-main/mesh/sharing/share-note.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import type { ImportedModel } from '../../../../src-preload/contract/models.ts';

let dir: string;
let library: ModelLibrary;
let desk: ModelDesk;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-desk-'));
  await open();
});
afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

/** A desk without network. @param copying whether the drive of the library is another one, so that files are copied */
async function open({ copying = false } = {}): Promise<void> {
  const tinyPath = installedPath('resources', 'tiny.gguf');
  const noLink = async () => Promise.reject(new Error('another drive'));
  library = new ModelLibrary({
    ...{ folder: join(dir, 'models'), tinyPath, now: () => 1 },
    ...(copying && { link: noLink }),
  });
  await library.open();
  const config = { dataDir: dir };
  const shares = new ModelShares({ config, library } as ModelSharesOptions);
  desk = new ModelDesk({
    ...{ config, library, shares },
    model: () => undefined,
    loaded: () => [],
    offered: () => [],
    free: async () => undefined,
  } as unknown as ModelDeskOptions);
}

async function downloaded(name = 'mine.gguf'): Promise<string> {
  const path = join(dir, name);
  await copyFile(installedPath('resources', 'tiny.gguf'), path);
  return path;
}

async function imported(path: string): Promise<ImportedModel> {
  const events = await Array.fromAsync(desk.import({ path }));
  return events.at(-1) as ImportedModel;
}

describe('a model that is taken in and removed again', () => {
  it('says that its file has two names now, and that removing one frees nothing', async () => {
    const path = await downloaded();
    const model = await imported(path);
    expect(model).toMatchObject({ name: 'mine', taken: 'linked', place: 'linked', frees: 0 });
    expect(await imported(path)).toMatchObject({ taken: 'known' });
    expect(await desk.remove('mine')).toMatchObject({ freed: 0, message: /still in another folder/ });
    expect(await readdir(dir)).toContain('mine.gguf');
  });

  it('frees all of it when the first file is gone by then', async () => {
    const path = await downloaded();
    const { bytes } = await imported(path);
    await rm(path);
    expect((await desk.list())[0]).toMatchObject({ name: 'mine', place: 'here', frees: bytes });
    expect(await desk.remove('mine')).toMatchObject({ freed: bytes, message: /was deleted: .* free again/ });
  });

  it('is a copy where the drive is another one, and frees what it takes', async () => {
    await library.close();
    await open({ copying: true });
    const { bytes, ...model } = await imported(await downloaded());
    expect(model).toMatchObject({ taken: 'copied', place: 'here', frees: bytes });
  });

  it('does not take the name that sharing gave it for another copy', async () => {
    const path = await downloaded();
    const { bytes, sha256, path: kept } = await imported(path);
    await rm(path);
    const share = join(sharesFolder(dir), sha256);
    await mkdir(share, { recursive: true });
    await link(kept, heldFile(share));
    expect((await desk.list())[0]).toMatchObject({ place: 'here', frees: bytes });
    await desk.remove('mine');
    expect(await readdir(sharesFolder(dir))).toEqual([]);
  });

  it('has nothing to free where it is built in', async () => {
    expect(await desk.list()).toMatchObject([{ name: 'tiny', place: 'built-in', frees: 0 }]);
  });
});
