import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Purchase } from '../../../../../src-main/store/market/market-rows.ts';
import { nextOf } from '../../../../../src-main/subnets/omega/market/rules/states.ts';
import { OMEGA_TERMS } from '../../../../../src-main/subnets/omega/market/rules/terms.ts';
import { ScriptedMarketChain } from '../../../../support/market-chain.ts';
import { listedOffer, openSales, PRICE } from '../../../../support/market-sales.ts';
import { ROUNDS } from '../../../../support/rounds.ts';

/** Whatever buyers, the clock and crashes do, in whatever order and at once: no video is sold to two, no money counts twice, and none is lost without a word. */
const BUYERS = ['ann', 'bob', 'cy'];
const VIDEOS = ['a', 'b'];
const MOST_FAILURES = OMEGA_TERMS.failures - 1;

const buyer = fc.constantFrom(...BUYERS);
const pick = fc.nat(50);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('lock' as const), buyer, video: fc.constantFrom(...VIDEOS) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('pay' as const), pick, wrong: fc.nat(6) }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('verify' as const), pick, claim: pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('revert' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('time' as const), minutes: fc.constantFrom(1, 7, 20, 1_500) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What is done at once. */
const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  pauses: fc.array(fc.nat(4), { maxLength: 12 }),
});

class World {
  readonly all: Awaited<ReturnType<typeof openSales>>;
  readonly claims: { block: number; extrinsic: string }[] = [];
  purchases: Purchase[] = [];
  #chain: ScriptedMarketChain;
  #sales;

  constructor(all: World['all']) {
    this.all = all;
    this.#chain = all.chain;
    this.#sales = all.sales;
  }

  async run({ steps, pauses }: { steps: Step[]; pauses: number[] }): Promise<void> {
    let at = 0;
    this.#chain.pause = async () => {
      for (let turns = pauses[at++ % (pauses.length || 1)] ?? 0; turns > 0; turns--) await new Promise(setImmediate);
    };
    await Promise.allSettled(steps.map((one) => this.#do(one)));
    await this.read();
  }

  async read(): Promise<void> {
    const of = BUYERS.map((one) => this.all.store.purchasesOf(`${one}-hot`, { limit: 10_000 }));
    this.purchases = (await Promise.all(of)).flat();
  }

  async #do(one: Step): Promise<unknown> {
    const { clock } = this.all;
    if (one.does === 'lock') return this.#sales.lock(`${one.buyer}-hot`, one.video, PRICE);
    if (one.does === 'crash') return this.#crash();
    if (one.does === 'time') {
      clock.now += one.minutes * 60_000;
      return this.#sales.endLapsed();
    }
    const purchase = this.purchases[one.pick % (this.purchases.length || 1)];
    if (!purchase) return undefined;
    if (one.does === 'revert') return this.#sales.revert(purchase.hotkey, purchase.id);
    if (one.does === 'pay') {
      const { buyer: from, seller: to } = purchase;
      const amount = one.wrong === 0 ? PRICE + 1n : PRICE;
      return this.claims.push(this.#chain.transfer({ from, to, amount }));
    }
    const claim = this.claims[one.claim % (this.claims.length || 1)];
    return claim && this.#sales.verify(purchase.hotkey, purchase.id, claim);
  }

  /** What is under way dies wherever it waits for the chain; another process goes on with the same database. */
  #crash(): void {
    const dead = this.#chain;
    dead.pause = () => Promise.reject(new Error('this process has died'));
    this.#chain = new ScriptedMarketChain();
    Object.assign(this.#chain, { transfers: dead.transfers, owners: dead.owners, block: dead.block });
    this.#sales = this.all.open(this.#chain);
  }

  /** Each that has no video yet says once more that it was paid, by each of its buyer's transfers. */
  async claimAll(): Promise<void> {
    this.#chain.pause = async () => {};
    for (const { hotkey, id } of this.purchases) {
      this.#sales = this.all.open(this.#chain); // one that remembers nobody who has told of nothing
      for (const claim of this.claims) {
        await this.#sales.verify(hotkey, id, claim).catch((error) => expect(error.code).toBe('PAYMENT'));
      }
    }
    await this.read();
  }
}

const counted = ({ state }: Purchase) => ['paid', 'owed', 'settled'].includes(state);

async function check(world: World): Promise<void> {
  const { purchases, all } = world;
  for (const video of VIDEOS) {
    const of = purchases.filter(({ offer }) => offer === video);
    const holders = of.filter(({ state }) => state === 'paid' || state === 'pending');
    expect(holders.length, 'has it, or is about to').toBeLessThanOrEqual(1);
    const expected = { paid: 'purchased', pending: 'purchasePending' }[holders[0]?.state as 'paid' | 'pending'];
    expect((await all.store.offer(video))?.state).toBe(expected ?? 'submitted');
    const isOwed = of.some(({ state }) => state === 'owed');
    expect(isOwed && holders.length === 0, 'free while somebody has paid for it').toBe(false);
  }
  const used = await all.db.selectFrom('used_payments').selectAll().execute();
  expect(used.map(({ for_order }) => for_order).sort()).toEqual(
    purchases
      .filter(counted)
      .map(({ id }) => `market ${id}`)
      .sort(),
  );
  for (const purchase of purchases) {
    expect(purchase.payment !== null).toBe(counted(purchase));
    if (!counted(purchase)) expect(nextOf(purchase.state)).toBe('verify');
  }
  for (const one of BUYERS) expect((await all.store.buyer(one)).failures).toBeLessThanOrEqual(MOST_FAILURES);
}

it(
  'holds whatever happens at once',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 14 }), async (rounds) => {
        const all = await openSales({ offers: VIDEOS.map((id) => listedOffer(id)), buyers: BUYERS });
        try {
          const world = new World(all);
          for (const one of rounds) {
            await world.run(one);
            await check(world);
          }
          await world.claimAll();
          await check(world);
        } finally {
          await all.close();
        }
      }),
      { numRuns: 60 * ROUNDS },
    );
  },
  120_000 * ROUNDS,
);
