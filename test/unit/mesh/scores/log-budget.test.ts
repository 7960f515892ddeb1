import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Corestore from 'corestore';
import type Hypercore from 'hypercore';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { LogBudget } from '../../../../src-main/mesh/scores/log-budget.ts';
import { testLog } from '../../../support/mesh-node.ts';

const MIB = 1024 * 1024;

let dir: string;
let store: Corestore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-budget-'));
  store = new Corestore(dir);
  await store.ready();
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** A log with so many MiB of blocks. @returns its public key */
async function fill(name: string, mib: number): Promise<string> {
  const core = store.get({ name });
  await core.ready();
  // Nothing that could be packed.
  const block = () => Buffer.from(Array.from({ length: 1_024 }, () => Math.floor(Math.random() * 256)));
  for (let count = 0; count < mib; count++) await core.append(Array.from({ length: 1_024 }, block));
  await core.close();
  return core.key.toString('hex');
}

async function has(key: string): Promise<boolean> {
  const core: Hypercore = store.get({ key: Buffer.from(key, 'hex') });
  await core.ready();
  const block = await core.get(5, { timeout: 10, valueEncoding: 'binary' }).catch(ignoring('it is not there'));
  await core.close();
  return block !== undefined;
}

async function used(): Promise<number> {
  const names = await readdir(dir, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const budget = (maxBytes: number, own: string | undefined, followed: string[]) =>
  new LogBudget({ folder: dir, store, own: () => own, followed: () => followed, maxBytes, log: testLog });

it('logs of others go when they take more than their cap, those that nobody follows and those of least use first', async () => {
  const [own, forgotten, useless, useful] = [
    await fill('own', 2),
    await fill('forgotten', 3),
    await fill('useless', 3),
    await fill('useful', 3),
  ];
  const look = budget(9 * MIB, own, [useless, useful, own]);
  await look.look();
  expect(await Promise.all([own, forgotten, useless, useful].map(has))).toEqual([true, false, false, true]);
  expect(await used()).toBeLessThan(9 * MIB);
  await look.close();
});

it('a cap that is kept touches nothing; one that was set lower is kept by the next node on the same folder', async () => {
  const [one, two] = [await fill('one', 3), await fill('two', 3)];
  await budget(100 * MIB, undefined, [one, two]).look();
  expect(await Promise.all([one, two].map(has))).toEqual([true, true]);
  await store.close();
  store = new Corestore(dir);
  await store.ready();
  const lower = budget(5 * MIB, undefined, [two, one]);
  await lower.look();
  await lower.look(); // there is nothing more to do
  expect(await Promise.all([one, two].map(has))).toEqual([true, false]);
  expect(await used()).toBeLessThan(5 * MIB);
});

it('this node’s own log stays, even where it takes more than the cap', async () => {
  const own = await fill('own', 3);
  await budget(1 * MIB, own, [own]).look();
  expect(await has(own)).toBe(true);
});
