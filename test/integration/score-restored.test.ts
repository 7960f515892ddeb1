import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testIdentity } from '../support/credit-nodes.ts';
import { randomIdentity } from '../support/mesh-node.ts';
import { openScoreNode, removeScoreNode, type ScoreNode } from '../support/score-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

/** The first word of the others may take a while on a busy machine. */
const PATIENT_MS = 5_000;

let testnet: Testnet;
const nodes = new Set<ScoreNode>();
beforeAll(async () => {
  testnet = await openTestnet();
});
afterAll(() => testnet.close());
afterEach(async () => {
  await Promise.all([...nodes].map((node) => node.close()));
  await Promise.all([...nodes].map(removeScoreNode));
  nodes.clear();
});

async function openNode(options: Partial<Parameters<typeof openScoreNode>[0]> = {}): Promise<ScoreNode> {
  const node = await openScoreNode({ bootstrap: testnet.bootstrap, identity: randomIdentity(), ...options });
  nodes.add(node);
  return node;
}

async function stop(node: ScoreNode): Promise<void> {
  nodes.delete(node);
  await node.close();
}

/** A worker, and four others that are fit to bear witness. */
async function openMesh(): Promise<{ worker: ScoreNode; others: ScoreNode[] }> {
  const [worker, ...others] = await Promise.all(Array.from({ length: 5 }, () => openNode()));
  if (!worker) throw new Error('no worker');
  for (const [index, node] of others.entries()) await node.serve(testIdentity(600 + index));
  return { worker, others };
}

let served = 0;
async function serve(worker: ScoreNode, requests: number): Promise<number> {
  for (let count = 0; count < requests; count++) await worker.serve(testIdentity(2_000 + served++));
  return (await worker.book.summary()).points;
}

/** A failure of the worker itself, which costs it a point. */
async function fail(worker: ScoreNode, requestId: string): Promise<void> {
  const client = testIdentity(1).id;
  await worker.book.worker.fund({ requestId, client, host: '127.0.0.1', maxTokens: 1, vouchers: [] });
  await worker.book.worker.release({ client, requestId }, 'ENGINE_CRASHED');
}

const everyoneCounts = (others: ScoreNode[], worker: ScoreNode, points: number) =>
  until(() => {
    for (const { scores } of others) expect(scores.standing(worker.identity.id).points).toBe(points);
  });
const foundOut = (others: ScoreNode[]) => others.flatMap(({ scores }) => scores.marks());

/** The worker's books as they are now, to be put back later without its log. */
async function keepBooks(worker: ScoreNode): Promise<() => Promise<void>> {
  await stop(worker);
  const [books, kept] = ['quarry.db', 'kept.db'].map((file) => join(worker.dir, file)) as [string, string];
  await copyFile(books, kept);
  return async () => {
    await rm(join(worker.dir, 'score-logs'), { recursive: true, force: true });
    await copyFile(kept, books);
  };
}

describe('a node that was restored', () => {
  it('from its newest books goes on where it was', async () => {
    const { worker, others } = await openMesh();
    await everyoneCounts(others, worker, await serve(worker, 3));
    await (await keepBooks(worker))();
    const again = await openNode({ ...worker, catchUpSince: Date.now(), quietMs: PATIENT_MS });
    expect(again.scores.hindrance).toMatchObject({ key: 'score.asking' });
    await expect(again.serve(testIdentity(3))).rejects.toMatchObject({ code: 'NOT_RUNNING', retryable: true });
    await until(() => expect(again.scores.hindrance).toBeUndefined());
    await everyoneCounts(others, worker, await serve(again, 2));
    expect(foundOut(others)).toEqual([]);
  });

  it('from older books gets back what it has done since, and its log goes on without a fork', async () => {
    const { worker, others } = await openMesh();
    await serve(worker, 3);
    const putBack = await keepBooks(worker);
    const more = await openNode(worker);
    await serve(more, 2);
    await fail(more, 'f'.repeat(32));
    const points = await serve(more, 2);
    await everyoneCounts(others, worker, points);
    const owed = (await more.book.summary()).available;
    await stop(more);
    await putBack();
    const again = await openNode({ ...worker, catchUpSince: Date.now(), quietMs: PATIENT_MS });
    expect((await again.book.summary()).points).toBeLessThan(points);
    await until(() => expect(again.scores.hindrance).toBeUndefined());
    expect(await again.book.summary()).toMatchObject({ points, available: owed });
    expect(await again.book.verify({ full: true })).toMatchObject({ ok: true, problems: [] });
    const next = await serve(again, 2);
    await everyoneCounts(others, worker, next);
    expect(foundOut(others)).toEqual([]);
    await stop(again);
    const later = await openNode(worker);
    expect(later.scores.hindrance).toBeUndefined();
    await everyoneCounts(others, worker, await serve(later, 1));
  });

  it('waits while nobody is there', async () => {
    const worker = await openNode({ catchUpSince: Date.now() });
    const [first, second] = await Promise.all([openNode(), openNode()]);
    await until(() => expect(worker.scores.hindrance).toBeUndefined());
    await stop(worker);
    await Promise.all([first, second].map((node) => stop(node as ScoreNode)));
    const alone = await openNode({ ...worker, catchUpSince: Date.now() });
    const began = performance.now();
    await until(() => expect(performance.now() - began).toBeGreaterThan(1_500));
    expect(alone.scores.hindrance).toMatchObject({ key: 'score.asking' });
  });

  it('adds nothing more when another node goes on with its identity', async () => {
    const { worker, others } = await openMesh();
    await everyoneCounts(others, worker, await serve(worker, 3));
    const states: string[] = [];
    const long = Date.now() - 3_600_000;
    const again = await openNode({
      identity: worker.identity,
      catchUpSince: long,
      quietMs: PATIENT_MS,
      onOwn: (state) => states.push(state),
    });
    await until(() => expect(again.scores.hindrance).toMatchObject({ key: 'score.split' }));
    expect(states).toEqual(['split']);
    await expect(again.serve(testIdentity(3))).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    expect(foundOut(others)).toEqual([]);
  });
});

it('books that were put back by hand are noticed when others know more, before anything is appended', async () => {
  const { worker, others } = await openMesh();
  await serve(worker, 3);
  await stop(worker);
  const [books, kept] = ['quarry.db', 'kept.db'].map((file) => join(worker.dir, file)) as [string, string];
  await copyFile(books, kept);
  const more = await openNode(worker);
  const points = await serve(more, 3);
  await everyoneCounts(others, worker, points);
  await stop(more);
  await copyFile(kept, books); // the log of now stays where it is
  const again = await openNode(worker);
  await until(() => expect(again.scores.hindrance).toBeUndefined());
  expect(await again.book.summary()).toMatchObject({ points });
  await everyoneCounts(others, worker, await serve(again, 1));
  expect(foundOut(others)).toEqual([]);
});
