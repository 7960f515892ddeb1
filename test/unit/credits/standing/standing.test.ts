import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Claims, tierOfClaim } from '../../../../src-main/credits/standing/claims.ts';
import { Debtors } from '../../../../src-main/credits/standing/debtors.ts';
import { Till } from '../../../../src-main/credits/standing/funding.ts';
import { Gifts } from '../../../../src-main/credits/standing/gifts.ts';
import {
  type BookTaken,
  VOUCHER_MS,
  VoucherBank,
  VoucherDesk,
} from '../../../../src-main/credits/standing/vouchers.ts';
import { type Voucher, type VoucherBody, type VouchWish, voucherBytes } from '../../../../src-main/credits/voucher.ts';

const NOW = Date.UTC(2026, 6, 1);
const DAY = 86_400_000;
const PREFIX = '203.0.113.0/24';

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

/** A ledger that is slow enough for others to come in between, and has everything written down. */
const book: BookTaken = async (taken) => ({ taken, known: new Set() });
const draw = (bank: VoucherBank, wish: VouchWish) => bank.draw(wish, async () => voucher(wish));
const wish = { kind: 'claim', worker: 'worker', client: 'client', credits: 1 } as const;

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

  it('that were moved to somebody do not make that one known or trusted, and are never vouched for', async () => {
    const claims = new Claims(new Map([['bank', { served: 4, drawn: 0, moved: 0, trusted: 0 }]]));
    expect(claims.move('bank', 'a', 5)).toBe(false);
    expect(claims.move('bank', 'a', 3)).toBe(true);
    expect([claims.free('bank'), claims.free('a')]).toEqual([1, 3]);
    expect([claims.knows('a'), claims.trusts('a', 1)]).toEqual([false, false]);
    const bank = new VoucherBank({ id: 'bank', claims, debtors: new Debtors(new Map([['worker', 9]])) });
    expect(await draw(bank, { ...wish, client: 'a' })).toBeUndefined();
    expect(claims.draw('a', 3)).toBe(true);
    expect([...claims.voices()]).toEqual(['bank']);
    expect(claims.draw('a', 1)).toBe(false);
    claims.earn('a', 5); // what it spent of what was moved to it counts as its own
    expect([claims.free('a'), claims.own('a')]).toEqual([5, 2]);
  });

  it('are weighed and added up as what each peer is owed says, whatever came before', () => {
    const peers = fc.constantFrom('a', 'b', 'c', 'd');
    const credits = fc.integer({ min: 1, max: 9 });
    const what = fc.constantFrom('earn', 'hold', 'end', 'draw', 'move', 'trust');
    const step = fc.record({ what, peer: peers, to: peers, credits, used: fc.nat({ max: 9 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const claims = new Claims(new Map([['a', { served: 9, drawn: 2, moved: 0, trusted: 40 }]]));
        const held: { peer: string; credits: number }[] = [];
        for (const { what, peer, to, credits, used } of steps) {
          if (what === 'earn') claims.earn(peer, credits);
          else if (what === 'draw') claims.draw(peer, credits);
          else if (what === 'trust') claims.trust(peer, credits);
          else if (what === 'move' && peer !== to) claims.move(peer, to, credits);
          else if (what === 'hold' && claims.hold(peer, credits)) held.push({ peer, credits });
          else if (what === 'end') {
            const ended = held.pop();
            if (ended) claims.settle(ended.peer, ended.credits, Math.min(used, ended.credits));
          }
        }
        const all = ['a', 'b', 'c', 'd'];
        expect(claims.total).toBe(all.reduce((sum, peer) => sum + claims.owed(peer), 0));
        const weighed = new Map([...claims.weighed()].map(({ peer, weight }) => [peer, weight]));
        for (const peer of all) {
          const isVoice = claims.free(peer) > 0 || claims.trusts(peer, 1);
          const weight = claims.own(peer) + (claims.knows(peer) ? 1 : 0);
          expect(weighed.get(peer)).toBe(isVoice ? weight : undefined);
        }
        expect([...weighed.keys()]).toEqual([...claims.voices()]);
      }),
    );
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
    expect(gifts.hold(PREFIX, 3, NOW)).toBe(true);
    expect(gifts.hold(PREFIX, 3, NOW)).toBe(false);
    expect(gifts.hold('198.51.100.0/24', 3, NOW)).toBe(true);
    gifts.settle(PREFIX, 3, 2, NOW);
    expect(gifts.level(PREFIX, NOW)).toBe(2);
    expect(gifts.hold(PREFIX, 3, NOW)).toBe(true);
    gifts.settle(PREFIX, 3, 3, NOW);
    expect(gifts.waitMs(PREFIX, 1, NOW)).toBe(DAY / 2);
    expect(gifts.hold(PREFIX, 1, NOW + DAY / 2 - 1)).toBe(false);
    expect(gifts.hold(PREFIX, 1, NOW + DAY / 2)).toBe(true);
    expect(gifts.level(PREFIX, NOW + 3 * DAY)).toBe(0);
  });

  it('never come to what is more than a network may have, nor where nothing is forgiven', () => {
    expect(new Gifts(rule).waitMs(PREFIX, 6, NOW)).toBeUndefined();
    expect(new Gifts({ most: 5, perDay: 0 }).waitMs(PREFIX, 5, NOW)).toBeUndefined();
  });

  it('are not forgiven by a clock that is set back', () => {
    const gifts = new Gifts(rule, [[PREFIX, { credits: 5, at: NOW }]]);
    expect(gifts.level(PREFIX, NOW - 10 * DAY)).toBe(5);
  });
});

