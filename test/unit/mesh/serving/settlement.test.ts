import type { Logger } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { Booking, WorkerCredits } from '../../../../src-main/credits/credits.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { Settlement, type SettlementOptions } from '../../../../src-main/mesh/serving/settlement.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { NOON, openCreditNode, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

const worker = testIdentity(1);
const client = testIdentity(2);
const stranger = testIdentity(3);
const BOOKED: Booking = { points: 10, achievements: [], earned: true, repeated: false };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A settlement on these books, and what it told the rest of the node. */
function openSettlement(credits: Pick<WorkerCredits, 'settle'>, options: Partial<SettlementOptions> = {}) {
  const booked: string[] = [];
  const onBooked = ({ body }: Receipt) => booked.push(body.requestId);
  const settlement = new Settlement({ worker: worker.id, credits, onBooked, log: testLog, ...options });
  return { settlement, booked, from: new WirelessPeer(client.id, ['client']) };
}

async function openWithRealBooks() {
  const node = await openCreditNode(1, { clock: { now: NOON } });
  closers.push(() => node.close());
  return { node, ...openSettlement(node.book.worker) };
}

/** Books whose pen is held: each receipt waits until the test says what becomes of it. */
function heldBooks() {
  const waiting: PromiseWithResolvers<Booking>[] = [];
  const settle = () => {
    const held = Promise.withResolvers<Booking>();
    waiting.push(held);
    return held.promise;
  };
  return { settle, waiting };
}

const answer = (status: 'booked' | 'void', receipt: Receipt) => ({
  type: 'receipt',
  status,
  requestId: receipt.body.requestId,
});

describe('a receipt that a client sends back', () => {
  it('is booked, earns its points, and is acknowledged', async () => {
    const { node, settlement, booked, from } = await openWithRealBooks();
    const receipt = signedReceipt(worker, client);
    settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toMatchObject([answer('booked', receipt)]);
    expect(booked).toEqual([receipt.body.requestId]);
    expect(await node.book.summary()).toMatchObject({ points: 15 }); // 10, and First Light
  });

  it('is of use when it was paid out of what this node owes its client, and not when it was a gift', async () => {
    for (const earned of [true, false]) {
      const { settlement, from } = openSettlement({ settle: async () => ({ ...BOOKED, earned }) });
      settlement.receive(from.peer, signedReceipt(worker, client));
      await settlement.close();
      expect(from.uses).toBe(earned ? 1 : 0);
    }
  });

  it('is acknowledged every time that it comes, and booked and told once', async () => {
    const { node, settlement, booked, from } = await openWithRealBooks();
    const receipt = signedReceipt(worker, client);
    for (let times = 0; times < 3; times++) settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toMatchObject(Array(3).fill(answer('booked', receipt)));
    expect(booked).toEqual([receipt.body.requestId]);
    expect(await node.book.summary()).toMatchObject({ points: 15 });
  });

  it('is acknowledged no sooner than it is on the books', async () => {
    const { settle, waiting } = heldBooks();
    const { settlement, booked, from } = openSettlement({ settle });
    settlement.receive(from.peer, signedReceipt(worker, client));
    await new Promise(setImmediate);
    expect({ sent: from.sent, booked }).toEqual({ sent: [], booked: [] });
    waiting[0]?.resolve(BOOKED);
    await settlement.close();
    expect(from.sent).toHaveLength(1);
  });

  it('with a false signature is void, and its client hears why', async () => {
    const { node, settlement, booked, from } = await openWithRealBooks();
    const { clientSig: _, ...bill } = signedReceipt(worker, client);
    const forged = { ...bill, clientSig: signedReceipt(worker, client).clientSig };
    settlement.receive(from.peer, forged);
    await settlement.close();
    expect(from.sent).toMatchObject([{ ...answer('void', forged), reason: expect.stringContaining('signature') }]);
    expect(from.faults).toMatchObject([expect.stringContaining('void receipt')]);
    expect(booked).toEqual([]);
    expect(await node.book.summary()).toMatchObject({ points: 0 });
  });

  it('is no offence when it is void for a reason that an honest client may meet with', async () => {
    const { node, settlement, from } = await openWithRealBooks();
    const first = signedReceipt(worker, client, { requestId: 'ab'.repeat(16) });
    const sameId = signedReceipt(worker, client, { requestId: 'ab'.repeat(16), completionTokens: 9 });
    const fromTheFuture = signedReceipt(worker, client, { servedAt: NOON + 700_000 }); // this node's clock was set back
    for (const receipt of [first, sameId, fromTheFuture]) settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining(answer('booked', first)),
        expect.objectContaining(answer('void', sameId)),
        expect.objectContaining(answer('void', fromTheFuture)),
      ]),
    );
    expect(from.sent).toHaveLength(3);
    expect([from.faults, from.offences]).toEqual([[], []]);
    expect(await node.book.summary()).toMatchObject({ points: 15 });
  });

  it('is booked and acknowledged although whoever is told of it fails', async () => {
    const node = await openCreditNode(1, { clock: { now: NOON } });
    closers.push(() => node.close());
    const { settlement, from } = openSettlement(node.book.worker, {
      onBooked: () => {
        throw new QuarryError({ code: 'BAD_REQUEST', message: 'A listener is broken.', field: 'receipt' });
      },
    });
    const receipt = signedReceipt(worker, client);
    settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toMatchObject([answer('booked', receipt)]);
    expect(from.faults).toEqual([]);
  });

  it('is not answered when this node’s own disk fails, and booked when it comes again', async () => {
    const outcomes = [
      () => Promise.reject(new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.' })),
      () => Promise.resolve(BOOKED),
    ];
    const { settlement, booked, from } = openSettlement({ settle: () => outcomes.shift()?.() ?? expect.unreachable() });
    const receipt = signedReceipt(worker, client);
    settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toEqual([]);
    settlement.receive(from.peer, receipt);
    await settlement.close();
    expect(from.sent).toMatchObject([answer('booked', receipt)]);
    expect(booked).toHaveLength(1);
  });

  it.each([
    ['for another worker', () => signedReceipt(stranger, client)],
    ['of another client', () => signedReceipt(worker, stranger)],
  ])('%s is a false claim, and never comes near the books', (_, make) => {
    const { settlement, from } = openSettlement({ settle: () => expect.unreachable() });
    settlement.receive(from.peer, make());
    expect(from.offences).toEqual(['false claim: a receipt of others']);
    expect(from.sent).toEqual([]);
  });

  it('that is void for a long reason is answered within the message’s limit', async () => {
    const refused = new QuarryError({ code: 'BAD_REQUEST', message: 'x'.repeat(500) });
    const { settlement, from } = openSettlement({ settle: () => Promise.reject(refused) });
    settlement.receive(from.peer, signedReceipt(worker, client));
    await settlement.close();
    expect(from.sent).toMatchObject([{ status: 'void', reason: 'x'.repeat(200) }]);
  });
});

