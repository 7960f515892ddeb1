import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { AxonMiners } from '../../src-main/app/validator/miners/axon-miners.ts';
import { meshMiners } from '../../src-main/app/validator/miners/mesh-miners.ts';
import type { Neuron } from '../../src-main/bittensor/chain/metagraph.ts';
import { VectorModels } from '../../src-main/clips/models/vector-models.ts';
import { ClipSubmissionStore } from '../../src-main/store/clips/clip-submissions.ts';
import { ClipStore } from '../../src-main/store/clips/clips.ts';
import { judgeSounds } from '../../src-main/subnets/omega/clips/checking/judge-sounds.ts';
import { judgeVideos } from '../../src-main/subnets/omega/clips/checking/judge-videos.ts';
import { LEAST_SCORE } from '../../src-main/subnets/omega/clips/rules/submission-score.ts';
import type { WantedClips } from '../../src-main/validation/environment.ts';
import { type Miner, NotReached, type Question } from '../../src-main/validation/run/miner.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { fillLibrary } from '../support/clips/clip-library.ts';
import { checkingPorts, listeners } from '../support/judged-clips.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { tinyModelFolder, tinyModels } from '../support/tiny-clip-models.ts';
import { until } from '../support/until.ts';

/* Whole nodes on a mesh of their own, real models and signatures: a miner hands clips in to whom it trusts, and they are worth what they are worth over its axon. */

/** As many as are asked for, videos and sounds together. */
const CLIPS = 8 + 4;
const TOPIC = 'a red circle on a black background';
const THRESHOLDS = { same: 0.999, novel: 0.001, unrelated: 0.05, closest: 0.5 };

/** Sounds cannot be listened to: their source is kept from giving them away. So they count by what is known of them without. */
const REASON = { videos: 'clipValidation.judged', sounds: 'clipValidation.unheard' } as const;

let folder: string;
let node: AxonNode;
let validator: App;
let models: VectorModels;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-mesh-clips-'));
  models = new VectorModels(await tinyModels());
  node = await openAxonNode({
    QUARRY_DATA_MODELS_PICTURES: tinyModelFolder('tiny-pictures'),
    QUARRY_DATA_MODELS_SOUNDS: tinyModelFolder('tiny-sounds'),
  });
  await fillLibrary(new ClipStore(node.miner.db), models, CLIPS);
  await node.contract.axon.start();
  validator = await node.client('validator');
  await until(async () => expect(workerOf(validator)?.status?.ready).toBe(true));
});
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The miner, as a node of the mesh knows it. */
const workerOf = ({ mesh }: App) => mesh?.client.workers().find(({ id }) => id === node.miner.identity.id);

function onMesh({ mesh }: App): Miner {
  const [miner] = mesh ? meshMiners(mesh.client) : [];
  if (!miner) throw new Error('There is no miner on the mesh.');
  return miner;
}

async function overAxon<Told>(use: (miner: Miner) => Promise<Told>): Promise<Told> {
  const { ip, port, hotkey } = node.place;
  const neurons = [{ uid: 5, hotkey, axon: { ip, port }, registeredAt: 7 }] as Neuron[];
  const signer = { ...(await testSigner('//Validator')), check: async () => {}, close: async () => {} };
  const committed = async () => ({ neurons, commitments: new Map() });
  const miners = new AxonMiners({ signer, committed, allowInside: true });
  try {
    const [miner] = await miners.miners();
    return await use(miner!);
  } finally {
    await miners.close();
  }
}

function question(of: WantedClips['of']): Question & { ask: { kind: 'clips'; wanted: WantedClips } } {
  const wanted = { of, topic: TOPIC, count: of === 'videos' ? 8 : 4 };
  const { signal } = new AbortController();
  return { id: 'q', prompt: TOPIC, ask: { kind: 'clips', wanted }, maxTokens: 1, timeoutMs: PATIENCE_MS, signal };
}

/** As a validator does to whom nobody has handed in anything before. */
async function judged(of: WantedClips['of'], text: string) {
  const db = await memoryDatabase();
  const { ports } = checkingPorts(new ClipSubmissionStore(db), folder);
  const use = async () => ({ models, listeners, thresholds: THRESHOLDS, [Symbol.dispose]() {} });
  const task = { wanted: question(of).ask.wanted, key: '0'.repeat(32), isDrawn: false, place: 0 };
  const judge = of === 'videos' ? judgeVideos : judgeSounds;
  const { score, reason } = await judge({ ...ports, judge: { space: models.space, use } }, task, text, { party: 'm' });
  const [kept] = await new ClipSubmissionStore(db).list({ rows: 1 });
  await db.destroy();
  return { score, key: reason.key, counted: kept?.counted };
}

/** Which videos an answer is of. */
const videosIn = (told: string) =>
  (JSON.parse(told) as { list: { source_id: string }[] }).list.map(({ source_id }) => source_id);

/** Those that the validator was handed clips of. */
const handed = new Set<string>();

const trust = (...nodes: App[]) =>
  node.contract.settings.set({ changes: { 'data.meshValidators': nodes.map(({ identity }) => identity.id) } });

it('a miner that has named nobody is asked for no clips, and that is no fault of its own', async () => {
  expect(workerOf(validator)?.handsInClips).toBe(false);
  await expect(onMesh(validator).ask(question('videos'))).rejects.toBeInstanceOf(NotReached);
});

it('whom it names is handed videos and sounds from then on, which are worth what they are over its axon', async () => {
  await trust(validator);
  await until(async () => expect(workerOf(validator)).toMatchObject({ handsInClips: true, status: { ready: true } }));
  for (const of of ['videos', 'sounds'] as const) {
    const told = await onMesh(validator).ask(question(of));
    expect(told).toBe(await overAxon((miner) => miner.ask(question(of))));
    const { score, key, counted } = await judged(of, told);
    expect([key, counted]).toEqual([REASON[of], videosIn(told).length]);
    expect(counted).toBeGreaterThan(0);
    expect(score).toBeGreaterThan(LEAST_SCORE);
    for (const video of videosIn(told)) handed.add(video);
  }
});

it('nothing is handed in twice to the same node', async () => {
  const more = videosIn(await onMesh(validator).ask(question('videos')));
  expect(handed.size + more.length).toBeLessThanOrEqual(CLIPS);
  expect(more.filter((video) => handed.has(video))).toEqual([]);
});

it('a stranger is refused, and hears what to do', async () => {
  const stranger = await node.client();
  await until(async () => expect(workerOf(stranger)?.handsInClips).toBe(true));
  await expect(onMesh(stranger).ask(question('videos'))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('only to validators that its owner has named'),
    hint: expect.stringContaining(stranger.identity.id),
  });
});

it('who is taken off the list gets nothing more', async () => {
  await trust();
  // The connection ends with the list, and comes back.
  await until(async () => {
    expect(workerOf(validator)?.handsInClips).toBe(false);
    await expect(onMesh(validator).ask(question('sounds'))).rejects.toBeInstanceOf(NotReached);
  });
});
