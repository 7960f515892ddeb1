import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Funding } from '../../../../src-main/credits/credits.ts';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { VOUCHER_MS } from '../../../../src-main/credits/standing/vouchers.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { balanceOf } from '../../../../src-main/store/credits/ledger.ts';
import {
  type CreditNode,
  NOON,
  nextRequestId,
  openCreditNode,
  oweTo,
  serveTo,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';

const HOST = '203.0.113.7';
const bank = testIdentity(21);
const client = testIdentity(22);
let worker: CreditNode;
beforeEach(async () => {
  worker = await openCreditNode(1);
});
afterEach(() => worker.close());

function voucher(over: Partial<VoucherBody> = {}): Voucher {
  const parties = { by: bank.id, worker: worker.identity.id, client: client.id };
  const serial = randomBytes(16).toString('hex');
  const body: VoucherBody = { kind: 'claim', ...parties, credits: 3, serial, expires: NOON + VOUCHER_MS, ...over };
  return { body, sig: bank.sign(voucherBytes(body)) };
}

/** A request for 3 credits. */
async function bring(...vouchers: Voucher[]): Promise<Funding> {
  const asked = { requestId: nextRequestId(), client: client.id, host: HOST, maxTokens: 512, vouchers };
  return await worker.book.worker.fund(asked);
}

const owed = (id: string) => worker.book.worker.terms(id, HOST).owed;
const booked = async () => (await worker.db.selectFrom('ledger_entries').select('seq').execute()).length;

async function reopen(): Promise<void> {
  await worker.book.close();
  worker.book = await openCreditBook({ ...worker, verify, now: () => worker.clock.now, log: testLog });
}

describe('a voucher that a client brings', () => {
  it('moves what the worker owes the one who signed it, for good and before the request is paid by it', async () => {
    await oweTo(worker, bank, 5);
    expect(await bring(voucher())).toMatchObject({ funds: 'claim', credits: 3, tier: 'bronze' });
    expect([owed(bank.id), owed(client.id)]).toEqual([2, 3]);
    expect(await balanceOf(worker.db, `claim:${client.id}`)).toBe(3);
    expect(await worker.book.verify()).toMatchObject({ ok: true });
  });

  it('is taken once, whatever it is brought with, at once and after a restart', async () => {
    await oweTo(worker, bank, 9);
    const same = voucher();
    await Promise.all([bring(same, same), bring(same)]);
    expect([owed(bank.id), owed(client.id)]).toEqual([6, 3]);
    await reopen();
    await bring(same);
    await bring(same); // and what was known from before is known from now on
    expect([owed(bank.id), owed(client.id)]).toEqual([6, 3]);
    expect(await bring(voucher())).toMatchObject({ funds: 'claim' });
  });

  it.each<[string, Partial<VoucherBody>]>([
    ['of less than nothing', { credits: -3 }],
    ['of nothing', { credits: 0 }],
    ['of a part of a credit', { credits: 0.5 }],
    ['of more than its signer is owed', { credits: 6 }],
    ['that is over', { expires: NOON - 200_000 }],
    ['to another', { client: testIdentity(23).id }],
  ])('%s moves nothing and leaves nothing: the request is served as a gift', async (_, over) => {
    await oweTo(worker, bank, 5);
    const before = await booked();
    expect(await bring(voucher(over))).toMatchObject({ funds: 'gift' });
    expect([owed(bank.id), owed(client.id), await booked()]).toEqual([5, 0, before]);
  });

  it('is taken only if it pays for the request: what ends in NO_CREDIT uses up nothing', async () => {
    await oweTo(worker, bank, 5);
    const before = await booked();
    const vouchers = [voucher({ credits: 2 }), voucher({ credits: 3 })];
    const dear = { requestId: nextRequestId(), client: client.id, host: HOST, maxTokens: 256 * 30 };
    for (const kind of ['claim', 'word'] as const) {
      const said = [...vouchers, voucher({ kind, credits: 1 })];
      await expect(worker.book.worker.fund({ ...dear, vouchers: said })).rejects.toMatchObject({ code: 'NO_CREDIT' });
    }
    expect([owed(bank.id), owed(client.id), await booked()]).toEqual([5, 0, before]);
    expect(await bring(...vouchers)).toMatchObject({ funds: 'claim' }); // they are as good as before
    expect([owed(bank.id), owed(client.id)]).toEqual([0, 5]);
  });

  it('is not taken with another that was taken before, if they were to pay together', async () => {
    await oweTo(worker, bank, 9);
    const [first, second] = [voucher({ credits: 3 }), voucher({ credits: 1 })];
    await bring(first);
    await reopen();
    const dear = { requestId: nextRequestId(), client: client.id, host: HOST, maxTokens: 256 * 6 };
    await worker.book.worker.fund({ ...dear, vouchers: [first, second] });
    expect([owed(bank.id), owed(client.id)]).toEqual([6, 3]);
  });

  it('by word is not used up for one that has served the worker', async () => {
    await oweTo(worker, bank, 2);
    await oweTo(worker, client, 1);
    const before = await booked();
    expect(await bring(voucher({ kind: 'word' }))).toMatchObject({ funds: 'gift' });
    expect(await booked()).toBe(before);
  });

  it('beyond the third is not looked at', async () => {
    await oweTo(worker, bank, 9);
    await bring(...Array.from({ length: 5 }, () => voucher({ credits: 1 })));
    expect([owed(bank.id), owed(client.id)]).toEqual([6, 3]);
  });

  it('by word puts a gift before others, where it says enough and the client is a stranger', async () => {
    await oweTo(worker, bank, 2);
    const word = (credits: number) => voucher({ kind: 'word', credits });
    expect(await bring(word(2))).toMatchObject({ funds: 'gift' });
    expect(await bring(word(2), word(1))).toMatchObject({ funds: 'word', tier: 'bronze' });
    expect([owed(bank.id), owed(client.id)]).toEqual([2, 0]);
    expect(await bring(word(3))).toMatchObject({ funds: 'word' });
    expect(await bring(word(3))).toMatchObject({ funds: 'gift' }); // ten were good for its two
    await reopen();
    expect(await bring(word(3))).toMatchObject({ funds: 'gift' });
    await oweTo(worker, client, 1);
    expect(await bring(word(1))).toMatchObject({ funds: 'gift' });
    expect(await worker.book.verify()).toMatchObject({ ok: true });
  });
});

describe('a voucher that a node signs', () => {
  beforeEach(() => serveTo(worker, testIdentity(24), 12));

  const vouch = (kind: VoucherBody['kind'], credits: number, to = testIdentity(24).id) =>
    worker.book.vouchers.vouch({ kind, worker: to, client: client.id, credits });

  it('is drawn from what it owes the client, before it is let go, and for good', async () => {
    await oweTo(worker, client, 5);
    const signed = await vouch('claim', 3);
    expect(signed?.body).toMatchObject({ by: worker.identity.id, client: client.id, credits: 3, kind: 'claim' });
    expect(signed && verify(worker.identity.id, voucherBytes(signed.body), signed.sig)).toBe(true);
    await reopen();
    expect([owed(client.id), await balanceOf(worker.db, `vouched:${client.id}`)]).toEqual([2, 3]);
    expect(await vouch('claim', 3)).toBeUndefined();
    expect(await worker.book.verify()).toMatchObject({ ok: true });
  });

  it('signs over what the other worker owes it, and is for no more than that', async () => {
    const other = testIdentity(24).id;
    await oweTo(worker, client, 20);
    const signed = await Promise.all(Array.from({ length: 3 }, () => vouch('claim', 5)));
    expect(signed.filter((one) => one)).toHaveLength(2);
    expect([owed(client.id), worker.book.client.owedBy(other)]).toEqual([10, 2]);
    await reopen();
    expect([worker.book.client.owedBy(other), await balanceOf(worker.db, `owes:${other}`)]).toEqual([2, 2]);
    expect(await vouch('claim', 3)).toBeUndefined();
    expect(await vouch('claim', 2)).toBeDefined();
    expect(await worker.book.verify()).toMatchObject({ ok: true });
  });

  it('goes to nobody whom this node has not dealt with', async () => {
    await oweTo(worker, client, 5);
    const before = await booked();
    for (const kind of ['claim', 'word'] as const) expect(await vouch(kind, 1, 'f'.repeat(64))).toBeUndefined();
    expect([owed(client.id), await booked()]).toEqual([5, before]);
    await oweTo(worker, testIdentity(25), 1);
    expect(await vouch('word', 1, testIdentity(25).id)).toBeDefined();
  });

  it('is for what the client has served it itself, and never for what was moved to that', async () => {
    await oweTo(worker, bank, 5);
    await oweTo(worker, client, 1);
    await bring(voucher({ credits: 5 }));
    expect(owed(client.id)).toBe(6);
    expect(await vouch('claim', 2)).toBeUndefined();
    await reopen();
    expect(await vouch('claim', 2)).toBeUndefined();
    expect(await vouch('claim', 1)).toBeDefined();
    expect([owed(client.id), await balanceOf(worker.db, `moved:${client.id}`)]).toEqual([5, 5]);
    expect(await worker.book.verify()).toMatchObject({ ok: true });
    await worker.book.rebuild();
    expect(await vouch('claim', 1)).toBeUndefined();
  });

  it('is never for more than is owed, however many are asked for at once', async () => {
    await oweTo(worker, client, 5);
    const signed = await Promise.all(Array.from({ length: 4 }, () => vouch('claim', 2)));
    expect(signed.filter((one) => one)).toHaveLength(2);
    expect(owed(client.id)).toBe(1);
  });

  it('by word is for up to five times what the client has served it', async () => {
    await oweTo(worker, client, 2);
    expect(await vouch('word', 10)).toBeDefined();
    await reopen();
    expect(await vouch('word', 1)).toBeUndefined();
    expect(owed(client.id)).toBe(2);
  });

  it.each<[string, number, (() => string) | undefined]>([
    ['of less than nothing', -2, undefined],
    ['of a part of a credit', 0.5, undefined],
    ['to itself', 1, () => worker.identity.id],
    ['to the client', 1, () => client.id],
  ])('%s is not signed', async (_, credits, to) => {
    await oweTo(worker, client, 5);
    expect(await vouch('claim', credits, to?.())).toBeUndefined();
    expect(owed(client.id)).toBe(5);
  });
});