describe('many receipts', () => {
  it('of one client wait for the disk 32 at a time, and leave room for those of others', async () => {
    const { settle, waiting } = heldBooks();
    const { settlement, from } = openSettlement({ settle });
    const receipt = signedReceipt(worker, client);
    for (let count = 0; count < 160; count++) settlement.receive(from.peer, receipt);
    expect(waiting).toHaveLength(32);
    const other = new WirelessPeer(stranger.id, ['client']);
    settlement.receive(other.peer, signedReceipt(worker, stranger));
    expect(waiting).toHaveLength(33);
    for (let done = 0; done < 161; done++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(done);
      waiting[done]?.resolve(BOOKED);
    }
    await settlement.close();
    expect([from.sent.length, other.sent.length]).toEqual([160, 1]);
    expect(from.offences).toEqual([]);
  });

  it('that wait for their turn are forgotten when their client is gone', async () => {
    const { settle, waiting } = heldBooks();
    const { settlement, from } = openSettlement({ settle });
    for (let count = 0; count < 100; count++) settlement.receive(from.peer, signedReceipt(worker, client));
    settlement.abandon(from.peer);
    for (const held of waiting) held.resolve(BOOKED);
    await settlement.close();
    expect(waiting).toHaveLength(32);
  });

  it('are all waited for when the node closes', async () => {
    const { settle, waiting } = heldBooks();
    const { settlement, from } = openSettlement({ settle });
    for (let count = 0; count < 3; count++) settlement.receive(from.peer, signedReceipt(worker, client));
    let closed = false;
    const closing = settlement.close().then(() => {
      closed = true;
    });
    waiting[0]?.resolve(BOOKED);
    waiting[1]?.reject(new Error('broken'));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    waiting[2]?.resolve(BOOKED);
    await closing;
    expect(from.sent).toHaveLength(2);
  });
});

describe('a flood of 39,000 void receipts', () => {
  /** All of it at once, at a client that is dropped at its first offence; and what it cost. */
  async function flooded() {
    const lines: { suppressed: number }[] = [];
    const log = { warn: (line: { suppressed: number }) => lines.push(line) } as unknown as Logger;
    const clock = { now: NOON };
    let checked = 0;
    const settle = async () => {
      checked++;
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'It is void.', field: 'receipt' });
    };
    const { settlement, from } = openSettlement({ settle }, { log, now: () => clock.now });
    const receipt = signedReceipt(worker, client);
    for (let count = 0; count < 39_000; count++) {
      settlement.receive(from.peer, receipt);
      clock.now += 10_000 / 39_000;
      if (count % 50 === 0) await new Promise(setImmediate);
    }
    await settlement.close();
    return { lines, checked: () => checked, from };
  }

  it('is checked at the client’s own pace, answered as far, and an offence again and again', async () => {
    const { checked, from } = await flooded();
    expect(checked()).toBeLessThanOrEqual(200 + 10 * 20);
    expect(from.sent).toHaveLength(checked());
    expect(from.faults.length).toBe(checked()); // the fourth has banned it
    expect(from.offences.length).toBeGreaterThan(30_000);
    expect(from.offences[0]).toContain('too many receipts');
  });

  it('is one line in the log', async () => {
    const { lines } = await flooded();
    expect(lines).toMatchObject([{ suppressed: 0 }]);
  });
});
