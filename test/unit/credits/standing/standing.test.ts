import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Claims, tierOfClaim } from '../../../../src-main/credits/standing/claims.ts';
import { Till } from '../../../../src-main/credits/standing/funding.ts';
import { Gifts } from '../../../../src-main/credits/standing/gifts.ts';
import { drawVoucher, VOUCHER_MS, VoucherDesk } from '../../../../src-main/credits/standing/vouchers.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';

const NOW = Date.UTC(2026, 6, 1);
const DAY = 86_400_000;
const NETWORK = '203.0.113.0/24';

/** What only the owner of a key can make, as far as these tests go. */
const sign = (id: string, bytes: Uint8Array) => `${id} ${Buffer.from(bytes).toString('base64')}`;
const verify = (id: string, bytes: Uint8Array, sig: string) => sig === sign(id, bytes);

function voucher(body: Partial<VoucherBody> = {}, signer?: string): Voucher {
  const whole: VoucherBody = {
    kind: 'claim',
    by: 'bank',
    worker: 'worker',
    client: 'client',
    credits: 3,
    serial: '0'.repeat(32),
    expires: NOW + VOUCHER_MS,
    ...body,
  };
  return { body: whole, sig: sign(signer ?? whole.by, voucherBytes(whole)) };
}

describe('claims', () => {
  it('are what was served, and are spent once', () => {
    const claims = new Claims();
    expect(claims.hold('a', 1)).toBe(false);
    claims.earn('a', 5);
    expect(claims.hold('a', 3)).toBe(true);
    expect(claims.free('a')).toBe(2);
    expect(claims.hold('a', 3)).toBe(false);
    claims.settle('a', 3, 1);
    expect(claims.free('a')).toBe(4);
    expect(claims.draw('a', 5)).toBe(false);
    expect(claims.draw('a', 4)).toBe(true);
    expect(claims.knows('a')).toBe(true);
    expect([...claims.voices()]).toEqual(['a']); // by its word
    claims.trust('a', 25);
    expect([...claims.voices()]).toEqual([]);
  });

  it('that were moved to somebody do not make that one known or trusted, and are never vouched for', () => {
    const claims = new Claims([['bank', { served: 4, drawn: 0, moved: 0, trusted: 0 }]]);
    expect(claims.move('bank', 'a', 5)).toBe(false);
    expect(claims.move('bank', 'a', 3)).toBe(true);
    expect([claims.free('bank'), claims.free('a')]).toEqual([1, 3]);
    expect([claims.knows('a'), claims.trusts('a', 1)]).toEqual([false, false]);
    expect(drawVoucher(claims, { kind: 'claim', client: 'a', credits: 1 })).toBe(false);
    expect(claims.draw('a', 3)).toBe(true);
    expect([...claims.voices()]).toEqual(['bank']);
    expect(claims.draw('a', 1)).toBe(false);
    claims.earn('a', 5); // what it spent of what was moved to it counts as its own
    expect([claims.free('a'), claims.own('a')]).toEqual([5, 2]);
  });

  it('let a word count from 2 credits served on, for five times as many', () => {
    const claims = new Claims();
    claims.earn('a', 1);
    expect(claims.trusts('a', 1)).toBe(false);
    claims.earn('a', 1);
    expect([claims.trusts('a', 10), claims.trusts('a', 11)]).toEqual([true, false]);
    claims.trust('a', 8);
    expect([claims.trusts('a', 2), claims.trusts('a', 3)]).toEqual([true, false]);
  });

  it.each([
    [0, 'newcomer'],
    [1, 'bronze'],
    [7, 'bronze'],
    [8, 'silver'],
    [511, 'platinum'],
    [2_048, 'master'],
  ])('of %i credits stand for %s', (credits, tier) => expect(tierOfClaim(credits)).toBe(tier));
});

describe('gifts', () => {
  const rule = { most: 5, perDay: 2 };

  it('go to a network, whatever its keys, and come back with time', () => {
    const gifts = new Gifts(rule);
    expect(gifts.hold(NETWORK, 3, NOW)).toBe(true);
    expect(gifts.hold(NETWORK, 3, NOW)).toBe(false);
    expect(gifts.hold('198.51.100.0/24', 3, NOW)).toBe(true);
    gifts.settle(NETWORK, 3, 2, NOW);
    expect(gifts.level(NETWORK, NOW)).toBe(2);
    expect(gifts.hold(NETWORK, 3, NOW)).toBe(true);
    gifts.settle(NETWORK, 3, 3, NOW);
    expect(gifts.waitMs(NETWORK, 1, NOW)).toBe(DAY / 2);
    expect(gifts.hold(NETWORK, 1, NOW + DAY / 2 - 1)).toBe(false);
    expect(gifts.hold(NETWORK, 1, NOW + DAY / 2)).toBe(true);
    expect(gifts.level(NETWORK, NOW + 3 * DAY)).toBe(0);
  });

  it('never come to what is more than a network may have, nor where nothing is forgiven', () => {
    expect(new Gifts(rule).waitMs(NETWORK, 6, NOW)).toBeUndefined();
    expect(new Gifts({ most: 5, perDay: 0 }).waitMs(NETWORK, 5, NOW)).toBeUndefined();
  });

  it('are not forgiven by a clock that is set back', () => {
    const gifts = new Gifts(rule, [[NETWORK, { credits: 5, at: NOW }]]);
    expect(gifts.level(NETWORK, NOW - 10 * DAY)).toBe(5);
  });
});

