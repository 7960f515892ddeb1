/** @module-tag long */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { type BaseShape, baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import type { AdapterOffer } from '../../src-main/mesh/sharing/messages.ts';
import type { AdapterToShare } from '../../src-main/mesh/sharing/model-sharing.ts';
import { SharedFile } from '../../src-main/mesh/sharing/shared-file.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import { TINY_MODEL_NAME } from '../../src-main/models/model-name.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { openSharingNode, removeFolder, type SharingNode } from '../support/sharing-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 1024 * 1024;

let testnet: Testnet;
let shape: BaseShape;
let dir: string;
let opened: AsyncDisposableStack;
beforeAll(async () => {
  testnet = await openTestnet();
  shape = baseShape(await readModelHeader(TINY_MODEL));
});
afterAll(() => testnet.close());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-adapters-'));
  opened = new AsyncDisposableStack();
});
afterEach(async () => {
  await opened.disposeAsync();
  await removeFolder(dir);
});

interface Node {
  app: App;
  contract: ReturnType<typeof contractOf>;
  close(): Promise<void>;
}
const contractOf = (app: App) => createRouterClient(app.contract);

/** A whole node on the models network, as a command opens one; its folder outlives it. */
async function node(name: string, env: Record<string, string> = {}): Promise<Node> {
  const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  const flags = { dataDir: join(dir, name), bootstrap, 'mesh.name': TEST_MESH.name, role: 'client' };
  const app = opened.use(await createApp(loadConfig({ flags, env }), { sharing: true }));
  return { app, contract: contractOf(app), close: async () => await app[Symbol.asyncDispose]() };
}

/** A node's own version of an adapter of the built-in model. @returns its SHA-256 */
async function learnt({ contract }: Node, adapter: string, made: Parameters<typeof madeAdapter>[1] = {}) {
  const path = join(dir, `${adapter.replace('/', '-')}.gguf`);
  await writeAdapterGguf(path, madeAdapter(shape, made), shape);
  return (await contract.learning.importVersion({ path, adapter, model: TINY_MODEL_NAME })).sha256;
}

async function shared({ contract }: Node, version: string): Promise<void> {
  await contract.learning.share({ version });
  await until(async () => expect((await contract.learning.sharing({ version })).status?.state).toBe('shared'));
}

const offersOf = async ({ contract }: Node) => (await contract.learning.offers({})).offers;
const seen = (reader: Node, count: number) => until(async () => expect(await offersOf(reader)).toHaveLength(count));
const versionsOf = async ({ contract }: Node, adapter: string) =>
  (await contract.learning.versions({ adapter })).versions;
const downloadOf = async ({ contract }: Node, name: string) =>
  (await contract.models.downloads()).find((download) => download.name === name);
const ends = (reader: Node, name: string, state: 'done' | 'failed') =>
  until(async () => expect(await downloadOf(reader, name)).toMatchObject({ state }));

