import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientCredits, Served, WorkerCredits } from '../../src-main/credits/credits.ts';
import { pledgeBytes } from '../../src-main/credits/pledge.ts';
import { type Receipt, receiptBytes } from '../../src-main/credits/receipt.ts';
import { costOf, pointsFor } from '../../src-main/credits/score/points.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { nextRequestId, observed, served, testIdentity } from './credit-nodes.ts';

/** Books under test, and how to spend all that a client has there. */
interface Books<Credits> {
  credits: Credits;
  /** Whose they are. */
  identity: Identity;
  /** From now on the client has no credit here. */
  exhaust(client: string): Promise<void>;
  close(): Promise<void>;
}

const PROMPT = 'a'.repeat(64);
const TAKEN = { code: 'BAD_REQUEST', field: 'requestId' };
const VOID = { code: 'BAD_REQUEST', field: 'receipt' };
const [client, stranger] = [testIdentity(901), testIdentity(902)];
/** Tokens that a request may use, and what they cost. */
const MOST = { maxTokens: 300 };
const SET_ASIDE = costOf(MOST.maxTokens);

/** What the mesh worker relies on: the real books and their double. */
export function workerCreditsContract(name: string, make: () => Promise<Books<WorkerCredits>>): void {
  describe(`${name} as a worker's books`, () => {
    let books: Books<WorkerCredits>;
    let credits: WorkerCredits;
    let requestId: string;
    beforeEach(async () => {
      books = await make();
      credits = books.credits;
      requestId = nextRequestId();
    });
    afterEach(() => books.close());

    const reserve = (id = requestId, by = client.id) =>
      credits.reserve({ requestId: id, client: by, host: '203.0.113.1', ...MOST });
    const pledge = (amount: number, by = client, named = client.id) => {
      const said = { requestId, client: named, promptHash: PROMPT, credits: amount };
      return credits.keepPledge({ ...said, sig: by.sign(pledgeBytes({ ...said, worker: books.identity.id })) });
    };
    const receipt = (over: Partial<Served> = {}, by = client): Receipt => {
      const bill = credits.bill(served({ requestId, client: client.id, servedAt: Date.now(), ...over }));
      return { ...bill, clientSig: by.sign(receiptBytes(bill.body)) };
    };

    it('set the price of a request aside, once for an id', async () => {
      expect(await reserve()).toEqual({ cost: SET_ASIDE });
      await expect(reserve()).rejects.toMatchObject(TAKEN);
      await expect(reserve(requestId, stranger.id)).rejects.toMatchObject(TAKEN);
    });

    it('refuse who has no credit, and say when there will be some', async () => {
      await books.exhaust(client.id);
      await expect(reserve()).rejects.toMatchObject({ code: 'NO_CREDIT', retryAfterMs: expect.any(Number) });
    });

    it('keep what the client signed for, and no more than was set aside', async () => {
      await expect(pledge(1)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'credits' });
      await reserve();
      await pledge(1);
      await pledge(SET_ASIDE);
      await expect(pledge(SET_ASIDE + 1)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'credits' });
      await expect(pledge(1, stranger)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'sig' });
      await expect(pledge(1, stranger, stranger.id)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'credits' });
    });

    it('price what was served, and sign it', () => {
      const work = served({ requestId, client: client.id });
      const { body, workerSig } = credits.bill(work);
      expect(body).toMatchObject({ ...work, points: pointsFor(work), cost: costOf(work.completionTokens) });
      expect(verify(books.identity.id, receiptBytes(body), workerSig)).toBe(true);
    });

    it('book a receipt once, however often it comes', async () => {
      await reserve();
      const signed = receipt();
      const first = await credits.settle(signed);
      expect(first).toMatchObject({ points: signed.body.points, repeated: false });
      expect(await credits.settle(signed)).toMatchObject({ points: first.points, repeated: true });
      await expect(credits.settle(receipt({ completionTokens: 1 }))).rejects.toMatchObject(TAKEN);
      await expect(reserve()).rejects.toMatchObject(TAKEN);
    });

    it('refuse a receipt that its client did not sign, or of another worker, or with a wrong price', async () => {
      await reserve();
      await expect(credits.settle(receipt({}, stranger))).rejects.toMatchObject(VOID);
      for (const change of [{ worker: stranger.id }, { cost: 0 }]) {
        const body = { ...receipt().body, ...change };
        const [workerSig, clientSig] = [books.identity, client].map((one) => one.sign(receiptBytes(body)));
        const forged = { body, workerSig: workerSig ?? '', clientSig: clientSig ?? '' };
        await expect(credits.settle(forged)).rejects.toMatchObject(VOID);
      }
    });

    it('refuse a receipt for what another client asked', async () => {
      await reserve(requestId, stranger.id);
      await expect(credits.settle(receipt())).rejects.toMatchObject(TAKEN);
    });

    it('give back what was not signed for, and the id can be used again', async () => {
      await credits.release(requestId, 'CANCELLED');
      await reserve();
      await credits.release(requestId, 'CANCELLED');
      await credits.release(requestId, 'CANCELLED');
      expect(await reserve()).toEqual({ cost: SET_ASIDE });
    });

    it('keep what was signed for, which uses the id up; all of it comes back where the worker failed', async () => {
      await reserve();
      await pledge(1);
      await credits.release(requestId, 'ENGINE_CRASHED');
      await reserve();
      await pledge(1);
      await credits.release(requestId, 'CANCELLED');
      await expect(reserve()).rejects.toMatchObject(TAKEN);
    });

    it('do nothing when a request is given back that was settled', async () => {
      await reserve();
      const signed = receipt();
      await credits.settle(signed);
      await credits.release(requestId, 'ENGINE_CRASHED');
      expect(await credits.settle(signed)).toMatchObject({ repeated: true });
    });
  });
}

