import { afterEach, describe, expect, it } from 'vitest';
import type { Booking, WorkerCredits } from '../../../../src-main/credits/credits.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { Settlement } from '../../../../src-main/mesh/serving/settlement.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { NOON, openCreditNode, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

const worker = testIdentity(1);
const client = testIdentity(2);
const stranger = testIdentity(3);
const BOOKED: Booking = { points: 10, achievements: [], repeated: false };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A settlement on these books, and what it told the rest of the node. */
function openSettlement(credits: Pick<WorkerCredits, 'settle'>) {
  const booked: string[] = [];
  const onBooked = ({ body }: Receipt) => booked.push(body.requestId);
  const settlement = new Settlement({ worker: worker.id, credits, onBooked, log: testLog });
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
    expect(booked).toEqual([]);
    expect(await node.book.summary()).toMatchObject({ points: 0 });
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
  it('wait for the disk, 1,024 of them; the others are left to be sent again', async () => {
    const { settle, waiting } = heldBooks();
    const { settlement, from } = openSettlement({ settle });
    const receipt = signedReceipt(worker, client);
    for (let count = 0; count < 1_100; count++) settlement.receive(from.peer, receipt);
    expect(waiting).toHaveLength(1_024);
    waiting[0]?.resolve(BOOKED);
    await expect.poll(() => from.sent.length).toBe(1);
    settlement.receive(from.peer, receipt);
    expect(waiting).toHaveLength(1_025);
    for (const held of waiting) held.resolve(BOOKED);
    await settlement.close();
    expect(from.sent).toHaveLength(1_025);
    expect(from.offences).toEqual([]);
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