describe('a version that somebody shares', () => {
  it('is fetched by another node, as a version of its own, not in use, with its origin', async () => {
    const [seeder, reader] = [await node('seeder'), await node('reader')];
    const sha256 = await learnt(seeder, 'personal');
    expect(await offersOf(reader)).toEqual([]);
    await shared(seeder, 'personal@1');
    expect(await versionsOf(seeder, 'personal')).toMatchObject([{ shared: 'shared' }]);
    await seen(reader, 1);
    const tiny = (await seeder.contract.models.list()).find(({ name }) => name === TINY_MODEL_NAME);
    const [offer] = await offersOf(reader);
    expect(offer).toMatchObject({
      ...{ name: 'personal', number: 1, sha256, seeders: 1, trusted: false, here: null },
      ...{ base: tiny?.sha256, baseName: TINY_MODEL_NAME, baseHere: TINY_MODEL_NAME },
    });
    const begun = await reader.contract.learning.fetch({ version: 'personal@1', trust: true });
    expect(begun).toMatchObject({ adapter: { name: 'personal', sha256 }, bytes: null }); // no trusted signer says a length
    await ends(reader, begun.name, 'done');
    expect(await downloadOf(reader, begun.name)).toMatchObject({ bytes: offer?.bytes });
    const [from] = offer?.signers ?? [];
    expect(from).toMatch(/^[0-9a-f]{64}$/);
    expect(await versionsOf(reader, 'personal')).toMatchObject([
      { number: 1, origin: 'fetched', from, sha256, inUse: false, shared: null, feedback: [], metrics: null },
    ]);
    expect(await offersOf(reader)).toMatchObject([{ here: 'personal@1' }]);
    await expect(reader.contract.learning.fetch({ version: sha256, trust: true })).rejects.toMatchObject({
      data: { code: 'BAD_REQUEST' },
    });
    expect((await readdir(join(dir, 'reader', 'models'))).filter((name) => name.startsWith('adapter-'))).toEqual([]);
  });

  it('is offered no more once it is unshared, or deleted', async () => {
    const [seeder, reader] = [await node('seeder'), await node('reader')];
    await learnt(seeder, 'personal');
    await learnt(seeder, 'work/letters', { seed: 2 });
    await shared(seeder, 'personal@1');
    await shared(seeder, 'work/letters@1');
    await seen(reader, 2);
    await seeder.contract.learning.unshare({ version: 'personal@1' });
    await until(async () => expect(await offersOf(reader)).toMatchObject([{ name: 'work/letters' }]));
    expect(await versionsOf(seeder, 'personal')).toMatchObject([{ shared: null }]);
    await expect(seeder.contract.learning.unshare({ version: 'personal@1' })).rejects.toMatchObject({
      data: { code: 'BAD_REQUEST' },
    });
    await seeder.contract.learning.remove({ version: 'work/letters@1' });
    await seen(reader, 0);
    expect(await readdir(join(dir, 'seeder', 'shared-models'))).toEqual(['fetching']);
  });

  it('is shared again after a restart, and counts as no model', async () => {
    const seeder = await node('seeder');
    await learnt(seeder, 'personal');
    await shared(seeder, 'personal@1');
    const told = [{ name: 'personal@1', state: 'shared' }];
    expect(await seeder.contract.models.sharing()).toMatchObject({ models: [], versions: told });
    await seeder.close();
    const [, reader] = [await node('seeder'), await node('reader')];
    await seen(reader, 1);
    expect(await reader.contract.models.offers({ waitMs: 0 })).toEqual([]);
  });

  it('is taken only where somebody who is trusted vouches for it, or it is said so', async () => {
    const seeder = await node('seeder');
    await learnt(seeder, 'personal');
    await shared(seeder, 'personal@1');
    const stranger = await node('stranger');
    await seen(stranger, 1);
    const [offer] = await offersOf(stranger);
    await expect(stranger.contract.learning.fetch({ version: 'personal@1' })).rejects.toMatchObject({
      data: { code: 'UNAUTHORIZED' },
    });
    const friend = await node('friend', { QUARRY_SHARING_TRUSTED_SIGNERS: offer?.signers.join(',') ?? '' });
    await until(async () => expect(await offersOf(friend)).toMatchObject([{ trusted: true }]));
    const { name } = await friend.contract.learning.fetch({ version: 'personal@1' });
    await ends(friend, name, 'done');
  });

  it('becomes the next version of an adapter of its name, or of another one, and overwrites none', async () => {
    const [seeder, reader] = [await node('seeder'), await node('reader')];
    await learnt(seeder, 'personal', { seed: 7 });
    await learnt(reader, 'personal');
    await shared(seeder, 'personal@1');
    await seen(reader, 1);
    const { name } = await reader.contract.learning.fetch({ version: 'personal@1', trust: true });
    await ends(reader, name, 'done');
    expect(await versionsOf(reader, 'personal')).toMatchObject([
      { number: 2, origin: 'fetched' },
      { number: 1, origin: 'imported' },
    ]);
  });

  it('is not fetched where an adapter of its name is of another model, unless it is called otherwise', async () => {
    const [seeder, reader] = [await node('seeder'), await node('reader')];
    await learnt(seeder, 'personal');
    const other = join(dir, 'other.gguf');
    await writeRandomModel(other, TINY_QWEN3, 1);
    const otherShape = baseShape(await readModelHeader(other));
    const path = join(dir, 'of-other.gguf');
    await writeAdapterGguf(path, madeAdapter(otherShape), otherShape);
    await reader.contract.learning.importVersion({ path, adapter: 'personal', model: other });
    await shared(seeder, 'personal@1');
    await seen(reader, 1);
    await expect(reader.contract.learning.fetch({ version: 'personal@1', trust: true })).rejects.toMatchObject({
      data: { code: 'ADAPTER_INVALID' },
    });
    expect(await reader.contract.models.downloads()).toEqual([]);
    const wanted = { version: 'personal@1', adapter: 'of-a-friend', trust: true };
    const { name } = await reader.contract.learning.fetch(wanted);
    await ends(reader, name, 'done');
    expect(await versionsOf(reader, 'of-a-friend')).toMatchObject([{ origin: 'fetched' }]);
  });

  it('goes on where it was stopped, also after a restart, and is gone when it is cancelled', async () => {
    const [seeder, reader] = [
      await node('seeder', { QUARRY_SHARING_UPLOAD_LIMIT: '400000' }),
      await node('reader', { QUARRY_MODELS_DOWNLOAD_LIMIT: '200000' }),
    ];
    const sha256 = await learnt(seeder, 'personal', { rank: 64 });
    await shared(seeder, 'personal@1');
    await seen(reader, 1);
    expect((await offersOf(reader))[0]?.bytes).toBeGreaterThan(MEBIBYTE);
    const wanted = { version: sha256, adapter: 'personal', trust: true };
    const { name } = await reader.contract.learning.fetch(wanted);
    await until(async () => expect((await downloadOf(reader, name))?.received).toBeGreaterThan(200_000));
    const paused = await reader.contract.models.pause({ name });
    expect(paused.state).toBe('paused');
    await reader.close();
    const again = await node('reader');
    expect(await downloadOf(again, name)).toMatchObject({ state: 'paused', adapter: { name: 'personal' } });
    expect((await downloadOf(again, name))?.received).toBeGreaterThanOrEqual(paused.received);
    await again.contract.models.limit({ bytesPerSecond: null });
    await seen(again, 1);
    await again.contract.models.cancel({ name });
    expect(await again.contract.models.downloads()).toEqual([]);
    await again.contract.learning.fetch(wanted);
    await again.contract.models.pause({ name });
    await again.contract.models.resume({ name });
    await ends(again, name, 'done');
    expect(await versionsOf(again, 'personal')).toMatchObject([{ sha256, origin: 'fetched' }]);
  });
});

