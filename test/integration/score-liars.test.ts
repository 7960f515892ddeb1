import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { costOf } from '../../src-main/credits/price.ts';
import { type Receipt, receiptBytes } from '../../src-main/credits/receipt.ts';
import type { ScoreUpdate, ScoreVerify } from '../../src-main/mesh/scores/score-messages.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { signedReceipt, testIdentity } from '../support/credit-nodes.ts';
import { peerOf, randomIdentity } from '../support/mesh-node.ts';
import { ScoreLiar } from '../support/score-liar.ts';
import { openScoreNode, removeScoreNode, type ScoreNode } from '../support/score-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

/*
 * Four honest workers, each a fit witness, and a liar. The mesh is the same for all tests, each test has a liar of its own.
 */

let testnet: Testnet;
let honest: ScoreNode[];
let liar: ScoreLiar;
beforeAll(async () => {
  testnet = await openTestnet();
  const { bootstrap } = testnet;
  honest = await Promise.all(Array.from({ length: 4 }, () => openScoreNode({ bootstrap, identity: randomIdentity() })));
  for (const [index, node] of honest.entries()) await node.serve(testIdentity(600 + index));
});
afterAll(async () => {
  await Promise.all(honest.map((node) => node.close()));
  await Promise.all(honest.map(removeScoreNode));
  await testnet.close();
});
afterEach(() => liar.close());

async function openLiar(): Promise<void> {
  liar = await ScoreLiar.open(testnet.bootstrap, randomIdentity());
  for (const { identity } of honest) await peerOf(liar.network, identity.id);
}

const eventually = (check: () => void) => until(check);

/** Waits until every honest node has found the liar out. */
async function everyoneFinds(reason: string): Promise<void> {
  await eventually(() => {
    for (const { scores } of honest) {
      expect(scores.marks().find(({ worker }) => worker === liar.identity.id)).toMatchObject({ reason });
    }
  });
  for (const { scores } of honest) {
    expect(scores.standing(liar.identity.id)).toEqual({ points: 0, tier: 'newcomer' });
  }
}

const receipt = (client: number, over = {}) =>
  signedReceipt(liar.identity, testIdentity(client), { servedAt: Date.now(), ...over });

async function putHonest(count: number): Promise<void> {
  for (let client = 0; client < count; client++) await liar.put({ type: 'receipt', receipt: receipt(500 + client) });
}

/** Claims honestly, and waits until everyone counts it. */
async function becomeTrusted(): Promise<ScoreUpdate> {
  await putHonest(3);
  const claim = await liar.claim(35);
  liar.say(claim);
  await eventually(() => {
    for (const { scores } of honest) expect(scores.standing(liar.identity.id).points).toBe(35);
  });
  return claim;
}

/** A receipt whose body was changed before both (or whoever `client` is) signed it. */
function resigned(body: Receipt['body'], client: Identity): Receipt {
  const bytes = receiptBytes(body);
  return { body, workerSig: liar.identity.sign(bytes), clientSig: client.sign(bytes) };
}

