import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claim, had, OWN_SPENT } from '../../../../src-main/credits/books/accounts.ts';
import { pledgeBytes } from '../../../../src-main/credits/pledge.ts';
import { balanceOf } from '../../../../src-main/store/credits/ledger.ts';
import type { ErrorCode } from '../../../../src-preload/contract/errors.ts';
import type { Side } from '../../../../src-preload/contract/mesh.ts';
import { type CreditNode, nextRequestId, openCreditNode, oweTo, served } from '../../../support/credit-nodes.ts';

const PROMPT_HASH = 'a'.repeat(64);

let worker: CreditNode;
let client: CreditNode;
let requestId: string;

/** A request for 1,024 tokens, which cost 5 credits, that both sides have taken. */
beforeEach(async () => {
  worker = await openCreditNode(1);
  client = await openCreditNode(2);
  requestId = nextRequestId();
  await reserve();
});
afterEach(async () => {
  await client.close();
  await worker.close();
});

async function reserve(): Promise<void> {
  await worker.book.worker.fund({
    requestId,
    client: client.identity.id,
    host: '127.0.0.1',
    maxTokens: 1_024,
    vouchers: [],
  });
  await client.book.client.open({ requestId, worker: worker.identity.id, maxTokens: 1_024 });
}

/** The client signs, the worker keeps it. */
async function pledge(credits: number): Promise<void> {
  const said = { requestId, promptHash: PROMPT_HASH, credits };
  const sig = await client.book.client.pledge({ ...said, worker: worker.identity.id, funds: 'claim' });
  await worker.book.worker.keepPledge({ ...said, client: client.identity.id, sig });
}

/** @param code on the wire: the worker's, or what the client makes of its own end */
async function release(code: ErrorCode, by: Side = 'client', sent?: number): Promise<void> {
  const asked = sent === undefined ? undefined : { streamed: sent };
  const told = by === 'client' ? 'CANCELLED' : code;
  await worker.book.worker.release({ client: client.identity.id, requestId }, told, asked);
  await client.book.client.release(requestId, { by, code, sent });
}

const hadOfWorker = () => balanceOf(worker.db, had(client.identity.id));

/** What both ledgers say that was paid; both hold. */
async function paid(): Promise<{ worker: number; client: number }> {
  for (const { book } of [worker, client]) expect(await book.verify()).toMatchObject({ ok: true, openReservations: 0 });
  const owed = await balanceOf(client.db, claim(worker.identity.id));
  const spent = await balanceOf(client.db, OWN_SPENT);
  expect(owed).toBe(spent);
  return { worker: await hadOfWorker(), client: spent };
}

function receiptOf(tokens: number) {
  return worker.book.worker.bill(served({ requestId, client: client.identity.id, completionTokens: tokens }));
}

