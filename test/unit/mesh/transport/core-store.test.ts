import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { CoreStore } from '../../../../src-main/mesh/transport/core-store.ts';
import { until } from '../../../support/until.ts';

let dir: string;
let theirs: CoreStore;
let ours: CoreStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-core-store-'));
  [theirs, ours] = [new CoreStore(join(dir, 'theirs')), new CoreStore(join(dir, 'ours'))];
});
afterEach(async () => {
  await Promise.all([theirs.close(), ours.close()]);
  await rm(dir, { recursive: true, force: true });
});

function connect(): void {
  const streams = [theirs.replicate(true), ours.replicate(false)] as Duplex[];
  for (const stream of streams) stream.on('error', ignoring('it ends with the test'));
  streams[0]?.pipe(streams[1] as Duplex).pipe(streams[0]);
  onTestFinished(() => {
    for (const stream of streams) stream.destroy();
  });
}

/** What Hypercore has beside its public interface: its hook before a block is written, and the place where it is written. */
interface Inside {
  core: { preupdate: (() => Promise<void>) | null; storage: { close(): Promise<void> } };
}

/** Closes a core's place just before its first block is written there. @returns whether that block has come */
function closeBeforeWriting(core: unknown): () => boolean {
  const { core: inside } = core as Inside;
  let hasCome = false;
  inside.preupdate = async () => {
    void inside.storage.close();
    hasCome = true;
  };
  return () => hasCome;
}

describe('a store that is closed while a peer sends', () => {
  it('has the first block of a core end nothing but the wait for it', async () => {
    const unheard: unknown[] = [];
    const hear = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const written = theirs.get({ name: 'log' });
    await written.append([Buffer.from('a')]);
    const read = ours.get({ key: written.key });
    await read.ready();
    const hasCome = closeBeforeWriting(read);
    const waiting = read.get(0, { valueEncoding: 'binary' }).catch((error: Error) => error);
    connect();
    await until(() => expect(hasCome()).toBe(true));
    await read.close();
    expect(await waiting).toBeInstanceOf(Error);
    await new Promise(setImmediate);
    expect(unheard).toEqual([]);
  });
});
