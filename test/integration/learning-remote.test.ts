import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src-main/base/sha256.ts';
import { TRAINING_CALL } from '../../src-main/learning/training/remote/channel.ts';
import { ADAPTER_FILES } from '../../src-main/learning/training/remote/messages.ts';
import { openFleetNode, type TestFleetOptions } from '../support/fleet-node.ts';
import { startChild } from '../support/killed-child.ts';
import { filesIn, MODEL, SETTINGS, sampleOf } from '../support/learning/remote-world.ts';
import { openTrainingNode, type TrainingNode } from '../support/learning/training-node.ts';
import { longestTurn } from '../support/longest-turn.ts';
import { pair } from '../support/paired.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('../support/learning/training-child.ts', import.meta.url));
const MEBIBYTE = 1024 ** 2;
const FILE_BYTES = 2 * MEBIBYTE;

let testnet: Testnet;
let folder: string;
beforeAll(async () => {
  testnet = await openTestnet();
  folder = await mkdtemp(join(tmpdir(), 'quarry-remote-'));
});
afterAll(async () => {
  await testnet.close();
  await rm(folder, { recursive: true, force: true });
});

const node = (name: string, options: Partial<TestFleetOptions> = {}) =>
  openTrainingNode(folder, { bootstrap: testnet.bootstrap, name, ...options });
/** Files by their hashes. */
const sorted = (files: Map<string, Buffer> = new Map()) =>
  [...files].map(([name, bytes]) => `${name} ${sha256(bytes).toString('hex')}`).sort();

/** The connection breaks off, at both ends. */
function cut({ swarm }: TrainingNode, { id }: { id: string }): void {
  for (const connection of swarm.connections) if (connection.id === id) connection.close('cut off');
}

async function adapterOf(name: string, bytes: number): Promise<string> {
  const from = join(folder, name);
  await mkdir(from);
  for (const file of ADAPTER_FILES) await writeFile(join(from, file), Buffer.alloc(bytes, file));
  return from;
}

