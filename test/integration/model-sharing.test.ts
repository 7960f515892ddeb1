import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import type { ModelToShare } from '../../src-main/mesh/sharing/model-sharing.ts';
import type { PeerSource } from '../../src-main/mesh/sharing/peer-source.ts';
import { forgetShare } from '../../src-main/mesh/sharing/share-note.ts';
import {
  openSharingNode,
  randomModel,
  removeFolder,
  type SharingNode,
  type SharingNodeOptions,
  sha256From,
  shared,
  shareNow,
} from '../support/sharing-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 1024 * 1024;
const signal = new AbortController().signal;

let testnet: Testnet;
let dir: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  testnet = await openTestnet();
});
afterAll(() => testnet.close());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-sharing-'));
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
  await removeFolder(dir);
});

async function node(options: Partial<SharingNodeOptions> = {}): Promise<SharingNode> {
  const folder = await mkdtemp(join(dir, 'node-'));
  const opened = await openSharingNode({ bootstrap: testnet.bootstrap, dir: folder, ...options });
  open.push(opened);
  return opened;
}

/** So many nodes that all share one file. */
async function seeders(count: number, model: ModelToShare, options: Partial<SharingNodeOptions> = {}) {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const seeder = await node(options);
      await shareNow(seeder, model);
      return seeder;
    }),
  );
}

function sourceOf(reader: SharingNode, wanted: { name?: string; sha256?: string }): PeerSource {
  const source = reader.sharing.source({ name: 'model', urls: [], ...wanted });
  open.push(source);
  return source;
}

const seen = (reader: SharingNode, count: number) =>
  until(() => expect(reader.sharing.offers()[0]?.seeders).toBe(count));

describe('a file from peers', () => {
  it.each([1, 4])('is whole and right with %i seeders, each of which gave a part', async (count) => {
    const model = await randomModel(dir, 12 * MEBIBYTE + 77);
    const nodes = await seeders(count, model);
    const reader = await node();
    await seen(reader, count);
    const source = sourceOf(reader, model);
    expect(await source.open(signal)).toMatchObject({ bytes: model.bytes });
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
    for (const { sharing } of nodes) expect(sharing.status().models[0]?.uploadedBytes).toBeGreaterThan(0);
  });

  it('comes in ranges that begin and end anywhere, and twice if asked twice', async () => {
    const model = await randomModel(dir, MEBIBYTE);
    await seeders(1, model);
    const source = sourceOf(await node(), model);
    await source.open(signal);
    const [once_, again] = [
      await sha256From(source, 0, 200_001, 777_777),
      await sha256From(source, 0, 200_001, 777_777),
    ];
    expect(again).toBe(once_);
    const chunks = [];
    for await (const chunk of source.read({ start: 131_071, end: 131_073 }, signal)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toHaveLength(2);
  });

  it('leaves nothing on disk, and nothing of it open, when the source is closed', async () => {
    const model = await randomModel(dir, 4 * MEBIBYTE);
    await seeders(1, model);
    const reader = await node();
    const source = sourceOf(reader, model);
    await source.open(signal);
    await sha256From(source, model.bytes);
    await source.close();
    expect(await readdir(join(reader.dir, 'shared-models', 'fetching'))).toEqual([]);
  });

  it('ends at once when it is aborted', async () => {
    const model = await randomModel(dir, MEBIBYTE);
    await seeders(1, model, { uploadLimit: 2_000_000 });
    const source = sourceOf(await node(), model);
    await source.open(signal);
    const aborting = new AbortController();
    const reading = (async () => {
      for await (const _ of source.read({ start: 0, end: model.bytes }, aborting.signal)) aborting.abort();
    })();
    await expect(reading).rejects.toThrow(/abort/);
  });

  it('goes on from others when a seeder is killed', async () => {
    const model = await randomModel(dir, 24 * MEBIBYTE);
    const child = fork(fileURLToPath(new URL('../support/sharing-child.ts', import.meta.url)));
    child.send({ bootstrap: testnet.bootstrap, model, dir: join(dir, 'child') });
    await once(child, 'message');
    await seeders(1, model, { uploadLimit: 8_000_000 });
    const reader = await node();
    await seen(reader, 2);
    const source = sourceOf(reader, model);
    await source.open(signal);
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of source.read({ start: 0, end: model.bytes }, signal)) {
      hash.update(chunk);
      if (read < 4 * MEBIBYTE && read + chunk.length >= 4 * MEBIBYTE) child.kill('SIGKILL');
      read += chunk.length;
    }
    expect(child.killed).toBe(true);
    expect(hash.digest('hex')).toBe(model.sha256);
  });

  it('is lost, in bounded time, when the last seeder goes', async () => {
    const model = await randomModel(dir, 4 * MEBIBYTE);
    const [seeder] = await seeders(1, model, { uploadLimit: 500_000 });
    const source = sourceOf(await node(), model);
    await source.open(signal);
    const reading = expect(sha256From(source, model.bytes)).rejects.toMatchObject({ reason: 'lost' });
    await seeder?.sharing.unshare('model');
    await reading;
  });

  it('is not found where nobody has it', async () => {
    const source = sourceOf(await node({ timing: { findMs: 50 } }), { sha256: '0'.repeat(64) });
    await expect(source.open(signal)).rejects.toMatchObject({ reason: 'lost' });
  });
});

