import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ScoreVerify, scoreVerifySchema } from '../../src-main/mesh/scores/score-messages.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { testIdentity } from '../support/credit-nodes.ts';
import { randomIdentity } from '../support/mesh-node.ts';
import { openScoreNode, removeScoreNode, type ScoreNode } from '../support/score-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

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

async function openNode(options: { identity?: Identity; dir?: string } = {}): Promise<ScoreNode> {
  const node = await openScoreNode({ bootstrap: testnet.bootstrap, identity: randomIdentity(), ...options });
  nodes.add(node);
  return node;
}

/** A worker, and others of which each has served somebody: that makes a fit witness. */
async function openMesh(others: number): Promise<[ScoreNode, ScoreNode[]]> {
  const [worker, ...rest] = await Promise.all(Array.from({ length: others + 1 }, () => openNode()));
  for (const [index, node] of rest.entries()) await node.serve(testIdentity(600 + index));
  return [worker as ScoreNode, rest];
}

async function serveMany(worker: ScoreNode, requests: number): Promise<number> {
  for (let client = 0; client < requests; client++) await worker.serve(testIdentity(500 + client));
  return (await worker.book.summary()).points;
}

async function stop(node: ScoreNode): Promise<void> {
  nodes.delete(node);
  await node.close();
}

const eventually = (check: () => void) => until(check);

/** Waits until every observer counts so many points for the worker. */
const everyoneCounts = (observers: ScoreNode[], worker: ScoreNode, points: number) =>
  eventually(() => {
    for (const { scores } of observers) expect(scores.standing(worker.identity.id).points).toBe(points);
  });

describe('an honest total', () => {
  it('counts everywhere once three others have confirmed it, and goes on counting as it grows', async () => {
    const [worker, others] = await openMesh(4);
    const points = await serveMany(worker, 12);
    expect(points).toBe(12 * 10 + 5 + 20);
    await everyoneCounts(others, worker, points);
    expect(others[0]?.scores.standing(worker.identity.id).tier).toBe('silver');
    await everyoneCounts(others, worker, await serveMany(worker, 3));
  });

  it('is what the ledger says after failures too', async () => {
    const [worker, others] = await openMesh(4);
    await serveMany(worker, 2);
    const requestId = 'f'.repeat(32);
    await worker.book.worker.fund({
      requestId,
      client: testIdentity(1).id,
      host: '127.0.0.1',
      maxTokens: 1,
      vouchers: [],
    });
    await worker.book.worker.release({ client: testIdentity(1).id, requestId }, 'ENGINE_CRASHED');
    await everyoneCounts(others, worker, 24);
    expect(await worker.book.summary()).toMatchObject({ points: 24 });
  });

  it('counts for nothing with fewer than three witnesses, however well it is proven', async () => {
    const [worker, others] = await openMesh(3);
    const points = await serveMany(worker, 3);
    await eventually(() => {
      for (const { scores } of others) {
        expect(scores.score(worker.identity.id)).toMatchObject({ proven: points, confirmed: 0 });
        expect(scores.score(worker.identity.id)?.witnesses).toHaveLength(3);
      }
    });
    expect(others[0]?.scores.standing(worker.identity.id)).toEqual({ points: 0, tier: 'newcomer' });
  });

  it('is not confirmed by nodes that have dealt with nobody but the worker', async () => {
    const [worker, ...others] = await Promise.all(Array.from({ length: 5 }, () => openNode()));
    if (!worker) throw new Error('no worker');
    for (const { identity } of others) await worker.serve(identity);
    await eventually(() => {
      for (const { scores } of others) expect(scores.score(worker.identity.id)?.witnesses).toHaveLength(4);
    });
    for (const { scores } of others) expect(scores.standing(worker.identity.id).points).toBe(0);
    for (const [index, node] of others.entries()) await node.serve(testIdentity(700 + index));
    await everyoneCounts(others, worker, (await worker.book.summary()).points);
  });
});

describe('witnesses whose places strangers had taken', () => {
  it('are asked for again, and count once they have dealt with others', async () => {
    const [worker, observer, ...others] = await Promise.all(Array.from({ length: 5 }, () => openNode()));
    if (!worker || !observer) throw new Error('no worker');
    const points = await serveMany(worker, 3);
    await eventually(() => expect(observer.scores.score(worker.identity.id)?.witnesses.length).toBeGreaterThan(0));
    await stop(observer);
    const db = await openDatabase(join(observer.dir, 'quarry.db'));
    const [word] = await db
      .selectFrom('score_witnesses')
      .selectAll()
      .where('worker', '=', worker.identity.id)
      .execute();
    await db.deleteFrom('score_witnesses').execute();
    const { claim } = scoreVerifySchema.parse(JSON.parse(word?.statement ?? ''));
    for (const stranger of Array.from({ length: 8 }, (_, number) => testIdentity(900 + number))) {
      const statement = signEvidence<ScoreVerify>({ type: 'score-verify', claim }, stranger, Date.now());
      const row = { worker: worker.identity.id, witness: stranger.id, statement: JSON.stringify(statement) };
      await db.insertInto('score_witnesses').values(row).execute();
    }
    await db.destroy();
    const again = await openNode(observer);
    for (const [index, node] of others.entries()) await node.serve(testIdentity(700 + index));
    await everyoneCounts([again], worker, points);
  });
});

describe('what was proven', () => {
  it('is there again after a restart, before anyone is met', async () => {
    const [worker, others] = await openMesh(4);
    const points = await serveMany(worker, 3);
    await everyoneCounts(others, worker, points);
    const [first, ...rest] = others as [ScoreNode, ...ScoreNode[]];
    for (const node of [worker, ...rest, first]) await stop(node);
    const again = await openNode({ identity: first.identity, dir: first.dir });
    expect(again.scores.standing(worker.identity.id).points).toBe(points);
    await Promise.all([worker, ...rest].map(removeScoreNode));
  });

  it('reaches a node that joins while the worker is away', async () => {
    const [worker, others] = await openMesh(4);
    const points = await serveMany(worker, 3);
    await everyoneCounts(others, worker, points);
    await stop(worker);
    await everyoneCounts([await openNode()], worker, points);
    await removeScoreNode(worker);
  });

  it('is written anew, the same, when the log is lost but the ledger is not', async () => {
    const [worker, others] = await openMesh(4);
    await everyoneCounts(others, worker, await serveMany(worker, 3));
    await stop(worker);
    await rm(join(worker.dir, 'score-logs'), { recursive: true });
    const again = await openNode({ identity: worker.identity, dir: worker.dir });
    await everyoneCounts(others, worker, await serveMany(again, 2));
    for (const { scores } of others) expect(scores.marks()).toEqual([]);
  });
});