/** What the mesh client relies on: the real books and their double. */
export function clientCreditsContract(name: string, make: () => Promise<Books<ClientCredits>>): void {
  describe(`${name} as a client's books`, () => {
    const worker = testIdentity(903);
    let books: Books<ClientCredits>;
    let credits: ClientCredits;
    let requestId: string;
    beforeEach(async () => {
      books = await make();
      credits = books.credits;
      requestId = nextRequestId();
    });
    afterEach(() => books.close());

    const reserve = () => credits.reserve({ requestId, worker: worker.id, ...MOST });
    const pledge = (amount: number, to = worker.id) =>
      credits.pledge({ requestId, worker: to, promptHash: PROMPT, credits: amount });
    const work = () => served({ requestId, client: books.identity.id, servedAt: Date.now() });
    const billed = (over: Partial<Receipt['body']> = {}, by = worker) => {
      const done = work();
      const [points, cost] = [pointsFor(done), costOf(done.completionTokens)];
      const body = { v: 2 as const, ...done, worker: worker.id, points, cost, ...over };
      return { body, workerSig: by.sign(receiptBytes(body)) };
    };
    const seen = () => observed(work(), worker.id, MOST);

    it('set the price of a request aside, once for an id', async () => {
      expect(await reserve()).toEqual({ cost: SET_ASIDE });
      await expect(reserve()).rejects.toMatchObject(TAKEN);
    });

    it('refuse when there is no credit left', async () => {
      await books.exhaust(books.identity.id);
      await expect(reserve()).rejects.toMatchObject({ code: 'NO_CREDIT' });
    });

    it('sign for as much as was set aside, for that worker', async () => {
      await expect(pledge(1)).rejects.toMatchObject(VOID);
      await reserve();
      const sig = await pledge(SET_ASIDE);
      const said = { requestId, worker: worker.id, client: books.identity.id, promptHash: PROMPT, credits: SET_ASIDE };
      expect(verify(books.identity.id, pledgeBytes(said), sig)).toBe(true);
      await expect(pledge(SET_ASIDE + 1)).rejects.toMatchObject(VOID);
      await expect(pledge(1, stranger.id)).rejects.toMatchObject(VOID);
    });

    it('sign a bill that is what was seen, the same however often it comes', async () => {
      await expect(credits.countersign(billed(), seen())).rejects.toMatchObject(VOID);
      await reserve();
      const receipt = await credits.countersign(billed(), seen());
      expect(verify(books.identity.id, receiptBytes(receipt.body), receipt.clientSig)).toBe(true);
      expect(await credits.countersign(billed(receipt.body), seen())).toEqual(receipt);
      await expect(reserve()).rejects.toMatchObject(TAKEN);
    });

    it.each([
      ['about another answer', { resultHash: 'c'.repeat(64) }],
      ['about another prompt', { promptHash: 'c'.repeat(64) }],
      ['about another request', { requestId: 'c'.repeat(32) }],
      ['for another client', { client: stranger.id }],
      ['with another price', { cost: 1 }],
    ])('refuse a bill %s', async (_what, over) => {
      await reserve();
      await expect(credits.countersign(billed(over), seen())).rejects.toMatchObject(VOID);
    });

    it('refuse a bill that its worker did not sign', async () => {
      await reserve();
      await expect(credits.countersign(billed({}, stranger), seen())).rejects.toMatchObject(VOID);
    });

    it('keep a receipt for its worker until that has it', async () => {
      await reserve();
      const receipt = await credits.countersign(billed(), seen());
      expect(await credits.unacknowledged(worker.id)).toEqual([receipt]);
      expect(await credits.unacknowledged(stranger.id)).toEqual([]);
      await credits.acknowledge(requestId);
      await credits.acknowledge(requestId);
      expect(await credits.unacknowledged(worker.id)).toEqual([]);
    });

    it('give back what was not signed for, however often they are told', async () => {
      await credits.release(requestId, 'CANCELLED');
      await reserve();
      await credits.release(requestId, 'CANCELLED');
      await credits.release(requestId, 'CANCELLED');
      expect(await reserve()).toEqual({ cost: SET_ASIDE });
    });
  });
}