describe('who may be believed', () => {
  it('is anybody when the SHA-256 is known, else only a trusted signer', async () => {
    const model = await randomModel(dir, 100_000);
    const [seeder] = await seeders(1, model);
    const signer = seeder?.identity.id ?? '';
    const timing = { findMs: 300 };
    const stranger = await node({ timing });
    await seen(stranger, 1);
    await expect(sourceOf(stranger, {}).open(signal)).rejects.toMatchObject({ reason: 'lost' });
    expect(stranger.sharing.offers()).toMatchObject([{ name: 'model', signers: [signer], trusted: false, seeders: 1 }]);
    expect(await sourceOf(stranger, { sha256: model.sha256 }).open(signal)).toMatchObject({ bytes: model.bytes });
    const friend = await node({ timing, trustedSigners: [signer] });
    await seen(friend, 1);
    expect(await sourceOf(friend, {}).open(signal)).toMatchObject({ bytes: model.bytes });
    expect(friend.sharing.offers()[0]?.trusted).toBe(true);
  });

  it('is nobody without the mesh’s secret', async () => {
    const model = await randomModel(dir, 100_000);
    const seeder = await node({ mesh: { name: 'office', secret: 'correct horse' } });
    await shareNow(seeder, model);
    const reader = await node({ mesh: { name: 'office', secret: 'wrong horse' }, timing: { findMs: 300 } });
    reader.swarm.joinPeer(seeder.swarm.identity.id);
    await expect(sourceOf(reader, model).open(signal)).rejects.toMatchObject({ reason: 'lost' });
    expect(reader.sharing.offers()).toEqual([]);
  });
});

