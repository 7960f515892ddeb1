import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientCredits } from '../../../../src-main/credits/credits.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { ReceiptSender } from '../../../../src-main/mesh/asking/receipt-sender.ts';
import { signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

const client = testIdentity(1);
const worker = testIdentity(2);
const other = testIdentity(3);

afterEach(() => void vi.useRealTimers());

/** Books in memory that hold these receipts, and a sender that is open on a network without anybody. */
function openSender(receipts: Receipt[] = [], credits: ClientCredits = new MemoryClientCredits(client)) {
  const books = credits as MemoryClientCredits;
  for (const receipt of receipts) books.signed.set(receipt.body.requestId, receipt);
  const wireless = new WirelessNetwork();
  const sender = new ReceiptSender({ network: wireless.network, credits, log: testLog });
  sender.open();
  return { sender, books, wireless, peer: new WirelessPeer(worker.id) };
}

const signed = (receipt: Receipt) => ({ v: 2, type: 'receipt', status: 'signed', receipt });
const booked = ({ body: { requestId } }: Receipt) => ({ v: 2, type: 'receipt', status: 'booked', requestId }) as const;
const refused = ({ body: { requestId } }: Receipt) =>
  ({ v: 2, type: 'receipt', status: 'void', requestId, reason: 'It is malformed.' }) as const;
const nextTurn = () => new Promise(setImmediate);

describe('a signed receipt', () => {
  it('goes to its worker, and is done with when the worker has it', async () => {
    const receipt = signedReceipt(worker, client);
    const { sender, books, wireless, peer } = openSender();
    wireless.join(peer);
    books.signed.set(receipt.body.requestId, receipt);
    sender.send(peer.peer, receipt);
    expect(peer.sent).toEqual([signed(receipt)]);
    expect([...books.acknowledged]).toEqual([]);
    peer.say(booked(receipt));
    await sender.close();
    expect([...books.acknowledged]).toEqual([receipt.body.requestId]);
  });

  it('is sent again each time that its worker is met, until the worker answers', async () => {
    const receipt = signedReceipt(worker, client);
    const { sender, wireless, peer: first } = openSender([receipt]);
    wireless.join(first);
    await nextTurn();
    expect(first.sent).toEqual([signed(receipt)]);
    wireless.leave(first);
    const second = new WirelessPeer(worker.id);
    wireless.join(second);
    await nextTurn();
    expect(second.sent).toEqual([signed(receipt)]);
    second.say(booked(receipt));
    wireless.leave(second);
    const third = new WirelessPeer(worker.id);
    wireless.join(third);
    await nextTurn();
    expect(third.sent).toEqual([]);
    await sender.close();
  });

  it('goes to a worker that was there before, too', async () => {
    const receipt = signedReceipt(worker, client);
    const credits = new MemoryClientCredits(client);
    credits.signed.set(receipt.body.requestId, receipt);
    const wireless = new WirelessNetwork();
    const peer = new WirelessPeer(worker.id);
    wireless.join(peer);
    const sender = new ReceiptSender({ network: wireless.network, credits, log: testLog });
    sender.open();
    await nextTurn();
    expect(peer.sent).toEqual([signed(receipt)]);
    peer.say(booked(receipt));
    await sender.close();
  });

  it('is shown to no other worker, and to no client', async () => {
    const { sender, wireless } = openSender([signedReceipt(worker, client)]);
    const [otherWorker, onlyClient] = [new WirelessPeer(other.id), new WirelessPeer(worker.id, ['client'])];
    wireless.join(otherWorker);
    wireless.join(onlyClient);
    await nextTurn();
    expect([...otherWorker.sent, ...onlyClient.sent]).toEqual([]);
    await sender.close();
  });

  it('that the worker calls void is not sent again', async () => {
    const receipt = signedReceipt(worker, client);
    const { sender, books, wireless, peer } = openSender([receipt]);
    wireless.join(peer);
    await nextTurn();
    peer.say(refused(receipt));
    await sender.close();
    expect([...books.acknowledged]).toEqual([receipt.body.requestId]);
  });
});

describe('an answer to a receipt', () => {
  it('counts from its worker alone', async () => {
    const receipt = signedReceipt(worker, client);
    const { sender, books, wireless, peer } = openSender([receipt]);
    const liar = new WirelessPeer(other.id);
    wireless.join(peer);
    wireless.join(liar);
    await nextTurn();
    liar.say(booked(receipt));
    liar.say(refused(receipt));
    await nextTurn();
    expect([...books.acknowledged]).toEqual([]);
    peer.say(booked(receipt));
    await sender.close();
    expect([...books.acknowledged]).toEqual([receipt.body.requestId]);
  });

  it('counts for nothing when no receipt was sent', async () => {
    const { sender, books, wireless, peer } = openSender();
    wireless.join(peer);
    const unsent = signedReceipt(worker, client);
    books.signed.set(unsent.body.requestId, unsent);
    peer.say(booked(unsent));
    await sender.close();
    expect([...books.acknowledged]).toEqual([]);
  });
});

/** A receipt by number, as far as a sender looks at it. */
function numbered(number: number): Receipt {
  const template = signedReceipt(worker, client);
  return { ...template, body: { ...template.body, requestId: number.toString(16).padStart(32, '0') } };
}
const receipts = (count: number) => Array.from({ length: count }, (_, number) => numbered(number));

describe('many receipts', () => {
  it('go to their worker all in one meeting, at most 128 of them unanswered', async () => {
    const { sender, books, wireless, peer } = openSender(receipts(400));
    wireless.join(peer);
    await nextTurn();
    expect(peer.sent).toHaveLength(100);
    for (let answered = 0; answered < 400; answered++) {
      expect(peer.sent.length).toBeGreaterThan(answered);
      expect(peer.sent.length - answered).toBeLessThanOrEqual(128);
      peer.say(booked(numbered(answered)));
      await nextTurn();
    }
    expect(books.acknowledged.size).toBe(400);
    expect(peer.sent).toHaveLength(400); // none twice
    await sender.close();
  });

  it('go on past those that the worker never answers', async () => {
    const { sender, books, wireless, peer } = openSender(receipts(300));
    wireless.join(peer);
    await nextTurn();
    for (let number = 3; number < 300; number++) {
      peer.say(booked(numbered(number)));
      await nextTurn();
    }
    expect(books.acknowledged.size).toBe(297);
    wireless.leave(peer);
    await sender.close();
  });

  it('that a worker left unanswered do not stand in the way of others, nor of the next meeting', async () => {
    const { sender, wireless, peer } = openSender(receipts(100));
    wireless.join(peer);
    await nextTurn();
    for (let number = 100; number < 128; number++) sender.send(peer.peer, numbered(number));
    sender.send(peer.peer, numbered(500)); // waits in the outbox
    expect(peer.sent).toHaveLength(128);
    const another = new WirelessPeer(other.id);
    wireless.join(another);
    sender.send(another.peer, signedReceipt(other, client));
    expect(another.sent).toHaveLength(1);
    wireless.leave(peer);
    const again = new WirelessPeer(worker.id);
    wireless.join(again);
    await nextTurn();
    expect(again.sent).toHaveLength(100);
    wireless.leave(again);
    wireless.leave(another);
    await sender.close();
  });
});

describe('closing', () => {
  it('leaves no listener behind, at a worker or at the network', async () => {
    const { sender, wireless, peer } = openSender();
    const gone = new WirelessPeer(other.id);
    wireless.join(peer);
    wireless.join(gone);
    wireless.leave(gone);
    expect([peer.listeners, gone.listeners]).toEqual([1, 0]);
    await sender.close();
    expect([peer.listeners, wireless.listeners]).toEqual([0, 0]);
  });

  /** A sender that awaits an answer, and whether it has closed. */
  async function closeWhileAwaiting() {
    const receipt = signedReceipt(worker, client);
    const opened = openSender([receipt]);
    opened.wireless.join(opened.peer);
    await nextTurn();
    vi.useFakeTimers();
    const state = { closed: false };
    const closing = opened.sender.close().then(() => {
      state.closed = true;
    });
    return { ...opened, receipt, state, closing };
  }

  it('gives a worker a second to answer, and no more', async () => {
    const { state, books } = await closeWhileAwaiting();
    await vi.advanceTimersByTimeAsync(999);
    expect(state.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.closed).toBe(true);
    expect([...books.acknowledged]).toEqual([]);
  });

  it('ends with the last answer, when it is on the books', async () => {
    const { state, closing, peer, receipt, books } = await closeWhileAwaiting();
    const written = Promise.withResolvers<void>();
    books.acknowledge = () => written.promise;
    peer.say(booked(receipt));
    await vi.advanceTimersByTimeAsync(10);
    expect(state.closed).toBe(false);
    written.resolve();
    await closing;
  });

  it('does not wait for a worker that is gone', async () => {
    const { sender, wireless, peer } = openSender([signedReceipt(worker, client)]);
    wireless.join(peer);
    await nextTurn();
    wireless.leave(peer);
    vi.useFakeTimers();
    await sender.close();
  });

  it('meets nobody new', async () => {
    const { sender, wireless, peer } = openSender([signedReceipt(worker, client)]);
    await sender.close();
    wireless.join(peer);
    await nextTurn();
    expect(peer.sent).toEqual([]);
  });

  it('outlives books that cannot be read or written', async () => {
    const receipt = signedReceipt(worker, client);
    const { sender, books, wireless, peer } = openSender([receipt]);
    wireless.join(peer);
    await nextTurn();
    books.acknowledge = () => Promise.reject(new Error('broken'));
    books.unacknowledged = () => Promise.reject(new Error('broken'));
    peer.say(booked(receipt));
    wireless.join(new WirelessPeer(other.id));
    await sender.close();
  });
});