describe('a voucher at its worker', () => {
  function desk(most = 20) {
    const claims = new Claims(new Map([['bank', { served: 4, drawn: 0, moved: 0, trusted: 0 }]]));
    const gifts = new Gifts({ most, perDay: 1 });
    const worker = new VoucherDesk({ worker: 'worker', claims, gifts, verify });
    const booked: Voucher[] = [];
    /** For a request of this price. @returns credits that are owed to the bank and to the client then */
    const take = async (price: number, ...vouchers: Voucher[]) => {
      const request = { client: 'client', prefix: PREFIX, credits: price };
      await worker.take(vouchers, request, NOW, (held, least) => {
        booked.push(...held);
        return book(held, least);
      });
      return [claims.free('bank'), claims.free('client')];
    };
    return { claims, worker, take, booked };
  }

  it('moves a claim, once: now and later, twice with one request and with two at once', async () => {
    const { take, worker } = desk();
    const same = voucher({ credits: 1 });
    await Promise.all([take(1, same, same), take(1, same)]);
    expect(await take(1, same)).toEqual([3, 1]);
    expect(worker.faultOf(voucher({ credits: 2 }), 'client', NOW)).toBe('used'); // by its serial
  });

  it('draws what the worker owes the one who signed it: nobody signs more', async () => {
    const { take } = desk();
    const other = (serial: number) => voucher({ credits: 3, serial: String(serial).padStart(32, '0') });
    expect(await take(1, other(1))).toEqual([1, 3]);
    expect(await take(1, other(2))).toEqual([1, 3]);
    const both = desk();
    expect(await both.take(1, other(1), other(2))).toEqual([1, 3]);
    expect(both.booked).toEqual([other(1)]);
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
  ])('%s is not taken', async (_, said, fault) => {
    const { claims, worker, take } = desk();
    expect(worker.faultOf(said, 'client', NOW)).toBe(fault);
    expect([...(await take(1, said)), claims.trusts('bank', 20)]).toEqual([4, 0, true]);
  });

  it('is taken with the others if they pay for the request together, and none of them otherwise', async () => {
    const { take } = desk(3);
    const said = [1, 2].map((credits) => voucher({ credits, serial: String(credits).padStart(32, '0') }));
    expect(await take(4, ...said)).toEqual([4, 0]);
    expect(await take(3, ...said)).toEqual([1, 3]); // they are as good as before
  });

  it('is as good as before where the books could not be written', async () => {
    const { worker, claims, take } = desk();
    const failing: BookTaken = () => Promise.reject(new Error('no room'));
    const request = { client: 'client', prefix: PREFIX, credits: 3 };
    await expect(worker.take([voucher()], request, NOW, failing)).rejects.toThrow('no room');
    expect(claims.free('bank')).toBe(4);
    expect(await take(3, voucher())).toEqual([1, 3]);
  });

  it('is still known as used as long as its time can come', async () => {
    const { worker, take } = desk();
    const late = voucher({ expires: NOW + VOUCHER_MS + 120_000, credits: 1 });
    expect(await take(1, late)).toEqual([3, 1]);
    expect(worker.faultOf(late, 'client', NOW + VOUCHER_MS + 239_999)).toBe('used');
    expect(worker.faultOf(late, 'client', NOW + VOUCHER_MS + 240_000)).toBe('expired');
  });

  it('by word uses up trust, and no claim', async () => {
    const { worker, claims, take } = desk();
    const word = (serial: number) => voucher({ kind: 'word', credits: 10, serial: String(serial).padStart(32, '0') });
    for (const serial of [1, 2]) expect(await take(10, word(serial))).toEqual([4, 0]);
    expect(worker.faultOf(word(3), 'client', NOW)).toBe('uncovered');
    expect([claims.trusts('bank', 1), claims.free('client')]).toEqual([false, 0]);
  });
});