describe('a voucher', () => {
  function desk() {
    const claims = new Claims([['bank', { served: 4, drawn: 0, moved: 0, trusted: 0 }]]);
    return { claims, desk: new VoucherDesk({ worker: 'worker', claims, verify }) };
  }

  it('moves a claim, once', () => {
    const { claims, desk: worker } = desk();
    expect(worker.take(voucher(), 'client', NOW)).toBeUndefined();
    expect([claims.free('bank'), claims.free('client')]).toEqual([1, 3]);
    expect(worker.take(voucher(), 'client', NOW)).toBe('used');
    expect(worker.take(voucher({ credits: 1 }), 'client', NOW)).toBe('used');
    expect([claims.free('bank'), claims.free('client')]).toEqual([1, 3]);
  });

  it.each([
    ['for another worker', voucher({ worker: 'other' }), 'party'],
    ['for another client', voucher({ client: 'other' }), 'party'],
    ['of the client itself', voucher({ by: 'client' }), 'party'],
    ['that is over', voucher({ expires: NOW - 120_000 }), 'expired'],
    ['that is never over', voucher({ expires: NOW + VOUCHER_MS + 120_001 }), 'expired'],
    ['of one who is owed less', voucher({ credits: 5 }), 'uncovered'],
    ['of one who never served', voucher({ by: 'nobody' }), 'uncovered'],
    ['by word of one who never served', voucher({ kind: 'word', by: 'nobody' }), 'uncovered'],
    ['that somebody else has signed', voucher({}, 'client'), 'signature'],
    ['whose sum was changed', { ...voucher(), body: { ...voucher().body, credits: 4 } }, 'signature'],
  ])('%s is not taken', (_, said, fault) => {
    const { claims, desk: worker } = desk();
    expect(worker.take(said, 'client', NOW)).toBe(fault);
    expect([claims.free('bank'), claims.free('client'), claims.trusts('bank', 20)]).toEqual([4, 0, true]);
  });

  it('is still known as used as long as its time can come', () => {
    const { desk: worker } = desk();
    const late = voucher({ expires: NOW + VOUCHER_MS + 120_000, credits: 1 });
    expect(worker.take(late, 'client', NOW)).toBeUndefined();
    expect(worker.take(late, 'client', NOW + VOUCHER_MS + 239_999)).toBe('used');
    expect(worker.take(late, 'client', NOW + VOUCHER_MS + 240_000)).toBe('expired');
  });

  it('by word uses up trust on both sides, and no claim', () => {
    const { claims, desk: worker } = desk();
    const word = (serial: number) => voucher({ kind: 'word', credits: 10, serial: String(serial).padStart(32, '0') });
    expect([1, 2, 3].map((serial) => worker.take(word(serial), 'client', NOW))).toEqual([
      undefined,
      undefined,
      'uncovered',
    ]);
    expect([claims.free('bank'), claims.free('client')]).toEqual([4, 0]);

    const bank = new Claims([['client', { served: 2, drawn: 2, moved: 0, trusted: 0 }]]);
    expect(drawVoucher(bank, { kind: 'claim', client: 'client', credits: 1 })).toBe(false);
    expect(drawVoucher(bank, { kind: 'word', client: 'client', credits: 10 })).toBe(true);
    expect(drawVoucher(bank, { kind: 'word', client: 'client', credits: 1 })).toBe(false);
  });
});

