import { afterEach, describe, expect, it } from 'vitest';
import { receiptFault } from '../../../../src-main/credits/books/receipt-check.ts';
import type { ClientCredits, Observed, Served } from '../../../../src-main/credits/credits.ts';
import { Payments } from '../../../../src-main/mesh/asking/payments.ts';
import type { InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { Settlement } from '../../../../src-main/mesh/serving/settlement.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { nextRequestId, observed, openCreditNode, served, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openNode(number: number) {
  const node = await openCreditNode(number);
  closers.push(() => node.close());
  return node;
}

/** A client and a worker with real books; the client's may be told to fail. */
async function openPair(over: Partial<ClientCredits> = {}) {
  const [client, worker] = [await openNode(1), await openNode(2)];
  const books = client.book.client;
  const credits: ClientCredits = {
    open: (request) => books.open(request),
    pledge: (pledge) => books.pledge(pledge),
    countersign: (bill, seen) => books.countersign(bill, seen),
    release: (requestId, ending) => books.release(requestId, ending),
    unacknowledged: (id) => books.unacknowledged(id),
    acknowledge: (requestId) => books.acknowledge(requestId),
    owedBy: (id) => books.owedBy(id),
    waysTo: (id, terms, there) => books.waysTo(id, terms, there),
    vouched: (by, to, credits) => books.vouched(by, to, credits),
    corrected: (id, credits) => books.corrected(id, credits),
    ...over,
  };
  const wireless = new WirelessNetwork();
  const payments = new Payments({ network: wireless.network, credits, log: testLog });
  payments.open();
  const peer = new WirelessPeer(worker.identity.id);
  wireless.join(peer);

  /** Sets credits aside for a request, and gives what the worker then sends as its end. */
  const serve = async (work: Partial<Served> = {}, seen: Partial<Observed> = {}) => {
    const requestId = nextRequestId();
    await payments.begin({ requestId, worker: peer.peer.id, maxTokens: 256 });
    const done = served({ client: client.identity.id, requestId, ...work });
    const result = { text: '', finish: 'stop' } as never;
    const saw = { ...observed(done, worker.identity.id), ...seen };
    return { type: 'result', result, bill: worker.book.worker.bill(done), observed: saw } as const;
  };
  return { client, worker, wireless, payments, peer, serve };
}

function signedReceiptIn(message: InferenceMessage | undefined) {
  if (message?.type !== 'receipt' || message.status !== 'signed') return expect.unreachable('no signed receipt');
  return message.receipt;
}

describe('a true bill', () => {
  it('is paid: what was set aside for it is spent or given back, and the receipt has both signatures', async () => {
    const { client, payments, peer, serve } = await openPair();
    const answer = await serve({ completionTokens: 10 });
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 2, spent: 0 });
    await payments.pay(peer.peer, answer);
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 2 });
    expect(peer.sent).toHaveLength(1);
    expect(receiptFault(signedReceiptIn(peer.sent[0]), verify)).toBeUndefined();
    expect(peer.offences).toEqual([]);
  });

  it('is paid before the receipt leaves this node', async () => {
    const { client, payments, peer, serve } = await openPair();
    const answer = await serve();
    const spent: Promise<{ spent: number }>[] = [];
    peer.peer.send = () => spent.push(client.book.summary()) > 0;
    await payments.pay(peer.peer, answer);
    expect(await Promise.all(spent)).toMatchObject([{ spent: 2 }]);
  });

  it('that comes twice is paid once', async () => {
    const { client, payments, peer, serve } = await openPair();
    const answer = await serve();
    await payments.pay(peer.peer, answer);
    await payments.pay(peer.peer, answer);
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 2 });
    expect(peer.sent[1]).toEqual(peer.sent[0]);
  });

  it('becomes the worker’s points, and no receipt is left over', async () => {
    const { client, worker, payments, peer, serve } = await openPair();
    const settlement = new Settlement({ worker: worker.identity.id, credits: worker.book.worker, log: testLog });
    const back = new WirelessPeer(client.identity.id, ['client']);
    await payments.pay(peer.peer, await serve());
    expect(await client.book.client.unacknowledged(worker.identity.id)).toHaveLength(1);
    settlement.receive(back.peer, signedReceiptIn(peer.sent[0]));
    await settlement.close();
    for (const message of back.sent) peer.say(message);
    await payments.close();
    expect(await worker.book.summary()).toMatchObject({ points: 15 }); // 10, and First Light
    expect(await client.book.client.unacknowledged(worker.identity.id)).toEqual([]);
  });
});