describe('an answer that ends without a receipt', () => {
  it.each(['CANCELLED', 'DEADLINE', 'WORKER_LOST', 'PROTOCOL', 'DISK_FULL', 'INTERNAL', 'NOT_RUNNING'] as const)(
    'by %s of its client costs what was pledged',
    async (code) => {
      await pledge(1);
      await pledge(3);
      await release(code);
      expect(await paid()).toEqual({ worker: 3, client: 3 });
    },
  );

  it.each(['CANCELLED', 'DEADLINE', 'NO_CREDIT'] as const)(
    'by %s of its worker costs what was pledged',
    async (code) => {
      await pledge(1);
      await pledge(3);
      await release(code, 'worker', 400);
      expect(await paid()).toEqual({ worker: 3, client: 3 });
    },
  );

  it.each(['CANCELLED', 'DEADLINE', 'NO_CREDIT', 'WORKER_LOST'] as const)(
    'by %s costs its client nothing if nothing came',
    async (code) => {
      await pledge(1);
      await release(code, 'client', 0);
      expect(await paid()).toEqual({ worker: 0, client: 0 });
      expect(worker.book.client.owedBy(client.identity.id)).toBe(0);
    },
  );

  it('costs its first credit if something came, though no more was signed for', async () => {
    await pledge(1);
    await release('CANCELLED', 'client', 3);
    expect(await paid()).toEqual({ worker: 1, client: 1 });
  });

  it.each(['BAD_REQUEST', 'CONTEXT_TOO_LONG', 'RATE_LIMIT', 'MODEL_NOT_FOUND', 'OVERLOADED'] as const)(
    'because its worker refuses it with %s costs nothing, whatever was pledged',
    async (code) => {
      await pledge(3);
      await release(code, 'worker');
      expect(await paid()).toEqual({ worker: 0, client: 0 });
    },
  );

  it.each(['ENGINE_CRASHED', 'INTERNAL', 'NOT_RUNNING', 'QUEUE_FULL'] as const)(
    'by %s of the worker costs nothing',
    async (code) => {
      await pledge(3);
      await release(code, 'worker', 500);
      expect(await paid()).toEqual({ worker: 0, client: 0 });
    },
  );

  it.each(['DISK_FULL', 'PROTOCOL', 'WORKER_LOST'] as const)(
    'by %s of the worker itself, which is INTERNAL to others, costs nothing',
    async (code) => {
      await pledge(3);
      await worker.book.worker.release({ client: client.identity.id, requestId }, code, { streamed: 500 });
      await client.book.client.release(requestId, { by: 'worker', code: 'INTERNAL', sent: 500 });
      expect(await paid()).toEqual({ worker: 0, client: 0 });
    },
  );

  it.each([1, 2, 5])('because a node died costs what was pledged: %i, but nothing for the first', async (credits) => {
    await pledge(credits);
    const owed = credits > 1 ? credits : 0;
    await worker.die();
    await client.die();
    expect(await paid()).toEqual({ worker: owed, client: owed });
    expect(worker.book.client.owedBy(client.identity.id)).toBe(owed);
  });

  it.each([
    ['what its worker owes the client', 9, { claim: 9 - 1, given: 0 }],
    ['gifts to its network', 0, { claim: 0, given: 1 }],
  ])('because its worker died uses the first credit up, of %s', async (_, owed, left) => {
    await release('CANCELLED');
    if (owed > 0) await oweTo(worker, client.identity, owed);
    requestId = nextRequestId();
    await reserve();
    await pledge(1);
    await worker.die();
    const { id } = client.identity;
    expect({ claim: await balanceOf(worker.db, claim(id)), given: worker.book.worker.given('127.0.0.0/24') }).toEqual(
      left,
    );
    expect(worker.book.worker.terms(id, '127.0.0.1').owed).toBe(left.claim);
    expect(await worker.book.verify()).toMatchObject({ ok: true });
    await worker.die();
    expect(await balanceOf(worker.db, claim(id))).toBe(left.claim);
  });

  it('costs nothing where nothing was pledged, and its id may be used again', async () => {
    await release('CANCELLED');
    await reserve();
    await release('CANCELLED');
    expect(await paid()).toEqual({ worker: 0, client: 0 });
  });

  it('in part buys nothing more under its id', async () => {
    await pledge(2);
    await release('CANCELLED');
    await expect(reserve()).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'requestId' });
  });

  it('is paid in full when the receipt comes after all', async () => {
    await pledge(2);
    const bill = receiptOf(1_000);
    await worker.book.worker.release({ client: client.identity.id, requestId }, 'CANCELLED');
    const receipt = await client.book.client.countersign(bill, {
      requestId,
      worker: worker.identity.id,
      promptHash: PROMPT_HASH,
      resultHash: bill.body.resultHash,
      promptChars: bill.body.promptChars,
      resultChars: bill.body.resultChars,
      elapsedMs: 500,
      streamMs: 400,
      completionTokens: bill.body.completionTokens,
      funds: 'claim',
    });
    await worker.book.worker.settle(receipt);
    expect(await paid()).toEqual({ worker: 5, client: 5 });
  });
});

describe('a pledge', () => {
  const kept = (credits: number, sig: string) =>
    worker.book.worker.keepPledge({ requestId, client: client.identity.id, promptHash: PROMPT_HASH, credits, sig });
  const signed = (credits: number, over: object = {}) =>
    client.identity.sign(
      pledgeBytes({
        requestId,
        worker: worker.identity.id,
        client: client.identity.id,
        promptHash: PROMPT_HASH,
        credits,
        ...over,
      }),
    );

  it.each([
    ['another sum', { credits: 1 }],
    ['another worker', { worker: 'b'.repeat(64) }],
    ['another request', { requestId: 'c'.repeat(32) }],
    ['another prompt', { promptHash: 'd'.repeat(64) }],
  ])('for %s is refused', async (_what, over) => {
    await expect(kept(3, signed(3, over))).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'sig' });
    await release('CANCELLED');
    expect(await paid()).toEqual({ worker: 0, client: 0 });
  });

  it('for more than was set aside is refused on both sides', async () => {
    await expect(kept(6, signed(6))).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'credits' });
    const more = {
      requestId,
      worker: worker.identity.id,
      promptHash: PROMPT_HASH,
      credits: 6,
      funds: 'claim' as const,
    };
    await expect(client.book.client.pledge(more)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('never becomes smaller', async () => {
    await kept(3, signed(3));
    await kept(2, signed(2));
    await worker.book.worker.release({ client: client.identity.id, requestId }, 'CANCELLED');
    expect(await hadOfWorker()).toBe(3);
  });

  it('that was changed afterwards is found', async () => {
    await pledge(2);
    await release('CANCELLED');
    expect((await worker.book.verify()).ok).toBe(true);
    await worker.db.updateTable('pledges').set({ credits: 4 }).execute();
    const { ok, problems } = await worker.book.verify({ full: true });
    expect(ok).toBe(false);
    expect(problems.join('\n')).toMatch(/books wrong amounts \(release\)[\s\S]*wrong signature/);
  });
});
