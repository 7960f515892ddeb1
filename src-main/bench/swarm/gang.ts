import { greatest } from '../../base/greatest.ts';
import type { SeededRandom } from '../../base/seeded-random.ts';
import { MAX_VOUCHERS, sumOf, type Voucher } from '../../credits/voucher.ts';
import type { TradeRequest, Trader } from './traders.ts';
import type { VirtualTime } from './virtual-time.ts';

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

export interface GangOptions {
  attack: MarketAttack | undefined;
  members: readonly Trader[];
  /** All nodes, by their ids. */
  byId: ReadonlyMap<string, Trader>;
  random: SeededRandom;
  time: VirtualTime;
}

/** Hostile nodes that work together: under which keys they ask, whom, and what they bring along. They know what every worker gives and owes. */
export class Gang {
  readonly #options: GangOptions;
  /** Credits that they may still spend at honest workers, all of them together. */
  readonly #owed = new Map<string, number>();

  constructor(options: GangOptions) {
    this.#options = options;
  }

  /** An attacker has as many keys as it likes. @param count of the request, over all */
  keyOf(client: Trader, count: number): string {
    const { attack } = this.#options;
    if (attack === 'sybil') return `${client.id} ${count}`;
    return attack === 'whitewash' ? `${client.id} ${client.refusals}` : client.id;
  }

  /** They ask only where something is to be had. */
  wouldAsk(worker: Trader, client: Trader, cost: number): boolean {
    if (worker.isHostile) return false;
    if (worker.gifts.left(client.prefix, this.#options.time.now) >= cost) return true;
    return (this.#owed.get(worker.id) ?? 0) + sumOf(client.keptFor(worker)) >= cost;
  }

  /** What they may spend at an honest one has changed. */
  hear({ id, claims }: Trader): void {
    const free = this.#options.members.reduce((sum, hostile) => sum + Math.max(0, claims.free(hostile.id)), 0);
    this.#owed.set(id, free);
  }

  /** What one of them brings: what there is, and of that as much again as a worker looks at. */
  async vouchers(request: TradeRequest, worker: Trader): Promise<readonly Voucher[]> {
    const { attack, members, byId, time } = this.#options;
    const { client, key, cost } = request;
    const { now } = time;
    if (attack === 'backdate') {
      const friend = members.find((other) => other !== client);
      const voucher = await friend?.vouch({ kind: 'claim', client: key, worker: worker.id, credits: cost }, now);
      return voucher ? [voucher, voucher] : [];
    }
    if (attack !== 'collude') return [];
    const voices = [...worker.claims.voices()].flatMap((id) => byId.get(id) ?? []);
    const friends = voices.filter((other) => other.isHostile && other !== client);
    const good = client.takeKept(worker, now);
    const missing = cost - worker.claims.free(key) - sumOf(good);
    if (missing > 0) good.push(...(await this.#signOver(client, worker, friends, missing)));
    const pays = sumOf(good) >= cost - worker.claims.free(key);
    if (!pays) client.keep(worker, good);
    const said = pays ? good : await client.wordFrom(friends, { key, cost }, worker, now);
    const old = client.brought.get(worker.id) ?? [];
    if (said.length > 0) client.brought.set(worker.id, said);
    return [...said, ...old, ...said].slice(0, MAX_VOUCHERS);
  }

  /** One of them has served an honest node, and has that sign half of such claims over: asked twice at once. */
  async served(bank: Trader, client: Trader): Promise<void> {
    const { random, time } = this.#options;
    this.hear(bank);
    const own = bank.claims.own(client.id);
    const worker = client.links.find((link) => !link.isHostile && bank.debtors.of(link.id) >= 2 * own);
    if (!worker || own === 0 || random.uniform() < 0.5) return;
    const wish = { key: client.id, credits: own };
    const twice = [1, 2].map(() => client.claimFrom(bank, wish, worker, time.now));
    client.keep(worker, (await Promise.all(twice)).flat());
    this.hear(bank);
  }

  /** What they sign for each other. */
  async #signOver(client: Trader, worker: Trader, friends: readonly Trader[], credits: number): Promise<Voucher[]> {
    const claims: Voucher[] = [];
    const missing = () => credits - sumOf(claims);
    const owed = (friend: Trader) => worker.claims.free(friend.id);
    const best = greatest(friends, MAX_VOUCHERS, owed);
    if (best.reduce((sum, friend) => sum + owed(friend), 0) < missing()) return claims;
    for (const friend of best) {
      if (missing() <= 0 || owed(friend) <= 0) break;
      const wish = { key: client.id, credits: owed(friend) };
      claims.push(...(await client.claimFrom(friend, wish, worker, this.#options.time.now)));
    }
    return claims;
  }
}