describe('a node that lies', () => {
  let liar: SharingNode;
  let reader: Node;
  let base: string;
  beforeEach(async () => {
    liar = await openSharingNode({ bootstrap: testnet.bootstrap, mesh: TEST_MESH, dir: join(dir, 'liar') });
    opened.defer(() => liar.close());
    reader = await node('reader');
    base = (await reader.contract.models.list()).find(({ name }) => name === TINY_MODEL_NAME)?.sha256 ?? '';
  });

  async function offers(content: Buffer, more: Partial<AdapterToShare['adapter']> = {}): Promise<string> {
    const path = join(dir, 'offered');
    await writeFile(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const adapter = { number: 1, base, baseName: 'tiny', ...more };
    await liar.sharing.share({ name: 'personal', path, bytes: content.length, sha256, adapter });
    await seen(reader, 1);
    return sha256;
  }
  const fetched = async (version: string) => {
    const { name } = await reader.contract.learning.fetch({ version, trust: true });
    await ends(reader, name, 'failed');
    return await downloadOf(reader, name);
  };
  const nothingIsLeft = async () => {
    expect(await reader.contract.learning.adapters()).toEqual([]);
    const left = (await readdir(join(dir, 'reader', 'models'))).filter((name) => name.startsWith('adapter-'));
    expect(left).toEqual([]);
  };

  it.each([
    ['junk', async () => Buffer.alloc(300_000, 7)],
    ['a model', () => readFile(TINY_MODEL)],
    ['an adapter that ends too early', async () => half(await adapterFile(shape))],
    ['an adapter with a value that is no number', async () => notFinite(await adapterFile(shape))],
    ['an adapter of another model', () => adapterOfOther()],
  ])('offers %s as an adapter: nothing of it stays, and it is offered no more', async (_what, make) => {
    const sha256 = await offers(await make());
    expect(await fetched(sha256)).toMatchObject({ problem: { code: 'ADAPTER_INVALID' } });
    await nothingIsLeft();
    expect(await offersOf(reader)).toEqual([]);
  });

  it('about the file is found out, and the version comes from another node', async () => {
    await liar.close();
    const truth = await adapterFile(shape);
    const sha256 = createHash('sha256').update(truth).digest('hex');
    const folder = join(dir, 'liar', 'shared-models', sha256);
    const path = join(dir, 'other');
    const other = Buffer.from(truth);
    other.writeFloatLE(1, other.length - 4);
    await writeFile(path, other);
    await mkdir(folder, { recursive: true });
    const own = createHash('sha256').update(other).digest('hex');
    const file = { folder, path, bytes: other.length, sha256: own, onProgress: () => {} };
    const treeHash = await SharedFile.build({ ...file, signal: new AbortController().signal });
    const { mtimeMs: modifiedMs } = await stat(path);
    const adapter = { number: 1, base, baseName: 'tiny' };
    const note = { name: 'personal', path, bytes: other.length, sha256, adapter, index: { treeHash, modifiedMs } };
    await writeFile(join(folder, 'share.json'), JSON.stringify(note));
    const again = await openSharingNode({ bootstrap: testnet.bootstrap, mesh: TEST_MESH, dir: join(dir, 'liar') });
    opened.defer(() => again.close());
    await seen(reader, 1);
    const wanted = { version: sha256, adapter: 'personal', trust: true };
    const { name } = await reader.contract.learning.fetch(wanted);
    await seen(reader, 0);
    expect(again.sharing.statusOf(sha256)?.uploadedBytes).toBe(other.length);
    expect(await reader.contract.learning.adapters()).toEqual([]);
    const honest = await node('honest');
    expect(await learnt(honest, 'personal')).toBe(sha256);
    await shared(honest, 'personal@1');
    await ends(reader, name, 'done');
    expect(await versionsOf(reader, 'personal')).toMatchObject([{ origin: 'fetched', sha256 }]);
  });

  it('about length and name in numbers, or about the model, changes nothing of a version that is fetched by its SHA-256', async () => {
    const truth = await adapterFile(shape);
    const sha256 = createHash('sha256').update(truth).digest('hex');
    const second = await openSharingNode({ bootstrap: testnet.bootstrap, mesh: TEST_MESH, dir: join(dir, 'second') });
    opened.defer(() => second.close());
    for (const { network, swarm, identity } of [liar, second]) {
      const facts = { name: 'personal', number: 77, bytes: 999_999_999, sha256, treeHash: '1'.repeat(64) };
      const offer = { type: 'adapter-offer' as const, seeder: swarm.identity.id, ...facts, base, baseName: 'tiny' };
      const elsewhere = { ...offer, base: 'e'.repeat(64) };
      const offers = [offer, elsewhere].map((lie) => signEvidence<AdapterOffer>(lie, identity, Date.now()));
      await until(() => expect(network.peers.size).toBeGreaterThan(0));
      for (const peer of network.peers.values()) peer.send({ v: 2, type: 'adapter-offers', offers });
    }
    await until(async () => expect(await offersOf(reader)).toMatchObject([{ seeders: 2 }, { seeders: 2 }]));
    const honest = await node('honest');
    expect(await learnt(honest, 'formal')).toBe(sha256);
    await shared(honest, 'formal@1');
    await seen(reader, 3);
    const { name } = await reader.contract.learning.fetch({ version: sha256, trust: true });
    await ends(reader, name, 'done');
    const [fetched] = await reader.contract.learning.adapters();
    expect(fetched?.name).toBe(`fetched-${sha256.slice(0, 8)}`);
    expect(await versionsOf(reader, fetched?.name ?? '')).toMatchObject([{ sha256, origin: 'fetched' }]);
  });

  it('about the base gets a refusal before anything is fetched', async () => {
    const sha256 = await offers(await adapterFile(shape), { base: 'f'.repeat(64) });
    await expect(reader.contract.learning.fetch({ version: sha256, trust: true })).rejects.toMatchObject({
      data: { code: 'MODEL_NOT_FOUND' },
    });
    expect(await reader.contract.models.downloads()).toEqual([]);
  });

  async function adapterFile(of: BaseShape): Promise<Buffer> {
    const path = join(dir, 'made.gguf');
    await writeAdapterGguf(path, madeAdapter(of), of);
    return await readFile(path);
  }

  async function adapterOfOther(): Promise<Buffer> {
    const other = join(dir, 'other.gguf');
    await writeRandomModel(other, TINY_QWEN3, 1);
    return await adapterFile(baseShape(await readModelHeader(other)));
  }
});

const half = (file: Buffer) => file.subarray(0, file.length / 2);

function notFinite(file: Buffer): Buffer {
  file.writeFloatLE(Number.NaN, file.length - 4);
  return file;
}