describe('training between nodes of one owner', () => {
  it('goes from one to the other and back, megabytes of it, while both go on with everything else', async () => {
    await using pc = await node('Big PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    const [offer] = await laptop.training.trainers.available(MODEL, SETTINGS);
    expect(offer).toMatchObject({ node: pc.id, name: 'Big PC' });
    const from = await adapterOf('version', FILE_BYTES);
    const remote = laptop.training.trainers.create(pc.id);
    const latencies: number[] = [];
    let earned = 100;
    const telling = setInterval(() => {
      const told = performance.now();
      const today = ++earned;
      pc.summary = { ...pc.summary, earned: { today, week: 1_000 } };
      const looking = setInterval(async () => {
        if (((await laptop.sees(pc.id))?.summary?.earned.today ?? 0) < today) return;
        clearInterval(looking);
        latencies.push(performance.now() - told);
      }, 5);
    }, 1_100);
    await remote.open({ modelPath: laptop.modelPath, from, settings: SETTINGS });
    const [local] = pc.local;
    expect(sorted(local?.from)).toEqual(sorted(await filesIn(from)));
    const samples = Array.from({ length: 4 }, () => sampleOf(100, 160, 100));
    await remote.step(samples);
    expect(local?.steps).toEqual([samples]);
    if (local) local.fileBytes = FILE_BYTES;
    const saved = join(folder, 'saved');
    const [begun, end] = [performance.now(), longestTurn()];
    await remote.save(saved);
    const [{ longest, all }, took] = [end(), performance.now() - begun];
    clearInterval(telling);
    expect(sorted(await filesIn(saved))).toEqual(sorted(local?.saved));
    expect(longest).toBeLessThan(all / 20);
    expect(latencies.length).toBeGreaterThan(0);
    // On a machine with much else to do all of it takes longer: what is not to happen is that it waits for the files.
    const latency = Math.max(...latencies);
    expect(latency, 'milliseconds until the other node knows how this one is').toBeLessThan(Math.max(5_000, took / 2));
    await remote.close();
    await until(() => expect(pc.training.host.trainsFor).toBeUndefined());
    expect(await readdir(pc.work)).toEqual([]);
    expect(pc.swarm.refusals.counts()).toEqual({});
    expect(laptop.swarm.refusals.counts()).toEqual({});
  });

  it('goes on where it was when the connection breaks off in a step, and in a file', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop 2');
    await pair(pc, laptop);
    let read = 0;
    let isCut = false;
    const onTraffic = (traffic: { read: number }) => {
      read = traffic.read;
      if (read < MEBIBYTE || isCut) return;
      isCut = true;
      cut(pc, laptop);
    };
    const remote = laptop.training.trainers.create(pc.id, { onTraffic });
    await remote.open({ modelPath: laptop.modelPath, settings: SETTINGS });
    const [local] = pc.local;
    const gate = Promise.withResolvers<void>();
    if (local) Object.assign(local, { gate: gate.promise, fileBytes: MEBIBYTE });
    let begun = false;
    const step = remote.step([sampleOf(3, 3)]);
    void step.finally(() => {
      begun = true;
    });
    await until(() => expect(pc.training.host.trainsFor).toBe(laptop.id));
    const before = [...laptop.swarm.connections];
    cut(laptop, pc);
    // They are together again soon, by another one.
    await until(() => expect(before.filter((connection) => laptop.swarm.connections.has(connection))).toEqual([]));
    gate.resolve();
    expect(await step).toMatchObject({ loss: 1 });
    expect(begun).toBe(true);
    const saved = join(folder, 'saved 2');
    await remote.save(saved);
    expect(isCut).toBe(true);
    expect(sorted(await filesIn(saved))).toEqual(sorted(local?.saved));
    expect(read).toBe(4 * MEBIBYTE);
    expect([pc.local.length, local?.steps.length]).toEqual([1, 1]);
    await remote.close();
  });

  it('ends at once when they are no pair any more', async () => {
    await using pc = await node('PC 3');
    await using laptop = await node('Laptop 3');
    await pair(pc, laptop);
    const remote = laptop.training.trainers.create(pc.id);
    await remote.open({ modelPath: laptop.modelPath, settings: SETTINGS });
    const [local] = pc.local;
    if (local) local.gate = new Promise(() => undefined);
    const step = remote.step([sampleOf(3, 3)]);
    const failed = expect(step).rejects.toMatchObject({ code: 'WORKER_LOST' });
    await pc.fleet.remove(laptop.id);
    await until(() => expect(local?.closed).toBe(true));
    await until(() => expect(pc.training.host.trainsFor).toBeUndefined());
    await failed;
    expect(await laptop.training.trainers.offers(MODEL, SETTINGS)).toEqual([]);
  });

  it('is for paired nodes alone', async () => {
    await using pc = await node('PC 4');
    await using stranger = await openFleetNode({ bootstrap: testnet.bootstrap, name: 'Stranger' });
    stranger.swarm.joinPeer(pc.id);
    await until(() => expect([...stranger.swarm.connections].some(({ id }) => id === pc.id)).toBe(true));
    expect(() => stranger.fleet.call(pc.id, TRAINING_CALL)).toThrow(expect.objectContaining({ code: 'NOT_RUNNING' }));
    expect(pc.local).toEqual([]);
  });

  it('fails so that it can be tried again when the other node is killed, which leaves nothing behind once it is there again', async () => {
    const work = join(folder, 'killed');
    await mkdir(work);
    const limits = { pingIntervalMs: 300, silenceMs: 2_000 };
    await using laptop = await openTrainingNode(folder, { bootstrap: testnet.bootstrap, name: 'Laptop 5', limits });
    const child = startChild(CHILD, [String(testnet.bootstrap[0]?.port), work]);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { code } = JSON.parse((await lines.next()).value as string) as { code: string };
    const { id } = await laptop.fleet.join(code, false);
    await until(() => laptop.fleet.call(id, 'nothing').close());
    const remote = laptop.training.trainers.create(id, { returnMs: 3_000 });
    const from = await adapterOf('version 5', 100_000);
    await remote.open({ modelPath: laptop.modelPath, from, settings: SETTINGS });
    await remote.step([sampleOf(3, 3)]);
    expect(JSON.parse((await lines.next()).value as string)).toEqual({ steps: 1 });
    const step = remote.step([sampleOf(3, 3)]);
    const failed = expect(step).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
    expect(await readdir(join(work, 'Child'))).toEqual(['1']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await failed;
    expect(await readdir(join(work, 'Child'))).toEqual(['1']);
    await using again = await openTrainingNode(work, { bootstrap: testnet.bootstrap, name: 'Child' });
    await expect(readdir(again.work)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