describe('what a node shares', () => {
  it('is kept to the cap, all peers together', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const cap = 1_000_000;
    await seeders(1, model, { uploadLimit: cap });
    const readers = [await node(), await node()];
    const sources = readers.map((reader) => sourceOf(reader, model));
    await Promise.all(sources.map((source) => source.open(signal)));
    const started = performance.now();
    await Promise.all(sources.map((source) => sha256From(source, model.bytes)));
    const rate = (2 * model.bytes) / ((performance.now() - started) / 1_000);
    expect(rate).toBeLessThan(cap * 1.15);
  });

  it('answers hello and pings while the cap holds blocks back', async () => {
    const model = await randomModel(dir, 4 * MEBIBYTE);
    const [seeder] = await seeders(1, model, { uploadLimit: 100_000 });
    const reader = await node();
    const source = sourceOf(reader, model);
    await source.open(signal);
    const reading = sha256From(source, model.bytes).catch(ignoring('given up at the end of the test'));
    const peer = await until(() => reader.network.peers.get(seeder?.swarm.identity.id ?? '') ?? expect.fail());
    peer.rttMs = undefined;
    await until(() => {
      peer.probe();
      expect(peer.rttMs).toBeLessThan(500);
    });
    await source.close();
    await reading;
  });

  it('is offered no more once it is not shared', async () => {
    const model = await randomModel(dir, 100_000);
    const [seeder] = await seeders(1, model);
    const reader = await node({ timing: { findMs: 300 } });
    await seen(reader, 1);
    await seeder?.sharing.unshare('model');
    await until(() => expect(reader.sharing.offers()).toEqual([]));
    await expect(sourceOf(reader, model).open(signal)).rejects.toMatchObject({ reason: 'lost' });
    expect(await readdir(join(seeder?.dir ?? '', 'shared-models'))).toEqual(['fetching']);
  });

  it('is ended by its name or its SHA-256, and a name that is not shared is answered with those that are', async () => {
    const { sharing, dir: home } = await node();
    await expect(sharing.unshare('model')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    const model = await randomModel(dir, 100_000);
    await sharing.share(model);
    await shared(sharing, 'model');
    const hint = expect.stringContaining('«model»');
    await expect(sharing.unshare('other')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND', hint });
    await sharing.forget('0'.repeat(64));
    expect(sharing.status().models).toHaveLength(1);
    await sharing.forget(model.sha256);
    expect(sharing.status().models).toEqual([]);
    expect(await readdir(join(home, 'shared-models'))).toEqual(['fetching']);
  });

  it('is not shared again under another name', async () => {
    const { sharing } = await node();
    const model = await randomModel(dir, 100_000);
    await sharing.share(model);
    const message = expect.stringContaining('as «model»');
    await expect(sharing.share({ ...model, name: 'other' })).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
    await sharing.share(model);
    expect(sharing.status().models).toMatchObject([{ name: 'model' }]);
  });

  it('is forgotten while no node runs', async () => {
    const model = await randomModel(dir, 100_000);
    const [seeder] = await seeders(1, model);
    await seeder?.close();
    await forgetShare(seeder?.dir ?? '', model.sha256);
    await forgetShare(seeder?.dir ?? '', model.sha256);
    const again = await node({ dir: seeder?.dir });
    expect(again.sharing.status().models).toEqual([]);
  });

  it('is offered in words that others take, whatever the file says of itself', async () => {
    const facts = { licence: 'MIT\x1b[2J', quantisation: 'Ü'.repeat(99), contextLength: 1e12 };
    const model = { ...(await randomModel(dir, 1_000)), name: 'model (1)', ...facts };
    await shareNow(await node(), model);
    const reader = await node();
    await seen(reader, 1);
    const words = { name: 'model--1-', licence: 'MIT_[2J', quantisation: '_'.repeat(40), contextLength: 10_000_000 };
    expect(reader.sharing.offers()).toMatchObject([words]);
  });

  it('outlives a restart, and the file’s removal from the library', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const [seeder] = await seeders(1, model);
    await seeder?.close();
    await rm(model.path);
    const again = await node({ dir: seeder?.dir });
    await shared(again.sharing, 'model');
    const source = sourceOf(await node(), model);
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
  });

  it('is kept while its share.json cannot be read, and shared again once it can be', async () => {
    const model = await randomModel(dir, MEBIBYTE);
    const [seeder] = await seeders(1, model);
    await seeder?.close();
    const note = join(seeder?.dir ?? '', 'shared-models', model.sha256, 'share.json');
    await rename(note, join(dir, 'share.json'));
    await symlink('share.json', note); // leads to itself: whoever reads it fails
    const without = await node({ dir: seeder?.dir });
    expect(without.sharing.status().models).toEqual([]);
    await without.close();
    await rm(note);
    await rename(join(dir, 'share.json'), note);
    const again = await node({ dir: seeder?.dir });
    await shared(again.sharing, 'model');
  });

  it.each(['CURRENT', 'share.json'])('is there again after its %s was damaged', async (victim) => {
    const model = await randomModel(dir, MEBIBYTE);
    const [seeder] = await seeders(1, model);
    await seeder?.close();
    const files = await readdir(seeder?.dir ?? '', { recursive: true });
    for (const file of files.filter((name) => name.endsWith(victim))) await truncate(join(seeder?.dir ?? '', file), 3);
    const again = await node({ dir: seeder?.dir });
    await again.sharing.share(model); // a share whose note is lost is not remembered
    await shared(again.sharing, 'model');
    const source = sourceOf(await node(), model);
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
  });

  it('is no file with another SHA-256, and no more than the disk cap allows', async () => {
    const model = await randomModel(dir, MEBIBYTE);
    const { sharing } = await node({ diskLimit: MEBIBYTE + 100 });
    await sharing.share({ ...model, sha256: 'f'.repeat(64) });
    await expect(shared(sharing, 'model')).rejects.toThrow(/not the file/);
    await sharing.unshare('model');
    await shareNow(await node({ diskLimit: MEBIBYTE }), model);
    await sharing.share(model);
    await expect(sharing.share(await randomModel(dir, 101, 'other'))).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringContaining(' 1 B more'),
    });
  });

  it('does not stay half prepared: what was begun when the node ended is prepared anew', async () => {
    const model = await randomModel(dir, 48 * MEBIBYTE);
    const first = await node();
    await first.sharing.share(model);
    await until(() => expect(first.sharing.status().models[0]?.prepared).toBeGreaterThan(0), 1);
    await first.close();
    await writeFile(join(first.dir, 'shared-models', model.sha256, 'index', 'CURRENT'), '');
    const again = await node({ dir: first.dir });
    await shared(again.sharing, 'model');
  });
});