describe('a voucher at the one who signs it', () => {
  function bank({ served = 5, owing = 12 } = {}) {
    const claims = new Claims(new Map([['client', { served, drawn: 0, moved: 0, trusted: 0 }]]));
    const debtors = new Debtors(new Map([['worker', owing]]));
    const signer = new VoucherBank({ id: 'bank', claims, debtors });
    const signed = async (...wishes: VouchWish[]) => {
      const vouchers = await Promise.all(wishes.map((each) => draw(signer, each)));
      return vouchers.map((one) => one !== undefined);
    };
    return { claims, debtors, signer, signed };
  }

  it('is drawn from what the client has served it, for good, however many are asked for at once', async () => {
    const { claims, debtors, signed } = bank();
    const three = { ...wish, credits: 3 };
    expect(await signed(three, three)).toEqual([true, false]);
    expect([claims.free('client'), debtors.of('worker')]).toEqual([2, 9]);
    expect(await signed(three, { ...wish, credits: 2 }, wish)).toEqual([false, true, false]);
    expect([claims.free('client'), debtors.of('worker')]).toEqual([0, 7]);
  });

  it('signs over what its worker owes it, once, however many are asked for at once', async () => {
    const { claims, debtors, signed } = bank({ served: 20, owing: 5 });
    const three = { ...wish, credits: 3 };
    expect(await signed(three, three, { ...wish, credits: 2 })).toEqual([true, false, true]);
    expect([claims.free('client'), debtors.of('worker')]).toEqual([15, 0]);
    expect(await signed(wish)).toEqual([false]);
  });

  it.each([
    ['where nothing could be signed', async () => undefined],
    ['where the books could not be written', () => Promise.reject(new Error('no room'))],
  ])('uses up nothing %s', async (_, sign) => {
    const { claims, debtors, signer, signed } = bank();
    for (const kind of ['claim', 'word'] as const) {
      await signer.draw({ ...wish, kind, credits: 5 }, sign).catch(({ message }) => expect(message).toBe('no room'));
    }
    expect([claims.free('client'), debtors.of('worker'), claims.trusts('client', 25)]).toEqual([5, 12, true]);
    expect(await signed({ ...wish, credits: 5 })).toEqual([true]);
  });

  it('by word uses up its trust in the client, and no claim', async () => {
    const { claims, signed } = bank({ served: 2 });
    const word = (credits: number, worker = 'worker') => ({ ...wish, kind: 'word', worker, credits }) as const;
    expect(await signed(word(10, 'nobody'), word(10), word(1))).toEqual([false, true, false]);
    expect(claims.free('client')).toBe(2);
  });

  it.each<[string, Partial<VouchWish>]>([
    ['of nothing', { credits: 0 }],
    ['of a part of a credit', { credits: 0.5 }],
    ['to itself', { worker: 'bank' }],
    ['to the client', { worker: 'client' }],
  ])('%s is not signed', async (_, over) => expect(await bank().signed({ ...wish, ...over })).toEqual([false]));
});