describe('a worker is found out that', () => {
  it('claims more than its log proves', async () => {
    await openLiar();
    await putHonest(3);
    liar.say(await liar.claim(10_000));
    await everyoneFinds('inflated');
    const mark = honest[0]?.scores.marks().find(({ worker }) => worker === liar.identity.id);
    expect(mark?.detail).toBe('it claims 10000 points; its log proves 35');
    expect(mark?.said).toEqual({ detail: { key: 'score.inflated', params: { claimed: 10_000, proven: 35 } } });
    expect((mark?.expiresAt ?? 0) - (mark?.at ?? 0)).toBe(30 * 86_400_000);
  });

  it('was trusted before', async () => {
    await openLiar();
    await becomeTrusted();
    await putHonest(1);
    liar.say(await liar.claim(46));
    await everyoneFinds('inflated');
  });

  it('signs for its client itself', async () => {
    await openLiar();
    await putHonest(1);
    await liar.put({ type: 'receipt', receipt: resigned(receipt(2).body, liar.identity) });
    liar.say(await liar.claim(25));
    await everyoneFinds('forged');
  });

  it.each<[string, (body: Receipt['body']) => Partial<Receipt['body']>]>([
    ['gives itself more points than the formula', () => ({ processingMs: 9_000 })],
    ['charges more than the formula', (body) => ({ cost: costOf(body) + 1 })],
    ['serves itself', () => ({ client: liar.identity.id })],
    ['shows another worker’s receipts', () => ({ worker: testIdentity(3).id })],
  ])('%s', async (_, change) => {
    await openLiar();
    const { body } = receipt(2);
    await liar.put({ type: 'receipt', receipt: resigned({ ...body, ...change(body) }, testIdentity(2)) });
    liar.say(await liar.claim(15));
    await everyoneFinds('forged');
  });

  it('counts a request twice', async () => {
    await openLiar();
    const first = receipt(2);
    await liar.put({ type: 'receipt', receipt: first });
    await putHonest(3);
    const second = receipt(2, { requestId: first.body.requestId, processingMs: 401 });
    await liar.put({ type: 'receipt', receipt: second });
    liar.say(await liar.claim(55));
    await everyoneFinds('duplicate');
  });

  it('writes something else into its log', async () => {
    await openLiar();
    await liar.put({ key: 'bonus', value: { points: 1_000 } });
    liar.say(await liar.claim(1_000));
    await everyoneFinds('malformed');
  });

  it('writes blocks that nobody wants to hold', async () => {
    await openLiar();
    await liar.put({ key: 'receipt/x', value: 'x'.repeat(100_000) });
    liar.say(await liar.claim(10));
    await everyoneFinds('malformed');
  });

  it('cuts its log short to write it anew', async () => {
    await openLiar();
    await becomeTrusted();
    await liar.core.truncate(2);
    await putHonest(3);
    liar.say(await liar.claim(45));
    await everyoneFinds('rewritten');
  });

  it('shows a second log', async () => {
    await openLiar();
    await becomeTrusted();
    await liar.changeLog();
    await putHonest(5);
    liar.say(await liar.claim(55));
    await everyoneFinds('rewritten');
  });

  it('claims another log than the one it shows', async () => {
    await openLiar();
    await putHonest(3);
    liar.say(await liar.claim(35, { receiptsRoot: 'a'.repeat(64) }));
    await everyoneFinds('rewritten');
  });
});

describe('a worker gains nothing that', () => {
  it('claims what it does not show', async () => {
    await openLiar();
    await becomeTrusted();
    liar.say(await liar.claim(10_000, { seq: 1_000 }));
    await putHonest(1);
    liar.say(await liar.claim(45));
    await eventually(() => {
      for (const { scores } of honest)
        expect(scores.score(liar.identity.id)).toMatchObject({ proven: 45, claimed: 45 });
    });
  });

  it('brings more than twenty receipts a day with the same client', async () => {
    await openLiar();
    for (let count = 0; count < 25; count++) await liar.put({ type: 'receipt', receipt: receipt(2) });
    liar.say(await liar.claim(25 * 10 + 25));
    await everyoneFinds('inflated');
    const mark = honest[0]?.scores.marks().find(({ worker }) => worker === liar.identity.id);
    expect(mark?.detail).toContain(`its log proves ${20 * 10 + 25}`);
  });
});

describe('a message is not believed, and its sender is held to account,', () => {
  const bans = () => honest.map(({ bannedFor }) => bannedFor(liar.identity.id));

  it.each<[string, () => Promise<ScoreUpdate | ScoreVerify>]>([
    ['when the signature is not of what it says', async () => ({ ...(await liar.claim(35)), total: 10_000 })],
    ['when it claims for someone else', () => liar.claim(35, { workerId: testIdentity(8).id })],
    [
      'when a worker bears witness to itself',
      async () => {
        const claim = await liar.claim(35);
        return signEvidence<ScoreVerify>({ type: 'score-verify', claim }, liar.identity, Date.now());
      },
    ],
    [
      'when a witness made up the claim',
      async () => {
        const claim = { ...(await liar.claim(35)), workerId: testIdentity(8).id, from: testIdentity(8).id };
        return signEvidence<ScoreVerify>({ type: 'score-verify', claim }, liar.identity, Date.now());
      },
    ],
  ])('%s', async (_, message) => {
    await openLiar();
    await putHonest(3);
    liar.say(await message());
    await eventually(() => expect(bans()).toEqual(honest.map(() => 'wrong signature')));
    for (const { scores } of honest) expect(scores.score(liar.identity.id)).toBeUndefined();
  });
});
