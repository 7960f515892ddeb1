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

describe('ten thousand receipts that are not answered', () => {
  it('are all that is awaited at once; an answer makes room for one', async () => {
    const { sender, wireless, peer } = openSender();
    wireless.join(peer);
    const template = signedReceipt(worker, client);
    const numbered = (number: number): Receipt => {
      const requestId = number.toString(16).padStart(32, '0');
      return { ...template, body: { ...template.body, requestId } };
    };
    for (let number = 0; number < 10_001; number++) sender.send(peer.peer, numbered(number));
    expect(peer.sent).toHaveLength(10_000);
    peer.say(booked(numbered(7)));
    sender.send(peer.peer, numbered(10_001));
    sender.send(peer.peer, numbered(10_002));
    expect(peer.sent).toHaveLength(10_001);
    wireless.leave(peer);
    await sender.close();
  });
});

describe('closing', () => {
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
