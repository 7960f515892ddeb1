import { greatest } from '../../base/greatest.ts';
import type { SeededRandom } from '../../base/seeded-random.ts';
import type { Funding } from '../../credits/credits.ts';
import { Claims } from '../../credits/standing/claims.ts';
import { Debtors } from '../../credits/standing/debtors.ts';
import { Till } from '../../credits/standing/funding.ts';
import { type GiftRule, Gifts } from '../../credits/standing/gifts.ts';
import { type BookTaken, VOUCHER_MS, VoucherBank, VoucherDesk } from '../../credits/standing/vouchers.ts';
import { MAX_VOUCHERS, type Voucher, type VouchWish, voucherBytes } from '../../credits/voucher.ts';
import { Experience } from '../../mesh/asking/experience.ts';
import { meansFor, type Prospect, type Way } from '../../mesh/asking/means.ts';
import { isIdle, type SelfReport } from '../../mesh/asking/selection.ts';
import { NewcomerLine } from '../../mesh/serving/queue/newcomer-line.ts';
import { RequestQueue } from '../../mesh/serving/queue/queue.ts';
import { type Identity, verify } from '../../mesh/transport/identity.ts';
import { MODEL, QUEUE_CAPACITY } from './actors.ts';

/** How much a trader asks, beside what it serves. */
export type Habit = 'earner' | 'even' | 'light' | 'hostile';

/** One request on its way. Times are virtual milliseconds. */
export interface TradeRequest {
  id: string;
  client: Trader;
  /** The key that asks: an attacker has many. */
  key: string;
  askedAt: number;
  tokens: number;
  cost: number;
  tried: Set<string>;
  sentAt: number;
  selfReport: SelfReport | undefined;
  /** Its client has never served the worker. */
  atStranger: boolean;
  /** What its client brings along. */
  vouchers: readonly Voucher[];
}

/** What a worker has begun. */
export interface TradeWork {
  request: TradeRequest;
  funding: Funding;
}

/** Milliseconds that a client goes by the list of those whose vouchers a worker takes. */
const TERMS_MS = 20_000;

/** Without a ledger: what is set aside is taken. */
const bookAll: BookTaken = async (taken) => ({ taken, known: NONE });
const NONE: ReadonlySet<Voucher> = new Set();

/** A node that serves and asks: the real books of claims, gifts and vouchers, the real queues and the real experience around an engine that is a clock. */
export class Trader {
  readonly id: string;
  readonly habit: Habit;
  readonly prefix: string;
  readonly parallel: number;
  readonly tokensPerSecond: number;
  readonly rttMs: number;
  readonly serves: boolean;
  readonly queue = new RequestQueue<TradeWork>({ capacity: QUEUE_CAPACITY });
  readonly newcomers: NewcomerLine<TradeWork>;
  readonly running = new Set<TradeWork>();
  readonly experience = new Experience();
  readonly claims = new Claims();
  readonly gifts: Gifts;
  readonly till: Till;
  readonly bank: VoucherBank;
  readonly desk: VoucherDesk;
  readonly debtors = new Debtors();
  /** Until when workers give its prefix nothing more, by their own word. */
  readonly noGifts = new Map<string, number>();
  /** What it has brought a worker last: a hostile one brings it again. */
  readonly brought = new Map<string, readonly Voucher[]>();
  /** Those it is connected to. */
  readonly links: Trader[] = [];
  /** Credits that it has served honest others, and had from anybody. */
  served = 0;
  had = 0;
  /** Requests of it that nobody served. */
  refusals = 0;
  readonly #identity: Identity;
  readonly #terms = new Map<string, { at: number; ways: string[] }>();
  /** By worker. */
  readonly #kept = new Map<string, Voucher[]>();
  #selfReport: SelfReport | undefined;
  #serial = 0;

  constructor(options: {
    identity: Identity;
    prefix: string;
    habit: Habit;
    serves: boolean;
    rule: GiftRule;
    random: SeededRandom;
    now: () => number;
  }) {
    const { identity, prefix, habit, serves, rule, now } = options;
    const { uniform } = options.random;
    this.#identity = identity;
    this.id = identity.id;
    this.prefix = prefix;
    this.habit = habit;
    this.serves = serves;
    this.parallel = 2 ** Math.floor(3 * uniform());
    this.tokensPerSecond = 15 * 2 ** (2 * uniform());
    this.rttMs = 5 + 195 * uniform();
    this.gifts = new Gifts(rule);
    this.newcomers = new NewcomerLine({ given: (prefix) => this.gifts.level(prefix, now()), now: now() });
    this.till = new Till(this.claims, this.gifts);
    this.bank = new VoucherBank({ id: this.id, claims: this.claims, debtors: this.debtors });
    this.desk = new VoucherDesk({ worker: this.id, claims: this.claims, gifts: this.gifts, verify });
  }

  get isHostile(): boolean {
    return this.habit === 'hostile';
  }

  /** It has served honest others at least as much as it had. */
  get isEarner(): boolean {
    return this.served > 0 && this.served >= this.had;
  }

