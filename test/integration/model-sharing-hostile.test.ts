import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open as openFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdapterOffer, Offer } from '../../src-main/mesh/sharing/messages.ts';
import { MODELS_NETWORK } from '../../src-main/mesh/sharing/messages.ts';
import type { ModelToShare } from '../../src-main/mesh/sharing/model-sharing.ts';
import { modelsIdentity } from '../../src-main/mesh/sharing/models-identity.ts';
import { readShareNote } from '../../src-main/mesh/sharing/share-note.ts';
import { SharedFile } from '../../src-main/mesh/sharing/shared-file.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { MAX_ADAPTER_BYTES } from '../../src-preload/contract/limits.ts';
import { DownloadNode } from '../support/download-node.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import { randomIdentity } from '../support/mesh-node.ts';
import {
  FAST,
  modelOf,
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
  dir = await mkdtemp(join(tmpdir(), 'quarry-sharing-'));
});
afterAll(async () => {
  await testnet.close();
  await removeFolder(dir);
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function node(options: Partial<SharingNodeOptions> = {}): Promise<SharingNode> {
  const folder = await mkdtemp(join(dir, 'node-'));
  const opened = await openSharingNode({ bootstrap: testnet.bootstrap, dir: folder, ...options });
  open.push(opened);
  return opened;
}

function sourceOf(reader: SharingNode, model: ModelToShare) {
  const source = reader.sharing.source({ name: 'model', urls: [], sha256: model.sha256 });
  open.push(source);
  return source;
}

const seen = (reader: SharingNode, count: number) =>
  until(() => expect(reader.sharing.offers()[0]?.seeders).toBe(count));

const seenAs = (reader: SharingNode, bytes: number, count: number) => {
  const offer = () => reader.sharing.offers().find((model) => model.bytes === bytes);
  return until(() => expect(offer()?.seeders).toBe(count));
};

/** What a node that shares a model says of it, before it is signed. */
async function offerOf({ dir: home, swarm }: SharingNode, model: ModelToShare) {
  const note = await readShareNote(join(home, 'shared-models', model.sha256));
  const { name, bytes, sha256, licence, quantisation, contextLength } = model;
  const facts = { name, file: basename(model.path), bytes, sha256, licence, quantisation, contextLength };
  return { type: 'model-offer' as const, seeder: swarm.identity.id, treeHash: note?.index?.treeHash ?? '', ...facts };
}

/** A node that offers other bytes of the same length under the model's SHA-256. */
async function liar(model: ModelToShare): Promise<SharingNode> {
  const home = await mkdtemp(join(dir, 'liar-'));
  const folder = join(home, 'shared-models', model.sha256);
  await mkdir(folder, { recursive: true });
  const other = await modelOf(dir, randomBytes(model.bytes));
  const treeHash = await SharedFile.build({ folder, ...other, onProgress: () => {}, signal });
  const { mtimeMs: modifiedMs } = await stat(other.path);
  const note = { ...other, sha256: model.sha256, index: { treeHash, modifiedMs } };
  await writeFile(join(folder, 'share.json'), JSON.stringify(note));
  const opened = await node({ dir: home });
  await shared(opened.sharing, 'model');
  return opened;
}

describe('a seeder that lies', () => {
  it('about the whole file costs one download, is reported once, and is believed no more', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const lying = await liar(model);
    const reader = await node();
    await seen(reader, 1);
    const source = sourceOf(reader, model);
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).not.toBe(model.sha256);
    const honest = await node();
    await shareNow(honest, model);
    source.distrust();
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
    expect(lying.sharing.status().models[0]?.uploadedBytes).toBe(model.bytes);
    const other = await randomModel(dir, 1_000, 'other');
    await shareNow(lying, other);
    await seenAs(reader, other.bytes, 1); // it is back, and says all that it shares
    expect(reader.sharing.offers()).toMatchObject([{ signers: [honest.identity.id] }, { name: 'other' }]);
    expect(reader.swarm.refusals.counts()).toMatchObject({ 'false claim': 1 });
  });

  it('about the length is reported, and honest seeders of the same blocks are not', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const [reader, honest, ...liars] = [await node(), await node(), await node(), await node()];
    for (const seeder of [honest, ...liars]) await shareNow(seeder, model);
    await seen(reader, 3);
    const truth = await offerOf(honest, model);
    for (const liar of liars) {
      const lie = { ...truth, seeder: liar.swarm.identity.id, bytes: model.bytes - 1 };
      const offers = [signEvidence<Offer>(lie, liar.identity, Date.now())];
      for (const peer of liar.network.peers.values()) peer.send({ v: 2, type: 'model-offers', offers });
    }
    await seenAs(reader, model.bytes - 1, 2);
    const source = sourceOf(reader, model);
    expect(await source.open(signal)).toMatchObject({ bytes: model.bytes - 1 });
    await expect(sha256From(source, model.bytes - 1)).rejects.toMatchObject({ reason: 'lost' });
    expect(await source.open(signal)).toMatchObject({ bytes: model.bytes });
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
    expect(reader.swarm.refusals.counts()).toMatchObject({ 'false claim': 2 });
    expect(reader.network.peers.has(honest.swarm.identity.id)).toBe(true);
  });

  it('is not taken for one that told the truth where both gave bytes', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const lying = await liar(model);
    const reader = await node();
    await seen(reader, 1);
    const source = sourceOf(reader, model);
    await source.open(signal);
    await sha256From(source, model.bytes, 0, MEBIBYTE);
    await lying.close();
    const honest = await node();
    await shareNow(honest, model);
    const told = () => expect(reader.sharing.offers()).toMatchObject([{ signers: [honest.identity.id] }]);
    await until(told);
    await source.open(signal);
    await sha256From(source, model.bytes, MEBIBYTE, model.bytes);
    source.distrust();
    expect(reader.swarm.refusals.counts()).toEqual({});
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
  });

  it('in numbers, with a file that nobody has, does not starve an honest seeder', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    const reader = await node();
    const honest = await node();
    await shareNow(honest, model);
    await seen(reader, 1);
    const truth = await offerOf(honest, model);
    const sybils = async (treeHash: string) => {
      for (let count = 0; count < 2; count++) {
        const identity = randomIdentity();
        const peer = await HostilePeer.connect(testnet.bootstrap, reader.swarm.identity.id, modelsIdentity(identity));
        open.push({ close: () => peer.destroy() });
        await peer.join(MODELS_NETWORK, reader.network.topic);
        peer.hello();
        const lie = { ...truth, seeder: peer.identity.id, treeHash };
        peer.send({ v: 2, type: 'model-offers', offers: [signEvidence<Offer>(lie, identity, Date.now())] });
      }
    };
    await sybils('1'.repeat(64));
    await seen(reader, 3);
    const source = sourceOf(reader, model);
    expect(await source.open(signal)).toMatchObject({ validator: '1'.repeat(64) });
    await expect(sha256From(source, model.bytes)).rejects.toMatchObject({ reason: 'lost' });
    expect(await source.open(signal)).toMatchObject({ validator: truth.treeHash });
    await sybils('2'.repeat(64));
    await seen(reader, 5);
    expect(await source.open(signal)).toMatchObject({ validator: truth.treeHash });
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
  });

  it('costs a download time, and the file is right in the end', async () => {
    const model = await randomModel(dir, 2 * MEBIBYTE);
    await liar(model);
    const reader = await node();
    await seen(reader, 1);
    const wanted = { name: 'model', urls: [], sha256: model.sha256 };
    const downloads = await DownloadNode.open();
    open.push(downloads);
    downloads.peers = [reader.sharing.source(wanted)];
    await downloads.downloads.start(wanted);
    await until(() => expect(downloads.downloads.list()[0]?.received).toBeGreaterThan(0));
    await shareNow(await node(), model);
    await downloads.downloads.finished('model', signal);
    expect(downloads.adopted).toMatchObject([{ sha256: model.sha256, source: 'peers' }]);
  });

  it('with a block is found at that block, and the file comes from others', async () => {
    const model = await randomModel(dir, 4 * MEBIBYTE);
    const copy = await randomModel(dir, 1);
    const [honest, corrupt] = [await node(), await node()];
    await shareNow(honest, model);
    const file = await openFile(model.path);
    await writeFile(copy.path, await file.readFile());
    await file.close();
    await shareNow(corrupt, { ...model, path: copy.path });
    await writeFile(copy.path, randomBytes(model.bytes)); // the link that the node holds is the same file
    const reader = await node();
    await seen(reader, 2);
    const source = sourceOf(reader, model);
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
    expect(reader.swarm.refusals.counts()).toMatchObject({ 'false claim': 1 });
  });

  it('with silence holds nothing up for long', async () => {
    const model = await randomModel(dir, 4 * MEBIBYTE);
    const [honest, silent] = [await node(), await node({ uploadLimit: 1 })];
    await shareNow(honest, model);
    await shareNow(silent, model);
    const stallMs = 600_000; // longer than this test may take: then the whole download would be given up
    const reader = await node({ timing: { ...FAST, stallMs } });
    await seen(reader, 2);
    const source = sourceOf(reader, model);
    await source.open(signal);
    expect(await sha256From(source, model.bytes)).toBe(model.sha256);
  });

  it('with silence is given up, in bounded time, when nobody else has the file', async () => {
    const model = await randomModel(dir, MEBIBYTE);
    await shareNow(await node({ uploadLimit: 1 }), model);
    const source = sourceOf(await node(), model);
    await source.open(signal);
    await expect(sha256From(source, model.bytes)).rejects.toMatchObject({ reason: 'lost' });
  });
});

