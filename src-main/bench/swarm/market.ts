import { type SeededRandom, seededRandom } from '../../base/seeded-random.ts';
import { costOf } from '../../credits/price.ts';
import type { GiftRule } from '../../credits/standing/gifts.ts';
import { MAX_VOUCHERS, sumOf, type Voucher } from '../../credits/voucher.ts';
import { sharesOf } from '../../mesh/asking/means.ts';
import { claimedOf, selectWorker } from '../../mesh/asking/selection.ts';
import { demandOf, lengthMs, populate } from './demand.ts';
import { Gang, type MarketAttack } from './gang.ts';
import type { TradeRequest, Trader, TradeWork } from './traders.ts';
import { START, VirtualTime } from './virtual-time.ts';

export interface MarketOptions {
  nodes: number;
  /** Of them. */
  hostile: number;
  /** Networks that the hostile nodes come from. */
  prefixes: number;
  /** What honest nodes ask in all. */
  requests: number;
  seed: number;
  /** Default: the hostile nodes are not there. */
  attack?: MarketAttack;
}

/** What came of it. Milliseconds are virtual, amounts are credits. */
export interface MarketResult {
  asked: number;
  answered: number;
  refused: number;
  earnersAsked: number;
  earnersRefused: number;
  /** Requests of earners at workers that they had never served, and those of them that came before newcomers. */
  atStrangers: number;
  preferred: number;
  /** From asking to the answer's end. */
  earnersMs: number[];
  allMs: number[];
  hostileServed: number;
  hostilePaid: number;
  /** What honest nodes still owe them at the end. */
  hostileLeft: number;
  /** Credits of honest nodes that were let go beyond what they owed the one that had them. */
  overdrawn: number;
  /** Engine time of honest workers that went to hostile nodes without their having served for it, and all that there was. */
  takenMs: number;
  capacityMs: number;
}

/** Gifts of a run stand for those of 24 days: so long takes one of the run's days. */
const DAYS = 24;
const GIFTS: GiftRule = { most: 5, perDay: 0.1 };
/** A client whom nobody serves looks again later; in all it looks so long. */
const LOOK_AGAIN_MS = 3_000;
const FIND_WORKER_MS = 30_000;

