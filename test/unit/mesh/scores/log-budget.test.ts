import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ifMissing, ignoring } from '../../../../src-main/base/swallowed.ts';
import { LogBudget } from '../../../../src-main/mesh/scores/log-budget.ts';
import { LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { LogStore } from '../../../../src-main/mesh/scores/log-store.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

const MIB = 1024 * 1024;

let dir: string;
let store: LogStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-budget-'));
  store = new LogStore(dir);
  await store.ready();
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** Nothing that could be packed. */
const block = (bytes = 1_024) => Buffer.from(Array.from({ length: bytes }, () => Math.floor(Math.random() * 256)));

/** A log with so many MiB of blocks. @returns its public key */
async function fill(name: string, mib: number): Promise<string> {
  const core = store.get({ name });
  await core.ready();
  for (let count = 0; count < mib; count++) await core.append(Array.from({ length: 1_024 }, () => block()));
  await core.close();
  return core.key.toString('hex');
}

async function has(key: string): Promise<boolean> {
  const core: Hypercore = store.get({ key: Buffer.from(key, 'hex') });
  await core.ready();
  const found = await core.get(5, { timeout: 10, valueEncoding: 'binary' }).catch(ignoring('it is not there'));
  await core.close();
  return found !== undefined;
}

async function used(): Promise<number> {
  const names = await readdir(dir, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name)).catch(ifMissing))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The key of a log that is not here. */
const NOBODYS = 'f'.repeat(64);

function budget(maxBytes: number, own: string | undefined, followed: string[]): LogBudget {
  const logs = () => followed.map((logKey) => ({ logKey, proven: { seq: 0 } }));
  return new LogBudget({
    store,
    shelf: new LogShelf(store),
    own: () => own ?? NOBODYS,
    followed: logs,
    maxBytes,
    slackBytes: 0,
    log: testLog,
  });
}

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
  await until(async () => expect(await used()).toBeLessThan(9 * MIB));
  await look.close();
});

it('a cap that is kept touches nothing; one that was set lower is kept by the next node on the same folder', async () => {
  const [one, two] = [await fill('one', 3), await fill('two', 3)];
  await budget(100 * MIB, undefined, [one, two]).look();
  expect(await Promise.all([one, two].map(has))).toEqual([true, true]);
  await store.close();
  store = new LogStore(dir);
  await store.ready();
  const lower = budget(7.5 * MIB, undefined, [two, one]);
  await lower.look();
  await lower.look(); // there is nothing more to do
  expect(await Promise.all([one, two].map(has))).toEqual([true, false]);
  await until(async () => expect(await used()).toBeLessThan(7.5 * MIB));
});

describe('this node’s own log', () => {
  it('is not taken for another’s while it is not open: until then none goes', async () => {
    const own = await fill('own', 3);
    const options = { store, shelf: new LogShelf(store), followed: () => [], maxBytes: MIB, log: testLog };
    await new LogBudget({ ...options, own: () => undefined }).look();
    expect(await has(own)).toBe(true);
  });

  it('stays, even where it takes more than the cap', async () => {
    const own = await fill('own', 3);
    await budget(1 * MIB, own, [own]).look();
    expect(await has(own)).toBe(true);
  });

  it('does not count: logs of others stay beside one that takes more than their cap, and nothing is rewritten', async () => {
    const [own, other] = [await fill('own', 3), await fill('other', 1)];
    const compact = vi.spyOn(store.storage, 'compact');
    await budget(2 * MIB, own, [other, own]).look();
    expect([await has(own), await has(other), compact.mock.calls.length]).toEqual([true, true, 0]);
  });
});

it('a log that takes more of the disk than its blocks do goes whole, and the others stay', async () => {
  const liar = store.get({ name: 'liar' });
  await liar.append(Array.from({ length: 20_000 }, () => block(1)));
  await liar.clear(0, 20_000);
  await liar.close();
  const useful = await fill('useful', 1);
  const liarsKey = liar.key.toString('hex');
  const followed = [liarsKey, useful].map((logKey) => ({ logKey, proven: { seq: 0 } }));
  const shelf = new LogShelf(store);
  const options = { store, shelf, own: () => NOBODYS, followed: () => followed, log: testLog };
  const look = new LogBudget({ ...options, maxBytes: 1.8 * MIB, slackBytes: 0 });
  await look.look();
  expect(await has(useful)).toBe(true);
  const left = (await Array.fromAsync(store.list())).map((name) => name.toString('hex'));
  expect(left).not.toContain(liar.discoveryKey.toString('hex'));
  await look.close();
});

it('logs that nobody follows leave next to nothing behind, however many there were', async () => {
  const before = await used();
  for (let count = 0; count < 300; count++) {
    const core = store.get({ keyPair: hypercoreCrypto.keyPair() });
    await core.append([block(100), block()]);
    await core.close();
  }
  expect(await Array.fromAsync(store.list())).toHaveLength(300);
  await budget(MIB, undefined, []).look();
  expect(await Array.fromAsync(store.list())).toEqual([]);
  await until(async () => expect((await used()) - before).toBeLessThan(300 * 500));
});

it('a log that was only named is forgotten when nobody follows it any more, though it is open', async () => {
  const key = hypercoreCrypto.keyPair().publicKey.toString('hex');
  const shelf = new LogShelf(store);
  await shelf.take(key);
  const followed = [{ logKey: key, proven: { seq: 0 } }];
  const look = new LogBudget({
    store,
    shelf,
    own: () => NOBODYS,
    followed: () => followed,
    maxBytes: MIB,
    log: testLog,
  });
  await look.look();
  expect(await Array.fromAsync(store.list())).toHaveLength(1);
  followed.length = 0;
  await look.look();
  expect(await Array.fromAsync(store.list())).toEqual([]);
  await shelf.take(key); // and may be named again
  expect(await Array.fromAsync(store.list())).toHaveLength(1);
  await look.close();
});

it('what was written takes its place once, as soon as it was looked', async () => {
  const core = store.get({ name: 'busy' });
  await core.ready();
  for (let count = 0; count < 1_000; count++) await core.append([block()]);
  await core.close();
  expect(await used()).toBeGreaterThan(3.5 * MIB); // every block with the page that says what is here
  await budget(100 * MIB, undefined, [core.key.toString('hex')]).look();
  await until(async () => expect(await used()).toBeLessThan(2 * MIB));
});

it('what is read between two looks counts: a log that takes too much goes without waiting for the next one', async () => {
  const [full, fresh] = [await fill('full', 2), await fill('fresh', 1)];
  const look = budget(7 * MIB, undefined, [full, fresh]);
  await look.look();
  expect(await Promise.all([full, fresh].map(has))).toEqual([true, true]);
  for (let count = 0; count < 2_048; count++) look.came(fresh, 1_024); // as if it had grown
  await until(async () => expect(await has(full)).toBe(false));
  expect(await has(fresh)).toBe(true);
  await look.close();
});
