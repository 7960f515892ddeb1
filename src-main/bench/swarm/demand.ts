import type { SeededRandom } from '../../base/seeded-random.ts';
import type { GiftRule } from '../../credits/standing/gifts.ts';
import { swarmIdentity } from './population.ts';
import { type Habit, Trader } from './traders.ts';
import { START } from './virtual-time.ts';

/** Demand in turns of a minute, as a share of what honest nodes can serve: 0.45 on average. */
const DEMAND = [0.3, 0.6];
const MEAN_DEMAND = 0.45;
const TURN_MS = 60_000;
/** How much a node asks, by habit. Of the honest, as many are of each. */
const WEIGHT: Record<Habit, number> = { earner: 0.5, even: 1, light: 1.5, hostile: 3 };
const HONEST: readonly Habit[] = ['earner', 'even', 'light'];
/** Connections that a node makes; as many are made to it. */
const LINKS = 64;

/** Roughly how many milliseconds a run takes, by a node's mean speed. */
export function lengthMs({ nodes, hostile, requests }: { nodes: number; hostile: number; requests: number }): number {
  const meanMs = 300 + (120 * 1_000) / 32;
  return (requests * meanMs) / ((nodes - hostile) * (7 / 3) * MEAN_DEMAND);
}

/** The nodes of a market, connected to each other by lot: first the hostile ones, who come from few networks. */
export function populate(options: {
  nodes: number;
  hostile: number;
  prefixes: number;
  seed: number;
  /** Whether hostile nodes serve, too. */
  allServe: boolean;
  rule: GiftRule;
  random: SeededRandom;
  now: () => number;
}): Trader[] {
  const { nodes, hostile, prefixes, seed, allServe, rule, random, now } = options;
  const traders = Array.from({ length: nodes }, (_, index) => {
    const isHostile = index < hostile;
    return new Trader({
      identity: swarmIdentity(seed, index),
      prefix: isHostile ? `hostile ${index % prefixes}` : `honest ${index}`,
      habit: isHostile ? 'hostile' : (HONEST[index % HONEST.length] ?? 'even'),
      serves: !isHostile || allServe,
      rule,
      random,
      now,
    });
  });
  connect(traders, random);
  return traders;
}

function connect(traders: readonly Trader[], { uniform }: SeededRandom): void {
  for (const trader of traders) {
    for (let link = 0; link < LINKS; link++) {
      const other = traders[Math.floor(uniform() * traders.length)];
      if (!other || other === trader || trader.links.includes(other)) continue;
      trader.links.push(other);
      other.links.push(trader);
    }
  }
}

/** Who asks for how many tokens, and when. */
export interface Demand {
  client: Trader;
  at: number;
  tokens: number;
}

/** What nodes ask, by lot, and how long that takes: so many requests of the honest, and those of the hostile among them. */
export function demandOf(
  { honest, hostile, requests }: { honest: readonly Trader[]; hostile: readonly Trader[]; requests: number },
  { uniform }: SeededRandom,
): { asks: Demand[]; ms: number } {
  const weigh = (traders: readonly Trader[]) => traders.reduce((sum, { habit }) => sum + WEIGHT[habit], 0);
  const meanMs = (trader: Trader) => trader.serviceMs({ tokens: 120 });
  const perMs = honest.reduce((sum, trader) => sum + trader.parallel / meanMs(trader), 0);
  const [urn, hostileUrn] = [urnOf(honest), urnOf(hostile)];
  const hostileShare = weigh(hostile) / weigh(honest);
  const asks: Demand[] = [];
  const draw = (from: readonly Trader[], at: number) => {
    const client = from[Math.floor(uniform() * from.length)];
    if (client) asks.push({ client, at, tokens: 1 + Math.floor(uniform() * 240) });
  };
  let at = START;
  for (let count = 0; count < requests; count++) {
    const demand = DEMAND[Math.floor((at - START) / TURN_MS) % DEMAND.length] ?? 1;
    at += -Math.log(1 - uniform()) / (perMs * demand);
    draw(urn, at);
    for (let more = hostileShare; more > uniform(); more--) draw(hostileUrn, at + uniform() * 1_000);
  }
  return { asks, ms: at - START };
}

/** Everybody as often as its weight says, twice. */
function urnOf(traders: readonly Trader[]): Trader[] {
  return traders.flatMap((trader) => Array<Trader>(2 * WEIGHT[trader.habit]).fill(trader));
}