describe('a request', () => {
  const wish = { client: 'a', prefix: PREFIX, credits: 3, vouched: false };

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
    expect([claims.free('a'), gifts.level(PREFIX, NOW)]).toEqual([6, 0]);
  });

  it('is a gift to its network otherwise, as long as that has not had too many', () => {
    const { gifts, till: worker } = till();
    const funding = worker.fund(wish, NOW);
    expect(funding).toMatchObject({ funds: 'gift', tier: 'newcomer' });
    expect(worker.fund({ ...wish, client: 'b' }, NOW)).toBeUndefined();
    expect(worker.waitMs(wish, NOW)).toBe(DAY);
    if (funding) worker.settle(funding, 0, NOW);
    expect(gifts.level(PREFIX, NOW)).toBe(0);
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
    readonly debtors = new Debtors();
    readonly bank: VoucherBank;
    readonly desk: VoucherDesk;
    readonly till: Till;
    constructor(id: string) {
      const gifts = new Gifts(RULE);
      this.bank = new VoucherBank({ id, claims: this.claims, debtors: this.debtors });
      this.desk = new VoucherDesk({ worker: id, claims: this.claims, gifts, verify });
      this.till = new Till(this.claims, gifts);
    }

    /** Whatever it costs, it is brought: what would not be taken for a dear request is brought for a cheap one. */
    async bring(vouchers: readonly Voucher[], credits: number): Promise<void> {
      for (const said of vouchers) {
        await this.desk.take([said], { client: said.body.client, prefix: 'n0', credits }, NOW, book);
      }
    }
  }

  interface Step {
    do: 'serve' | 'ask' | 'vouch' | 'repeat';
    /** The worker. */
    node: number;
    /** Who has served it, or signs. */
    by: number;
    /** Who asks, or for whom is signed. */
    to: number;
    kind: VoucherBody['kind'];
    credits: number;
    used: number;
    prefix: string;
  }

  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('serve', 'ask', 'vouch', 'vouch', 'repeat'),
    node: fc.nat(HONEST.length - 1),
    by: fc.nat(HONEST.length + HOSTILE.length - 1),
    to: fc.nat(HONEST.length + HOSTILE.length - 1),
    kind: fc.constantFrom('claim' as const, 'word' as const),
    credits: fc.integer({ min: 1, max: 6 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    prefix: fc.constantFrom('n0', 'n1'),
  });

  const [h0, h1, x0, x1] = [0, 1, HONEST.length, HONEST.length + 1] as const;
  const common = { to: x0, kind: 'claim', credits: 3, used: 0, prefix: 'n0' } as const;
  const served = (node: number, by: number, credits = 3): Step => ({ ...common, do: 'serve', node, by, credits });
  const vouched = (node: number, by: number, to: number): Step => ({ ...common, do: 'vouch', node, by, to });
  /** Where each of these shows at once: the draw at the one who signs, what it sets aside meanwhile, «once», the draw at the worker. */
  const known: [Step[]][] = [
    [[served(h0, x0), served(h1, h0, 9), vouched(h1, h0, x0)]],
    [[served(h0, x0), vouched(h0, x0, x1)]],
    [[served(h0, x0), served(h1, x0), vouched(h0, x0, x1), vouched(h1, x0, x1)]],
  ];

  it('what they are served for their claims is no more than they have served, and what they are given no more than their networks may have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
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
            nodes.get(by)?.debtors.served(worker, each.credits);
            if (HOSTILE.includes(by)) sums.served += each.credits;
          }
          if (each.do === 'vouch' && by !== worker) {
            const { kind, credits } = each;
            // Twice at once; an honest node signs what it may.
            const wishes = [0, 1].map((time) => {
              const serial = String(2 * index + time).padStart(32, '0');
              const said = voucher({ kind, by, worker, client, credits, serial });
              return nodes.get(by)?.bank.draw(said.body, async () => said) ?? said;
            });
            const signed = (await Promise.all(wishes)).filter((said) => said !== undefined);
            vouchers.push(...signed);
            await node.bring(signed, credits);
          }
          if (each.do === 'repeat') await node.bring(vouchers, 1);
          if (each.do === 'ask' && client !== worker) {
            const { credits, prefix } = each;
            const funding = node.till.fund({ client, prefix, credits, vouched: each.kind === 'word' }, NOW);
            const used = Math.round(each.used * credits);
            if (funding) node.till.settle(funding, used, NOW);
            if (funding?.funds === 'claim' && isHostile) sums.paid += used;
            else if (funding && funding.funds !== 'claim') sums.given += used;
          }
        }
        // At last they bring every voucher once more, and spend whatever they are said to be owed.
        for (const node of nodes.values()) {
          await node.bring(vouchers, 1);
          for (const client of HOSTILE) sums.paid += Math.max(0, node.claims.free(client));
        }
        expect(sums.paid).toBeLessThanOrEqual(sums.served);
        expect(sums.given).toBeLessThanOrEqual(HONEST.length * 2 * RULE.most);
      }),
      { numRuns: 1_000, examples: known },
    );
  });
});
