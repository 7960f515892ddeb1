import { costOf } from '../credits/price.ts';
import type { GiftRule } from '../credits/standing/gifts.ts';
import { sharesOf } from '../mesh/asking/means.ts';
import { selectWorker } from '../mesh/asking/selection.ts';
import { type SeededRandom, seededRandom } from './made-models/seeded-random.ts';
import { swarmIdentity } from './swarm-population.ts';
import { type Habit, type TradeRequest, Trader, type TradeWork } from './swarm-traders.ts';
import { START, VirtualTime } from './virtual-time.ts';

/** What hostile nodes do. They ask three times as much as others, from few networks. */
export const MARKET_ATTACKS = {
  sybil: 'a new key for every request',
  whitewash: 'a new key whenever the old one is refused',
  freeride: 'one key, and nothing served',
  backdate: 'nothing served, and vouchers for services that were only written down',
  collude: 'some is really served, and every claim is signed over to each other, again and again',
};
export type MarketAttack = keyof typeof MARKET_ATTACKS;

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
  /** Engine time of honest workers that went to hostile nodes without their having served for it, and all that there was. */
  takenMs: number;
  capacityMs: number;
}

/** Demand in turns of a minute, as a share of what honest nodes can serve: 0.45 on average. */
const DEMAND = [0.3, 0.6];
const TURN_MS = 60_000;
/** How much a node asks, by habit. Of the honest, as many are of each. */
const WEIGHT: Record<Habit, number> = { earner: 0.5, even: 1, light: 1.5, hostile: 3 };
const HONEST: readonly Habit[] = ['earner', 'even', 'light'];
/** Connections that a node makes; as many are made to it. */
const LINKS = 64;
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
  readonly #traders: Trader[] = [];
  readonly #byId = new Map<string, Trader>();
  readonly #hostile: readonly Trader[];
  /** Credits that honest workers owe hostile nodes, all of them together. */
  readonly #owedToGang = new Map<Trader, number>();
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
    takenMs: 0,
    capacityMs: 0,
  };
  /** Standing has to be earned first: nobody has any at the start. */
  readonly #warmUntil: number;
  #count = 0;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    const lengthMs = this.#lengthMs(options);
    this.#warmUntil = START + lengthMs / 5;
    const dayMs = lengthMs / DAYS;
    const rule = { most: GIFTS.most, perDay: GIFTS.perDay * (86_400_000 / dayMs) };
    for (let index = 0; index < options.nodes; index++) this.#add(index, rule);
    this.#hostile = this.#traders.filter(({ isHostile }) => isHostile);
    this.#connect();
  }

  async run(): Promise<MarketResult> {
    this.#scheduleDemand();
    await this.#time.run();
    return this.#result;
  }

  /** Roughly how long a run takes, by a node's mean speed. */
  #lengthMs({ nodes, hostile, requests }: MarketOptions): number {
    const meanMs = 300 + (120 * 1_000) / 32;
    return (requests * meanMs) / ((nodes - hostile) * (7 / 3) * 0.45);
  }

  #add(index: number, rule: GiftRule): void {
    const { hostile, prefixes, seed, attack } = this.#options;
    const isHostile = index < hostile;
    const habit: Habit = isHostile ? 'hostile' : (HONEST[index % HONEST.length] ?? 'even');
    const trader = new Trader({
      identity: swarmIdentity(seed, index),
      network: isHostile ? `hostile ${index % prefixes}` : `honest ${index}`,
      habit,
      serves: !isHostile || attack === 'collude',
      rule,
      random: this.#random,
      now: () => this.#time.now,
    });
    this.#traders.push(trader);
    this.#byId.set(trader.id, trader);
  }

  #connect(): void {
    const { uniform } = this.#random;
    for (const trader of this.#traders) {
      for (let link = 0; link < LINKS; link++) {
        const other = this.#traders[Math.floor(uniform() * this.#traders.length)];
        if (!other || other === trader || trader.links.includes(other)) continue;
        trader.links.push(other);
        other.links.push(trader);
      }
    }
  }

  #scheduleDemand(): void {
    const { attack, requests } = this.#options;
    const { uniform } = this.#random;
    const honest = this.#traders.filter(({ isHostile }) => !isHostile);
    const weigh = (traders: readonly Trader[]) => traders.reduce((sum, { habit }) => sum + WEIGHT[habit], 0);
    const meanMs = (trader: Trader) => trader.serviceMs({ tokens: 120 });
    const perMs = honest.reduce((sum, trader) => sum + trader.parallel / meanMs(trader), 0);
    let at = START;
    const each = weigh(honest);
    const urn = this.#urn(honest);
    const hostileUrn = attack ? this.#urn(this.#hostile) : [];
    const hostileShare = attack ? weigh(this.#hostile) / each : 0;
    for (let count = 0; count < requests; count++) {
      const demand = DEMAND[Math.floor((at - START) / TURN_MS) % DEMAND.length] ?? 1;
      at += -Math.log(1 - uniform()) / (perMs * demand);
      this.#scheduleRequest(urn, at);
      for (let more = hostileShare; more > uniform(); more--) this.#scheduleRequest(hostileUrn, at + uniform() * 1_000);
    }
    this.#result.capacityMs = (at - START) * honest.reduce((sum, { parallel }) => sum + parallel, 0);
  }

  /** Everybody as often as its weight says, twice. */
  #urn(traders: readonly Trader[]): Trader[] {
    return traders.flatMap((trader) => Array<Trader>(2 * WEIGHT[trader.habit]).fill(trader));
  }

  #scheduleRequest(urn: readonly Trader[], at: number): void {
    const { uniform } = this.#random;
    const client = urn[Math.floor(uniform() * urn.length)];
    if (!client) return;
    const tokens = 1 + Math.floor(uniform() * 240);
    this.#time.schedule(at, () => this.#begin(client, tokens));
  }

  #begin(client: Trader, tokens: number): void {
    const id = String(this.#count++);
    const key = this.#keyOf(client);
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
    this.#ask({ ...request, ...times, atStranger: false });
  }

  /** An attacker has as many keys as it likes. */
  #keyOf(client: Trader): string {
    const { attack } = this.#options;
    if (!client.isHostile || (attack !== 'sybil' && attack !== 'whitewash')) return client.id;
    return `${client.id} ${attack === 'sybil' ? this.#count : client.refusals}`;
  }

  #ask(request: TradeRequest): void {
    const worker = this.#choose(request);
    if (!worker) {
      this.#later(request);
      return;
    }
    request.sentAt = this.#time.now;
    request.selfReport = worker.selfReport;
    request.atStranger = !worker.claims.knows(request.key);
    const { ms, vouched } = this.#gatherVouchers(request, worker);
    this.#time.schedule(this.#time.now + ms + worker.rttMs, () => this.#arrive(request, worker, vouched));
  }

  /** As the mesh client chooses. Hostile nodes ask only where something is to be had: they know what every worker gives and owes. */
  #choose({ client, key, cost, tried }: TradeRequest): Trader | undefined {
    const { now } = this.#time;
    const candidates = client.links.filter(
      (worker) =>
        worker.serves && !tried.has(worker.id) && (!client.isHostile || this.#wouldServe(worker, client, cost)),
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

  #wouldServe(worker: Trader, { network }: Trader, cost: number): boolean {
    if (worker.isHostile) return false;
    return (this.#owedToGang.get(worker) ?? 0) >= cost || worker.gifts.left(network, this.#time.now) >= cost;
  }

  /** @returns how long it takes, and whether the worker has a word for the client */
  #gatherVouchers(request: TradeRequest, worker: Trader): { ms: number; vouched: boolean } {
    const { client, key, cost } = request;
    if (client.isHostile) return { ms: 0, vouched: this.#conspire(request, worker) };
    let missing = cost - client.debtors.of(worker.id);
    let ms = 0;
    for (const { by, credits } of sharesOf(missing, client.waysTo(worker, this.#time.now))) {
      const bank = this.#byId.get(by);
      if (!bank) continue;
      ms = Math.max(ms, bank.rttMs); // all are asked at once
      const voucher = bank.vouch({ kind: 'claim', client: key, worker: worker.id, credits }, this.#time.now);
      if (!voucher) continue;
      client.debtors.spent(by, credits);
      if (worker.desk.take(voucher, key, this.#time.now)) continue;
      client.debtors.served(worker.id, credits);
      missing -= credits;
    }
    if (missing <= 0 || worker.claims.knows(key)) return { ms, vouched: false };
    const friends = client.waysTo(worker, this.#time.now).flatMap(({ id }) => this.#byId.get(id) ?? []);
    return { ms, vouched: this.#wordFor(request, worker, friends) };
  }

  /** Whether somebody whom the worker trusts has a word for the client. */
  #wordFor({ key, cost }: Pick<TradeRequest, 'key' | 'cost'>, worker: Trader, friends: readonly Trader[]): boolean {
    for (const friend of friends) {
      if (friend === worker || !worker.claims.trusts(friend.id, cost)) continue;
      const voucher = friend.vouch({ kind: 'word', client: key, worker: worker.id, credits: cost }, this.#time.now);
      if (voucher && !worker.desk.take(voucher, key, this.#time.now)) return true;
    }
    return false;
  }

  /** Hostile nodes sign what the worker owes them, and what it does not, more than once, and for each other. */
  #conspire(request: TradeRequest, worker: Trader): boolean {
    const { attack } = this.#options;
    const { client, key, cost } = request;
    if (attack === 'backdate') {
      const friend = this.#hostile.find((other) => other !== client);
      if (friend) this.#signOver(friend, key, worker, cost);
    }
    if (attack !== 'collude') return false;
    const friends = [...worker.claims.voices()].flatMap((id) => this.#byId.get(id) ?? []).filter(isConspirator(client));
    for (const friend of friends) {
      if (worker.claims.free(key) >= cost) return false;
      const owed = worker.claims.free(friend.id);
      if (owed > 0) this.#signOver(friend, key, worker, owed);
    }
    return this.#wordFor(request, worker, friends);
  }

  /** Twice, in case the worker takes it twice. */
  #signOver(friend: Trader, client: string, worker: Trader, credits: number): void {
    const voucher = friend.vouch({ kind: 'claim', client, worker: worker.id, credits }, this.#time.now);
    for (let times = 0; voucher && times < 2; times++) worker.desk.take(voucher, client, this.#time.now);
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

  #arrive(request: TradeRequest, worker: Trader, vouched: boolean): void {
    const { client, key, cost, tried, id } = request;
    const wish = { client: key, network: client.network, credits: cost, vouched };
    const funding = worker.till.fund(wish, this.#time.now);
    try {
      if (!funding) throw new Error('no credit');
      const work = { request, funding };
      const { now } = this.#time;
      if (funding.funds === 'gift') worker.newcomers.add({ requestId: id, network: client.network, value: work }, now);
      else worker.queue.add({ requestId: id, client: key, tier: funding.tier, value: work }, this.#time.now);
      if (request.atStranger && client.isEarner && !client.isHostile && this.#time.now > this.#warmUntil) {
        this.#result.atStrangers++;
        if (funding.funds !== 'gift') this.#result.preferred++;
      }
    } catch {
      // Refused, as the real worker does: for want of credits or of room.
      if (funding) worker.till.settle(funding, 0, this.#time.now);
      else client.noGifts.set(worker.id, this.#time.now + (worker.till.waitMs(wish, this.#time.now) ?? 0));
      if (!funding) client.debtors.correct(worker.id, worker.claims.free(key));
      tried.add(worker.id);
      this.#ask(request);
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

  #finish(worker: Trader, work: TradeWork, startedAt: number): void {
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
      if (worker.isHostile) this.#gangHas(client, cost);
      const queuedMs = startedAt - sentAt;
      const times = { queuedMs, firstTokenMs: queuedMs + 300, totalMs: this.#time.now - sentAt, tokensPerSecond: 0 };
      const result = { promptTokens: 0, cachedTokens: 0, completionTokens: request.tokens, ...times };
      if (selfReport) client.experience.answered(worker.id, selfReport, result, this.#time.now);
      this.#result.answered++;
      this.#result.allMs.push(this.#time.now - askedAt);
      if (client.habit === 'earner') this.#result.earnersMs.push(this.#time.now - askedAt);
    }
    client.had += cost;
    if (!client.isHostile) worker.served += cost;
    this.#serveNext(worker);
  }

  /** Hostile nodes have served an honest one; or less than nothing: they were served for it. */
  #gangHas(honest: Trader, credits: number): void {
    this.#owedToGang.set(honest, (this.#owedToGang.get(honest) ?? 0) + credits);
    if (credits > 0) this.#result.hostileServed += credits;
    else this.#result.hostilePaid -= credits;
  }

  #countTaken(worker: Trader, { request, funding }: TradeWork, ms: number): void {
    if (worker.isHostile) return;
    if (funding.funds === 'claim') this.#gangHas(worker, -request.cost);
    else {
      this.#result.takenMs += ms;
    }
  }
}

function isConspirator(client: Trader) {
  return (other: Trader) => other.isHostile && other !== client;
}