describe('a request', () => {
  const wish = { client: 'a', network: NETWORK, credits: 3, vouched: false };

  function till() {
    const claims = new Claims();
    const gifts = new Gifts({ most: 5, perDay: 1 });
    return { claims, gifts, till: new Till(claims, gifts) };
  }

  it('is paid by a claim where there is one, and ranked by it', () => {
    const { claims, gifts, till: worker } = till();
    claims.earn('a', 8);
    const funding = worker.fund(wish, NOW);
    expect(funding).toMatchObject({ funds: 'claim', tier: 'silver' });
    if (funding) worker.settle(funding, 2, NOW);
    expect([claims.free('a'), gifts.level(NETWORK, NOW)]).toEqual([6, 0]);
  });

  it('is a gift to its network otherwise, as long as that has not had too many', () => {
    const { gifts, till: worker } = till();
    const funding = worker.fund(wish, NOW);
    expect(funding).toMatchObject({ funds: 'gift', tier: 'newcomer' });
    expect(worker.fund({ ...wish, client: 'b' }, NOW)).toBeUndefined();
    expect(worker.waitMs(wish, NOW)).toBe(DAY);
    if (funding) worker.settle(funding, 0, NOW);
    expect(gifts.level(NETWORK, NOW)).toBe(0);
    expect(worker.fund({ ...wish, client: 'b', vouched: true }, NOW)).toMatchObject({ funds: 'word', tier: 'bronze' });
  });

  it('of one that has served here is judged by that, whoever gives a word for it', () => {
    const { claims, till: worker } = till();
    claims.earn('a', 1);
    expect(worker.fund({ ...wish, vouched: true }, NOW)).toMatchObject({ funds: 'gift', tier: 'newcomer' });
  });
});

/** Honest nodes that follow the rule, and hostile keys that sign, repeat and spend whatever they like. */
describe('whatever hostile keys do', () => {
  const HONEST = ['h0', 'h1', 'h2'];
  const HOSTILE = ['x0', 'x1', 'x2', 'x3'];
  const RULE = { most: 4, perDay: 0 };

  class Node {
    readonly claims = new Claims();
    readonly desk: VoucherDesk;
    readonly till: Till;
    constructor(id: string) {
      this.desk = new VoucherDesk({ worker: id, claims: this.claims, verify });
      this.till = new Till(this.claims, new Gifts(RULE));
    }
  }

  const step = fc.record({
    do: fc.constantFrom('serve', 'ask', 'vouch', 'vouch', 'repeat'),
    node: fc.nat(HONEST.length - 1),
    by: fc.nat(HONEST.length + HOSTILE.length - 1),
    to: fc.nat(HONEST.length + HOSTILE.length - 1),
    kind: fc.constantFrom('claim' as const, 'word' as const),
    credits: fc.integer({ min: 1, max: 6 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    network: fc.constantFrom('n0', 'n1'),
  });

  it('what they are served for their claims is no more than they have served, and what they are given no more than their networks may have', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const nodes = new Map(HONEST.map((id) => [id, new Node(id)]));
        const all = [...HONEST, ...HOSTILE];
        const vouchers: Voucher[] = [];
        const sums = { served: 0, paid: 0, given: 0 };
        for (const [index, each] of steps.entries()) {
          const worker = HONEST[each.node] as string;
          const node = nodes.get(worker) as Node;
          const by = all[each.by] as string;
          const client = all[each.to] as string;
          const isHostile = HOSTILE.includes(client);
          if (each.do === 'serve' && by !== worker) {
            node.claims.earn(by, each.credits);
            if (HOSTILE.includes(by)) sums.served += each.credits;
          }
          if (each.do === 'vouch' && by !== worker) {
            const { kind, credits } = each;
            const said = voucher({ kind, by, worker, client, credits, serial: String(index).padStart(32, '0') });
            const bank = nodes.get(by);
            if (bank && !drawVoucher(bank.claims, said.body)) continue; // an honest node does not sign it then
            vouchers.push(said);
            node.desk.take(said, client, NOW);
          }
          if (each.do === 'repeat') for (const old of vouchers) node.desk.take(old, old.body.client, NOW);
          if (each.do === 'ask' && client !== worker) {
            const { credits, network } = each;
            const funding = node.till.fund({ client, network, credits, vouched: each.kind === 'word' }, NOW);
            const used = Math.round(each.used * credits);
            if (funding) node.till.settle(funding, used, NOW);
            if (funding?.funds === 'claim' && isHostile) sums.paid += used;
            else if (funding && funding.funds !== 'claim') sums.given += used;
          }
        }
        // At last they bring every voucher once more, and spend whatever they are said to be owed.
        for (const [id, node] of nodes) {
          for (const old of vouchers) if (old.body.worker === id) node.desk.take(old, old.body.client, NOW);
          for (const client of HOSTILE) sums.paid += Math.max(0, node.claims.free(client));
        }
        expect(sums.paid).toBeLessThanOrEqual(sums.served);
        expect(sums.given).toBeLessThanOrEqual(HONEST.length * 2 * RULE.most);
      }),
      { numRuns: 1_000 },
    );
  });
});
