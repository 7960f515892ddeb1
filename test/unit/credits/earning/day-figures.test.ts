import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReceipt, DaySums, NOTHING } from '../../../../src-main/credits/earning/day-figures.ts';
import { pointsFor } from '../../../../src-main/credits/score/points.ts';
import { PAIR_CAP_A_DAY } from '../../../../src-main/credits/score/score.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  openCreditNode,
  signedReceipt,
  testIdentity,
} from '../../../support/credit-nodes.ts';

let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1);
});
afterEach(() => node.close());

let askers = 1;
/** An answer to somebody who asked nothing before. */
async function serve(processingMs: number, asker = ++askers): Promise<void> {
  const servedAt = node.clock.now;
  const times = { processingMs, firstTokenMs: Math.min(50, processingMs) };
  await node.book.worker.settle(signedReceipt(node.identity, testIdentity(asker), { ...times, servedAt }));
}

async function fail(): Promise<void> {
  const [requestId, client] = [nextRequestId(), testIdentity(999).id];
  await node.book.worker.fund({ requestId, client, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
  await node.book.worker.release({ client, requestId }, 'ENGINE_CRASHED', { streamed: 0 });
}

describe('the figures of a day', () => {
  it('are what its receipts and failures come to', async () => {
    // Each has 5 points for its prompt and its answer; for speed 5, 4, 1, 0, 0 and 0, in half the time 5, 5, 3, 2, 1 and 0.
    for (const ms of [400, 700, 3_500, 5_500, 8_000, 12_000]) await serve(ms);
    await fail();
    await fail();
    expect(await new DaySums(node.db).read(NOON)).toEqual({
      answers: 6,
      points: 6 * 5 + 5 + 4 + 1,
      processingMs: 30_100,
      late: 3,
      inHalfTheTime: 0 + 1 + 2 + 2 + 1 + 0,
      uncounted: { answers: 0, points: 0 },
      failures: { count: 2, points: 2 },
    });
  });

  it('tell what did not count', async () => {
    for (let count = 0; count < PAIR_CAP_A_DAY + 3; count++) await serve(400, 7_777);
    expect(await new DaySums(node.db).read(NOON)).toMatchObject({
      answers: PAIR_CAP_A_DAY,
      uncounted: { answers: 3, points: 30 },
    });
  });

  it('go on where they were, and begin anew with the day', async () => {
    const sums = new DaySums(node.db);
    await serve(400);
    expect(await sums.read(NOON)).toMatchObject({ answers: 1 });
    await serve(6_000);
    expect(await sums.read(NOON)).toMatchObject({ answers: 2, late: 1 });
    node.clock.now += DAY;
    await serve(6_000);
    expect(await sums.read(NOON + DAY)).toMatchObject({ answers: 1, late: 1 });
    expect(await new DaySums(node.db).read(NOON + DAY)).toMatchObject({ answers: 1, late: 1 });
    expect(await new DaySums(node.db).read(NOON + 2 * DAY)).toEqual(NOTHING);
  });

  it('never bring less in half the time, and no more than speed has points', () => {
    const answer = fc.record({
      processingMs: fc.nat(60_000),
      promptChars: fc.nat(300),
      resultChars: fc.nat(300),
    });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1 }), (answers) => {
        const sums = structuredClone(NOTHING);
        for (const one of answers) addReceipt(sums, { ...one, points: pointsFor(one) }, null);
        expect(sums.inHalfTheTime).toBeGreaterThanOrEqual(0);
        expect(sums.points + sums.inHalfTheTime).toBeLessThanOrEqual(10 * sums.answers);
        expect(sums.late).toBeLessThanOrEqual(sums.answers);
      }),
    );
  });
});