  /** What it says of itself. It is asked for by everybody, all the time: so it is made anew only when something has changed. */
  get selfReport(): SelfReport {
    const [waiting, running] = [this.queue.size + this.newcomers.size, this.running.size];
    const said = this.#selfReport?.queue;
    if (this.#selfReport && said?.waiting === waiting && said.running === running) return this.#selfReport;
    const busy = running / this.parallel;
    this.#selfReport = {
      ready: this.serves,
      health: { score: Math.round(100 - 40 * busy), state: busy < 1 ? 'idle' : 'light', capacity: 100 },
      queue: { waiting, running, parallel: this.parallel, capacity: QUEUE_CAPACITY },
      models: [MODEL],
    };
    return this.#selfReport;
  }

  /** Milliseconds that the engine needs. */
  serviceMs({ tokens }: Pick<TradeRequest, 'tokens'>): number {
    return 300 + (tokens * 1_000) / this.tokensPerSecond;
  }

  /** Whom it would ask for vouchers to the worker, by the list that it last got. */
  waysTo(worker: Trader, now: number): Way[] {
    return this.#voices(worker, now).map((id) => ({ id, owed: this.debtors.of(id) }));
  }

  /** How it expects a request of one of its keys to be served. */
  prospect(worker: Trader, key: string, cost: number, now: number): Prospect {
    const idle = isIdle(worker.selfReport.queue);
    const owed = this.debtors.of(worker.id);
    if (owed >= cost) return { means: 'claim', free: idle };
    const gift = (this.noGifts.get(worker.id) ?? 0) <= now ? cost : 0;
    const means = meansFor(cost, { owed, gift, ways: this.waysTo(worker, now) });
    const isGift = means === 'gift' || means === 'word';
    const said = means === 'word' && worker.claims.knows(key) ? 'gift' : means;
    return { means: said, free: idle && !(isGift && worker.newcomers.waitMs(now) > 0) };
  }

  #voices(worker: Trader, now: number): string[] {
    const known = this.#terms.get(worker.id);
    if (known && known.at + TERMS_MS > now) return known.ways;
    const voices = [...worker.claims.voices()].filter((id) => id !== worker.id && this.debtors.knows(id));
    const ways = greatest(voices, MAX_VOUCHERS, (id) => this.debtors.of(id));
    this.#terms.set(worker.id, { at: now, ways });
    return ways;
  }

  /** Vouches for a client, if it owes that enough and is owed enough itself. A hostile one signs anything. */
  async vouch(wish: VouchWish, now: number): Promise<Voucher | undefined> {
    if (this.isHostile) return this.#sign(wish, now);
    return await this.bank.draw(wish, async () => this.#sign(wish, now));
  }

  /** Takes what a request brings, and sets its price aside. @returns undefined when there is nothing to pay it with */
  async fund({ client, key, cost, vouchers }: TradeRequest, now: number): Promise<Funding | undefined> {
    const wish = { client: key, prefix: client.prefix, credits: cost };
    const words = await this.desk.take(vouchers, wish, now, bookAll);
    return this.till.fund({ ...wish, vouched: words >= cost }, now);
  }

  /** Keeps vouchers that a worker has not been shown, for another time. */
  keep(worker: Trader, vouchers: readonly Voucher[]): void {
    const kept = [...this.keptFor(worker), ...vouchers].slice(-MAX_VOUCHERS);
    if (kept.length > 0) this.#kept.set(worker.id, kept);
  }

  keptFor(worker: Trader): readonly Voucher[] {
    return this.#kept.get(worker.id) ?? [];
  }

  /** What it has kept for a worker: it is handed out once. */
  takeKept(worker: Trader, now: number): Voucher[] {
    const kept = this.keptFor(worker);
    this.#kept.delete(worker.id);
    return kept.filter(({ body }) => body.expires > now);
  }

  /** Has another sign over what the worker owes that. Both write down what a voucher has moved, when it is signed. */
  async claimFrom(
    bank: Trader,
    { key, credits }: { key: string; credits: number },
    worker: Trader,
    now: number,
  ): Promise<Voucher[]> {
    const voucher = await bank.vouch({ kind: 'claim', client: key, worker: worker.id, credits }, now);
    if (!voucher) return [];
    this.debtors.spent(bank.id, credits);
    this.debtors.served(worker.id, credits);
    return [voucher];
  }

  /** The word of somebody whom the worker trusts. */
  async wordFrom(
    friends: readonly Trader[],
    { key, cost }: Pick<TradeRequest, 'key' | 'cost'>,
    worker: Trader,
    now: number,
  ): Promise<Voucher[]> {
    for (const friend of friends) {
      if (friend === worker || !worker.claims.trusts(friend.id, cost)) continue;
      const voucher = await friend.vouch({ kind: 'word', client: key, worker: worker.id, credits: cost }, now);
      if (voucher) return [voucher];
    }
    return [];
  }

  #sign({ kind, client, worker, credits }: VouchWish, now: number): Voucher {
    const serial = (this.#serial++).toString(16).padStart(32, '0');
    const body = { kind, by: this.id, worker, client, credits, serial, expires: now + VOUCHER_MS };
    return { body, sig: this.#identity.sign(voucherBytes(body)) };
  }
}
