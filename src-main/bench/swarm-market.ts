import { greatest } from '../base/greatest.ts';
import { costOf } from '../credits/price.ts';
import type { GiftRule } from '../credits/standing/gifts.ts';
import { MAX_VOUCHERS, sumOf, type Voucher } from '../credits/voucher.ts';
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
  collude:
    'some is really served, every claim is signed over to each other, and honest nodes are asked to sign theirs over, twice at once; all is brought again and again',
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
  /** What honest nodes still owe them at the end. */
  hostileLeft: number;
  /** Credits of honest nodes that were let go beyond what they owed the one that had them. */
  overdrawn: number;
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
  /** Credits that hostile nodes may still spend at honest workers, all of them together. */
  readonly #owedToGang = new Map<string, number>();
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
    const lengthMs = this.#lengthMs(options);
    this.#warmUntil = START + lengthMs / 5;
    const dayMs = lengthMs / DAYS;
    const rule = { most: GIFTS.most, perDay: GIFTS.perDay * (86_400_000 / dayMs) };
    for (let index = 0; index < options.nodes; index++) this.#add(index, rule);
    this.#hostile = this.#traders.filter(({ isHostile }) => isHostile);
    this.#connect();
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
      prefix: isHostile ? `hostile ${index % prefixes}` : `honest ${index}`,
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

  async #begin(client: Trader, tokens: number): Promise<void> {
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
    await this.#ask({ ...request, ...times, atStranger: false, vouchers: [] });
  }

  /** An attacker has as many keys as it likes. */
  #keyOf(client: Trader): string {
    const { attack } = this.#options;
    if (!client.isHostile || (attack !== 'sybil' && attack !== 'whitewash')) return client.id;
    return `${client.id} ${attack === 'sybil' ? this.#count : client.refusals}`;
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

  #wouldServe(worker: Trader, client: Trader, cost: number): boolean {
    if (worker.isHostile) return false;
    if (worker.gifts.left(client.prefix, this.#time.now) >= cost) return true;
    return (this.#owedToGang.get(worker.id) ?? 0) + sumOf(client.keptFor(worker)) >= cost;
  }

  /** As the mesh client does. @returns what is brought along, and how long it took to get it */
  async #gatherVouchers(request: TradeRequest, worker: Trader): Promise<{ ms: number; vouchers: readonly Voucher[] }> {
    const { client, key, cost } = request;
    if (client.isHostile) return { ms: 0, vouchers: await this.#conspire(request, worker) };
    const claims = client.takeKept(worker, this.#time.now);
    let ms = 0;
    for (const { by, credits } of sharesOf(this.#missing(request, worker), client.waysTo(worker, this.#time.now))) {
      const bank = this.#byId.get(by);
      if (!bank) continue;
      ms = Math.max(ms, bank.rttMs); // all are asked at once
      claims.push(...(await this.#askBank(bank, { client, key, credits }, worker)));
    }
    const brought = claims.slice(-MAX_VOUCHERS);
    if (this.#missing(request, worker) <= 0 || sumOf(brought) >= cost) return { ms, vouchers: brought };
    client.keep(worker, brought); // a worker takes none of them if they do not make the price
    if (worker.claims.knows(key)) return { ms, vouchers: [] };
    const friends = client.waysTo(worker, this.#time.now).flatMap(({ id }) => this.#byId.get(id) ?? []);
    return { ms, vouchers: await this.#wordFor(request, worker, friends) };
  }

  #missing({ client, cost }: TradeRequest, worker: Trader): number {
    return cost - client.debtors.of(worker.id);
  }

  /** Both write down what a voucher has moved, when it is signed. */
  async #askBank(
    bank: Trader,
    { client, key, credits }: { client: Trader; key: string; credits: number },
    worker: Trader,
  ): Promise<Voucher[]> {
    const wish = { kind: 'claim', client: key, worker: worker.id, credits } as const;
    const voucher = await bank.vouch(wish, this.#time.now);
    if (!voucher) return [];
    client.debtors.spent(bank.id, credits);
    client.debtors.served(worker.id, credits);
    return [voucher];
  }

  /** The word of somebody whom the worker trusts. */
  async #wordFor({ key, cost }: TradeRequest, worker: Trader, friends: readonly Trader[]): Promise<Voucher[]> {
    for (const friend of friends) {
      if (friend === worker || !worker.claims.trusts(friend.id, cost)) continue;
      const wish = { kind: 'word', client: key, worker: worker.id, credits: cost } as const;
      const voucher = await friend.vouch(wish, this.#time.now);
      if (voucher) return [voucher];
    }
    return [];
  }

  /** What hostile nodes bring: what there is, and of that as much again as a worker looks at. */
  async #conspire(request: TradeRequest, worker: Trader): Promise<readonly Voucher[]> {
    const { attack } = this.#options;
    const { client, key, cost } = request;
    const now = this.#time.now;
    if (attack === 'backdate') {
      const friend = this.#hostile.find((other) => other !== client);
      const voucher = await friend?.vouch({ kind: 'claim', client: key, worker: worker.id, credits: cost }, now);
      return voucher ? [voucher, voucher] : [];
    }
    if (attack !== 'collude') return [];
    const friends = [...worker.claims.voices()].flatMap((id) => this.#byId.get(id) ?? []).filter(isConspirator(client));
    const good = client.takeKept(worker, now);
    const missing = cost - worker.claims.free(key) - sumOf(good);
    if (missing > 0) good.push(...(await this.#signOver(client, worker, friends, missing)));
    const pays = sumOf(good) >= cost - worker.claims.free(key);
    if (!pays) client.keep(worker, good);
    const said = pays ? good : await this.#wordFor(request, worker, friends);
    const old = client.brought.get(worker.id) ?? [];
    if (said.length > 0) client.brought.set(worker.id, said);
    return [...said, ...old, ...said].slice(0, MAX_VOUCHERS);
  }

  /** What hostile nodes sign for each other. */
  async #signOver(client: Trader, worker: Trader, friends: readonly Trader[], credits: number): Promise<Voucher[]> {
    const claims: Voucher[] = [];
    const missing = () => credits - sumOf(claims);
    const owed = (friend: Trader) => worker.claims.free(friend.id);
    const best = greatest(friends, MAX_VOUCHERS, owed);
    if (best.reduce((sum, friend) => sum + owed(friend), 0) < missing()) return claims;
    for (const friend of best) {
      if (missing() <= 0 || owed(friend) <= 0) break;
      claims.push(...(await this.#askBank(friend, { client, key: client.id, credits: owed(friend) }, worker)));
    }
    return claims;
  }

  /** A hostile node has served an honest one, and has it sign half of such claims over: asked twice at once. */
  async #signOverAt(bank: Trader, client: Trader): Promise<void> {
    const own = bank.claims.own(client.id);
    const worker = client.links.find((link) => !link.isHostile && bank.debtors.of(link.id) >= 2 * own);
    if (!worker || own === 0 || this.#random.uniform() < 0.5) return;
    const twice = [1, 2].map(() => this.#askBank(bank, { client, key: client.id, credits: own }, worker));
    client.keep(worker, (await Promise.all(twice)).flat());
    this.#tellGang(bank);
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
    if (client.isHostile) this.#tellGang(worker);
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
        this.#tellGang(client);
        await this.#signOverAt(client, worker);
        this.#result.hostileServed += cost;
      }
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

  /** What hostile nodes may spend at an honest one has changed. */
  #tellGang({ id, claims }: Trader): void {
    const free = this.#hostile.reduce((sum, hostile) => sum + Math.max(0, claims.free(hostile.id)), 0);
    this.#owedToGang.set(id, free);
  }

  #countTaken(worker: Trader, { request, funding }: TradeWork, ms: number): void {
    if (worker.isHostile) return;
    if (funding.funds === 'claim') this.#result.hostilePaid += request.cost;
    else this.#result.takenMs += ms;
  }
}

function isConspirator(client: Trader) {
  return (other: Trader) => other.isHostile && other !== client;
}