describe('a false bill', () => {
  it.each<[string, Partial<Served>, Partial<Observed>]>([
    ['for another answer', {}, { resultHash: 'c'.repeat(64) }],
    ['for more tokens than the answer had', { completionTokens: 257 }, { completionTokens: 1 }],
    ['for a request of somebody else', { client: testIdentity(9).id }, {}],
    ['with less time than the answer streamed', { processingMs: 400 }, { streamMs: 4_000, elapsedMs: 4_200 }],
  ])('%s is not paid, and counts against the worker', async (_, work, seen) => {
    const { client, payments, peer, serve } = await openPair();
    await payments.pay(peer.peer, await serve(work, seen));
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 0 });
    expect(peer.sent).toEqual([]);
    expect(peer.offences).toEqual([expect.stringMatching(/^false claim: The worker’s receipt does not hold/)]);
  });

  it('costs what was pledged for the answer, and says so', async () => {
    const { client, payments, peer, serve } = await openPair();
    const answer = await serve({ completionTokens: 257 }, { completionTokens: 256 });
    const { requestId, promptHash } = answer.observed;
    await payments.pledge({ requestId, worker: peer.peer.id, promptHash, credits: 2, funds: 'gift' });
    expect(await payments.pay(peer.peer, answer)).toBe(2);
    expect(await client.book.summary()).toMatchObject({ reserved: 0, spent: 2 });
  });
});

describe('trouble of this node’s own', () => {
  const full = () => Promise.reject(new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.' }));

  it('while it signs is not held against the worker, and what was set aside comes back', async () => {
    const { client, payments, peer, serve } = await openPair({ countersign: full });
    await payments.pay(peer.peer, await serve());
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 0 });
    expect([...peer.offences, ...peer.sent]).toEqual([]);
  });

  it('with both the signature and the way back leaves it set aside until the next start', async () => {
    const { client, payments, peer, serve } = await openPair({ countersign: full, release: full });
    await payments.pay(peer.peer, await serve());
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 2, spent: 0 });
  });

  it('of a request that was paid before is told to whoever asks', async () => {
    const { payments, peer, serve } = await openPair();
    const answer = await serve();
    await payments.pay(peer.peer, answer);
    const again = { requestId: answer.observed.requestId, worker: peer.peer.id, maxTokens: 256 };
    await expect(payments.begin(again)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('what was set aside', () => {
  it('comes back once, however often it is given back', async () => {
    const { client, payments, serve } = await openPair();
    const { observed: seen } = await serve();
    await Promise.all([
      payments.release(seen.requestId, { by: 'client', code: 'WORKER_LOST' }),
      payments.release(seen.requestId, { by: 'client', code: 'CANCELLED' }),
    ]);
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0 });
  });

  it('does not come back when it was paid', async () => {
    const { client, payments, peer, serve } = await openPair();
    const answer = await serve();
    await payments.pay(peer.peer, answer);
    await payments.release(answer.observed.requestId, { by: 'client', code: 'CANCELLED' });
    expect(await client.book.summary()).toMatchObject({ available: 0, reserved: 0, spent: 2 });
  });

  it('and is on its way back is waited for at the end', async () => {
    const written = Promise.withResolvers<number>();
    const { payments } = await openPair({ release: () => written.promise });
    let closed = false;
    void payments.release(nextRequestId(), { by: 'client', code: 'CANCELLED' });
    const closing = payments.close().then(() => {
      closed = true;
    });
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    written.resolve(0);
    await closing;
  });
});