/** A mesh in virtual time in which everybody serves and asks, and some only take: what is owed and given is decided by the real code. */
export class Market {
  readonly #options: MarketOptions;
  readonly #random: SeededRandom;
  readonly #traders: readonly Trader[];
  readonly #byId: ReadonlyMap<string, Trader>;
  readonly #hostile: readonly Trader[];
  readonly #gang: Gang;
  readonly #time = new VirtualTime();
  readonly #result: MarketResult = {
    asked: 0,
    answered: 0,
    refused: 0,
    earnersAsked: 0,
    earnersRefused: 0,
    atStrangers: 0,
    preferred: 0,
    earnersMs: [],
    allMs: [],
    hostileServed: 0,
    hostilePaid: 0,
    hostileLeft: 0,
    overdrawn: 0,
    takenMs: 0,
    capacityMs: 0,
  };
  /** Standing has to be earned first: nobody has any at the start. */
  readonly #warmUntil: number;
  #count = 0;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    const runMs = lengthMs(options);
    this.#warmUntil = START + runMs / 5;
    const rule = { most: GIFTS.most, perDay: GIFTS.perDay * ((86_400_000 * DAYS) / runMs) };
    const [random, time, { attack }] = [this.#random, this.#time, options];
    const now = () => time.now;
    this.#traders = populate({ ...options, allServe: attack === 'collude', rule, random, now });
    this.#byId = new Map(this.#traders.map((trader) => [trader.id, trader]));
    this.#hostile = this.#traders.filter(({ isHostile }) => isHostile);
    this.#gang = new Gang({ attack, members: this.#hostile, byId: this.#byId, random, time });
  }

  async run(signal?: AbortSignal): Promise<MarketResult> {
    this.#scheduleDemand();
    await this.#time.run(signal);
    for (const { isHostile, claims } of this.#traders) if (!isHostile) this.#countOwed(claims.list());
    return this.#result;
  }

  #countOwed(list: readonly { peer: string; owed: number }[]): void {
    for (const { peer, owed } of list) {
      this.#result.overdrawn += Math.max(0, -owed);
      if (this.#byId.get(peer)?.isHostile) this.#result.hostileLeft += Math.max(0, owed);
    }
  }

  #scheduleDemand(): void {
    const { attack, requests } = this.#options;
    const honest = this.#traders.filter(({ isHostile }) => !isHostile);
    const { asks, ms } = demandOf({ honest, hostile: attack ? this.#hostile : [], requests }, this.#random);
    for (const { client, at, tokens } of asks) this.#time.schedule(at, () => this.#begin(client, tokens));
    this.#result.capacityMs = ms * honest.reduce((sum, { parallel }) => sum + parallel, 0);
  }

  async #begin(client: Trader, tokens: number): Promise<void> {
    const id = String(this.#count++);
    const key = client.isHostile ? this.#gang.keyOf(client, this.#count) : client.id;
    const times = { askedAt: this.#time.now, sentAt: this.#time.now };
    const request = {
      id,
      client,
      key,
      tokens,
      cost: costOf({ completionTokens: tokens }),
      tried: new Set<string>(),
      selfReport: undefined,
    };
    if (!client.isHostile) {
      this.#result.asked++;
      if (client.isEarner) this.#result.earnersAsked++;
    }
    await this.#ask({ ...request, ...times, atStranger: false, vouchers: [] });
  }

  async #ask(request: TradeRequest): Promise<void> {
    const worker = this.#choose(request);
    if (!worker) {
      this.#later(request);
      return;
    }
    request.sentAt = this.#time.now;
    request.selfReport = worker.selfReport;
    request.atStranger = !worker.claims.knows(request.key);
    const { ms, vouchers } = await this.#gatherVouchers(request, worker);
    request.vouchers = vouchers;
    this.#time.schedule(this.#time.now + ms + worker.rttMs, () => this.#arrive(request, worker));
  }

  /** As the mesh client chooses. */
  #choose({ client, key, cost, tried }: TradeRequest): Trader | undefined {
    const { now } = this.#time;
    const candidates = client.links.filter(
      (worker) =>
        worker.serves && !tried.has(worker.id) && (!client.isHostile || this.#gang.wouldAsk(worker, client, cost)),
    );
    const prospect = (worker: Trader) => client.prospect(worker, key, cost, now);
    return selectWorker(
      candidates,
      { model: undefined, tried, prospect },
      client.experience,
      now,
      this.#random.uniform,
    );
  }

  /** As the mesh client does. @returns what is brought along, and how long it took to get it */
  async #gatherVouchers(request: TradeRequest, worker: Trader): Promise<{ ms: number; vouchers: readonly Voucher[] }> {
    const { client, key, cost } = request;
    if (client.isHostile) return { ms: 0, vouchers: await this.#gang.vouchers(request, worker) };
    const claims = client.takeKept(worker, this.#time.now);
    let ms = 0;
    for (const { by, credits } of sharesOf(this.#missing(request, worker), client.waysTo(worker, this.#time.now))) {
      const bank = this.#byId.get(by);
      if (!bank) continue;
      ms = Math.max(ms, bank.rttMs); // all are asked at once
      claims.push(...(await client.claimFrom(bank, { key, credits }, worker, this.#time.now)));
    }
    const brought = claims.slice(-MAX_VOUCHERS);
    if (this.#missing(request, worker) <= 0 || sumOf(brought) >= cost) return { ms, vouchers: brought };
    client.keep(worker, brought); // a worker takes none of them if they do not make the price
    if (worker.claims.knows(key)) return { ms, vouchers: [] };
    const friends = client.waysTo(worker, this.#time.now).flatMap(({ id }) => this.#byId.get(id) ?? []);
    return { ms, vouchers: await client.wordFrom(friends, { key, cost }, worker, this.#time.now) };
  }

  #missing({ client, cost }: TradeRequest, worker: Trader): number {
    return cost - client.debtors.of(worker.id);
  }

  #later(request: TradeRequest): void {
    const { client, askedAt, tried } = request;
    if (client.isHostile) {
      client.refusals++;
      return;
    }
    if (this.#time.now - askedAt > FIND_WORKER_MS) {
      this.#result.refused++;
      if (client.isEarner) this.#result.earnersRefused++;
      return;
    }
    tried.clear();
    this.#time.schedule(this.#time.now + LOOK_AGAIN_MS, () => this.#ask(request));
  }

  async #arrive(request: TradeRequest, worker: Trader): Promise<void> {
    const { client, key, cost, tried, id } = request;
    const funding = await worker.fund(request, this.#time.now);
    if (client.isHostile) this.#gang.hear(worker);
    try {
      if (!funding) throw new Error('no credit');
      const work = { request, funding };
      const { now } = this.#time;
      if (funding.funds === 'gift') worker.newcomers.add({ requestId: id, prefix: client.prefix, value: work }, now);
      else worker.queue.add({ requestId: id, client: key, tier: funding.tier, value: work }, this.#time.now);
      if (request.atStranger && client.isEarner && !client.isHostile && this.#time.now > this.#warmUntil) {
        this.#result.atStrangers++;
        if (funding.funds !== 'gift') this.#result.preferred++;
      }
    } catch {
      // Refused, as the real worker does: for want of credits or of room.
      if (funding) worker.till.settle(funding, 0, this.#time.now);
      if (!funding) {
        const wish = { prefix: client.prefix, credits: cost };
        client.noGifts.set(worker.id, this.#time.now + (worker.till.waitMs(wish, this.#time.now) ?? 0));
        client.debtors.correct(worker.id, worker.claims.free(key));
      }
      tried.add(worker.id);
      await this.#ask(request);
      return;
    }
    this.#serveNext(worker);
  }

  #serveNext(worker: Trader): void {
    while (worker.running.size < worker.parallel) {
      const work = worker.queue.take(this.#time.now)?.value ?? worker.newcomers.take(this.#time.now)?.value;
      if (!work) {
        if (worker.newcomers.size > 0) this.#time.schedule(this.#time.now + 1_000, () => this.#serveNext(worker));
        return;
      }
      worker.running.add(work);
      const startedAt = this.#time.now;
      const ms = worker.serviceMs(work.request);
      if (work.funding.funds === 'gift') worker.newcomers.used(ms, worker.parallel, this.#time.now);
      this.#time.schedule(this.#time.now + ms, () => this.#finish(worker, work, startedAt));
    }
  }

  async #finish(worker: Trader, work: TradeWork, startedAt: number): Promise<void> {
    const { request, funding } = work;
    const { client, cost, selfReport, sentAt, askedAt } = request;
    worker.running.delete(work);
    worker.till.settle(funding, cost, this.#time.now);
    if (funding.funds === 'claim') client.debtors.spent(worker.id, cost);
    if (client.isHostile) this.#countTaken(worker, work, this.#time.now - startedAt);
    else {
      // It countersigns: from now on it owes the worker.
      client.claims.earn(worker.id, cost);
      worker.debtors.served(client.id, cost);
      if (worker.isHostile) {
        await this.#gang.served(client, worker);
        this.#result.hostileServed += cost;
      }
      const queuedMs = startedAt - sentAt;
      const times = { queuedMs, firstTokenMs: queuedMs + 300, totalMs: this.#time.now - sentAt, tokensPerSecond: 0 };
      const result = { promptTokens: 0, cachedTokens: 0, completionTokens: request.tokens, ...times };
      const claimed = selfReport && claimedOf(selfReport, undefined);
      if (claimed) client.experience.answered(worker.id, claimed, result, this.#time.now);
      this.#result.answered++;
      this.#result.allMs.push(this.#time.now - askedAt);
      if (client.habit === 'earner') this.#result.earnersMs.push(this.#time.now - askedAt);
    }
    client.had += cost;
    if (!client.isHostile) worker.served += cost;
    this.#serveNext(worker);
  }

  #countTaken(worker: Trader, { request, funding }: TradeWork, ms: number): void {
    if (worker.isHostile) return;
    if (funding.funds === 'claim') this.#result.hostilePaid += request.cost;
    else this.#result.takenMs += ms;
  }
}
