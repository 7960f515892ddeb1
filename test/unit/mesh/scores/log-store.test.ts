import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import hypercoreCrypto from 'hypercore-crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { LogStore } from '../../../../src-main/mesh/scores/log-store.ts';

let dir: string;
let theirs: LogStore;
let ours: LogStore;
let shelf: LogShelf;
let streams: Duplex[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-log-store-'));
  [theirs, ours] = [new LogStore(join(dir, 'theirs')), new LogStore(join(dir, 'ours'))];
  shelf = new LogShelf(ours, { capacity: 4 });
  streams = [theirs.replicate(true), ours.replicate(false)] as Duplex[];
  for (const stream of streams) stream.on('error', ignoring('it ends with the test'));
  streams[0]?.pipe(streams[1] as Duplex).pipe(streams[0]);
});
afterEach(async () => {
  for (const stream of streams) stream.destroy();
  await shelf.close();
  await Promise.all([theirs.close(), ours.close()]);
  await rm(dir, { recursive: true, force: true });
});

/** A log that another node has written, and that peers ask for. */
async function written(name: string) {
  const core = theirs.get({ name });
  await core.append(['a', 'b', 'c'].map((text) => Buffer.from(text)));
  const key = core.key.toString('hex');
  return { key, discoveryKey: core.discoveryKey };
}

async function isHere(discoveryKey: Buffer): Promise<boolean> {
  const names = await Array.fromAsync(ours.list());
  return names.some((name) => name.equals(discoveryKey));
}

/** Reads a block of it, as somebody who audits it does, and closes it. */
async function look(key: string): Promise<string> {
  const core = ours.get({ key: Buffer.from(key, 'hex') });
  try {
    return (await core.get(2, { valueEncoding: 'binary' })).toString();
  } finally {
    await core.close();
  }
}

describe('a log that is removed', () => {
  it('can be named anew at any moment: it goes, or stays, and can be read again', async () => {
    const logs = await Promise.all(Array.from({ length: 20 }, (_, n) => written(`log ${n}`)));
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        logs.flatMap(({ key, discoveryKey }) => [
          shelf.take(key).catch(ignoring('it is going')),
          ours.remove(discoveryKey).catch(ignoring('it is open')),
          shelf.take(key).catch(ignoring('it is going')),
          shelf.drop(key),
          ours.remove(discoveryKey).catch(ignoring('it is open')),
        ]),
      );
    }
    for (const { key } of logs) await shelf.drop(key);
    for (const { key } of logs) expect(await look(key)).toBe('c');
  });

  it('cannot be opened until it is gone', async () => {
    const { key, discoveryKey } = await written('log');
    expect(await look(key)).toBe('c');
    const going = ours.remove(discoveryKey);
    await expect(shelf.take(key)).rejects.toThrow('being removed');
    await going;
    expect(await isHere(discoveryKey)).toBe(false);
    expect(await look(key)).toBe('c');
  });

  it('stays while somebody has it open, and goes when nobody has', async () => {
    const { key, discoveryKey } = await written('log');
    const log = await shelf.take(key);
    await expect(ours.remove(discoveryKey)).rejects.toThrow('open');
    expect(log.rewritten).toBe(false);
    expect(await look(key)).toBe('c');
    await shelf.drop(key);
    await ours.remove(discoveryKey);
    expect(await isHere(discoveryKey)).toBe(false);
  });
});

it('a log that nobody knows leaves nothing when it is removed', async () => {
  await ours.remove(hypercoreCrypto.discoveryKey(hypercoreCrypto.keyPair().publicKey));
  expect(await Array.fromAsync(ours.list())).toEqual([]);
});