describe('an offer', () => {
  let reader: SharingNode;
  let author: Identity;
  let peer: HostilePeer;

  async function meet(): Promise<void> {
    reader = await node();
    author = randomIdentity();
    peer = await HostilePeer.connect(testnet.bootstrap, reader.swarm.identity.id, modelsIdentity(author));
    open.push({ close: () => peer.destroy() });
    await peer.join(MODELS_NETWORK, reader.network.topic);
    peer.hello();
  }

  const offer = (more: Partial<Offer> = {}, signer = author) =>
    signEvidence<Offer>(
      {
        type: 'model-offer',
        seeder: peer.identity.id,
        name: 'model',
        file: 'model.gguf',
        bytes: 1_000,
        sha256: '1'.repeat(64),
        treeHash: '2'.repeat(64),
        licence: 'MIT',
        quantisation: 'Q8_0',
        contextLength: 2_048,
        ...more,
      },
      signer,
      Date.now(),
    );
  const adapterOffer = () =>
    signEvidence<AdapterOffer>(
      {
        ...{ type: 'adapter-offer', seeder: peer.identity.id, name: 'personal', number: 3, bytes: 1_000 },
        ...{ sha256: '1'.repeat(64), treeHash: '2'.repeat(64), base: '3'.repeat(64), baseName: 'tiny' },
      },
      author,
      Date.now(),
    );
  const say = (offers: object[]) => peer.send({ v: 2, type: 'model-offers', offers });
  const refused = async (reason: string) => {
    await peer.closed;
    expect(reader.swarm.refusals.counts()).toMatchObject({ [reason]: 1 });
    expect(reader.sharing.offers()).toEqual([]);
  };

  it('counts when it is its seeder’s own', async () => {
    await meet();
    say([offer()]);
    await seen(reader, 1);
    expect(reader.sharing.offers()).toMatchObject([{ signers: [author.id] }]);
    await peer.destroy();
    await until(() => expect(reader.sharing.offers()).toEqual([]));
  });

  it('is refused when another seeder made it', async () => {
    await meet();
    say([offer({ seeder: randomIdentity().id })]);
    await refused('wrong signature');
  });

  it('is refused when it was changed after it was signed', async () => {
    await meet();
    say([{ ...offer(), sha256: '3'.repeat(64) }]);
    await refused('wrong signature');
  });

  it.each([
    ['too many', () => Array.from({ length: 65 }, () => offer())],
    ['one that is too large', () => [offer({ licence: 'x'.repeat(101) })]],
    ['one whose name is no model’s name', () => [offer({ name: '\x1b[2J' })]],
    ['one with a field too many', () => [{ ...offer(), more: 1 }]],
  ])('is refused: %s', async (_name, offers) => {
    await meet();
    say(offers());
    await refused('protocol error');
  });

  it.each<[string, Partial<AdapterOffer> & { more?: number }]>([
    ['one that is too large', { bytes: MAX_ADAPTER_BYTES + 1 }],
    ['one whose name is no adapter’s name', { name: '../up' }],
    ['one of no model', { base: 'tiny' }],
    ['one whose model has a name that is no text', { baseName: '\x1b[2J' }],
    ['one with a field too many', { more: 1 }],
  ])('is refused as that of an adapter: %s', async (_name, more) => {
    await meet();
    peer.send({ v: 2, type: 'adapter-offers', offers: [{ ...adapterOffer(), ...more }] });
    await refused('protocol error');
  });

  it('is refused as that of an adapter when it was changed after it was signed', async () => {
    await meet();
    peer.send({ v: 2, type: 'adapter-offers', offers: [{ ...adapterOffer(), base: '4'.repeat(64) }] });
    await refused('wrong signature');
    expect(reader.sharing.adapterOffers()).toEqual([]);
  });

  it('of models and of adapters stand beside each other, each replaced by the next of its kind', async () => {
    await meet();
    say([offer()]);
    peer.send({ v: 2, type: 'adapter-offers', offers: [adapterOffer()] });
    await until(() => expect(reader.sharing.adapterOffers()).toMatchObject([{ name: 'personal', number: 3 }]));
    say([]);
    await until(() => expect(reader.sharing.offers()).toEqual([]));
    expect(reader.sharing.adapterOffers()).toHaveLength(1);
    peer.send({ v: 2, type: 'adapter-offers', offers: [] });
    await until(() => expect(reader.sharing.adapterOffers()).toEqual([]));
  });

  it('is refused in a frame over the limit, before it is read', async () => {
    await meet();
    const header = Buffer.alloc(4);
    header.writeUInt32BE(MODELS_NETWORK.maxFrame + 1);
    peer.sendBytes(header);
    await refused('protocol error');
  });
});
