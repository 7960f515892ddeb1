import { type BenchEvent, type BenchRow, benchRow, note } from './row.ts';
import { MARKET_ATTACKS, Market, type MarketAttack, type MarketResult } from './swarm-market.ts';

export interface BenchTheftOptions {
  /** Three of ten are hostile. Default 1,000. */
  nodes?: number;
  /** What honest nodes ask. Default 150 for each node. */
  requests?: number;
  /** The first seed. Default 1. */
  seed?: number;
  /** Runs, each with the next seed. Default 5. */
  seeds?: number;
}

const HOSTILE = 0.3;
const PREFIXES = 20;

/** What attackers get who come for what others serve, and what honest nodes lose by it, beside the same mesh without them. */
export async function* benchTheft(attack: MarketAttack, options: BenchTheftOptions): AsyncGenerator<BenchEvent> {
  const { nodes = 1_000, seed = 1, seeds = 5 } = options;
  const { requests = 150 * nodes } = options;
  const hostile = Math.floor(HOSTILE * nodes);
  yield note(
    `${nodes.toLocaleString('en')} nodes, ${hostile.toLocaleString('en')} of them hostile: ${MARKET_ATTACKS[attack]}`,
  );
  const runs: { attacked: MarketResult; peaceful: MarketResult }[] = [];
  for (let run = 0; run < seeds; run++) {
    const market = { nodes, hostile, prefixes: PREFIXES, requests, seed: seed + run };
    const attacked = await new Market({ ...market, attack }).run();
    await new Promise(setImmediate); // so that it can be interrupted
    const peaceful = await new Market(market).run();
    await new Promise(setImmediate);
    runs.push({ attacked, peaceful });
    yield note(`seed ${seed + run}: ${attacked.hostilePaid} credits had for claims, ${attacked.hostileServed} served`);
  }
  const each = (figure: (result: MarketResult) => number) => runs.map(({ attacked }) => figure(attacked));
  const rows: [name: string, unit: string, goal: BenchRow['goal'], figure: (result: MarketResult) => number][] = [
    ['had for claims beyond what was served', 'credits', '0', (r) => Math.max(0, r.hostilePaid - r.hostileServed)],
    ['had for claims ÷ served', 'ratio', '≤ 1', (r) => r.hostilePaid / Math.max(1, r.hostileServed)],
    ['share of the engines’ time that was given away', '%', '≤ 15', (r) => (100 * r.takenMs) / r.capacityMs],
    ['earners refused', '%', '≤ 2', (r) => (100 * r.earnersRefused) / r.earnersAsked],
    ['earners before newcomers at strangers', '%', '≥ 90', (r) => (100 * r.preferred) / r.atStrangers],
    ['lost requests', 'requests', '0', (r) => r.asked - r.answered - r.refused],
    ['answered', '%', null, (r) => (100 * r.answered) / r.asked],
  ];
  for (const [name, unit, goal, figure] of rows) {
    yield {
      type: 'row',
      row: benchRow({ bench: 'swarm', case: `${attack}: ${name}`, unit, goal, ours: each(figure) }),
    };
  }
  yield timeRow(attack, 'earners’ time to the answer’s end', ({ earnersMs }) => earnersMs, '≤ 1.05', runs);
  yield timeRow(attack, 'everybody’s time to the answer’s end', ({ allMs }) => allMs, null, runs);
}

function timeRow(
  attack: MarketAttack,
  name: string,
  times: (result: MarketResult) => number[],
  goal: BenchRow['goal'],
  runs: { attacked: MarketResult; peaceful: MarketResult }[],
): BenchEvent {
  const ours = runs.map(({ attacked }) => mean(times(attacked)));
  const peer = runs.map(({ peaceful }) => mean(times(peaceful)));
  const row = { bench: 'swarm', case: `${attack}: ${name}`, unit: 'ms (less is better)', goal, ours, peer };
  return { type: 'row', row: benchRow({ ...row, peerName: 'without attackers' }) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
