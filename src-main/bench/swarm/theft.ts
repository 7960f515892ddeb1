import { type BenchEvent, type BenchRow, benchRow, note } from '../row.ts';
import { MARKET_ATTACKS, type MarketAttack } from './gang.ts';
import { Market, type MarketResult } from './market.ts';

export interface BenchTheftOptions {
  /** Three of ten are hostile. Default 1,000. */
  nodes?: number;
  /** What honest nodes ask. Default 150 for each node. */
  requests?: number;
  /** The first seed. Default 1. */
  seed?: number;
  /** Runs, each with the next seed. Default 5. */
  seeds?: number;
  /** Ends it early, with its reason. */
  signal?: AbortSignal;
}

const HOSTILE = 0.3;
const PREFIXES = 20;

/** What attackers get who come for what others serve, and what honest nodes lose by it, beside the same mesh without them. */
export async function* benchTheft(
  attacks: readonly MarketAttack[],
  options: BenchTheftOptions,
): AsyncGenerator<BenchEvent> {
  const { nodes = 1_000, seed = 1, seeds = 5 } = options;
  const { requests = 150 * nodes } = options;
  const hostile = Math.floor(HOSTILE * nodes);
  yield note(`${nodes.toLocaleString('en')} nodes, ${hostile.toLocaleString('en')} of them hostile; ${seeds} seeds`);
  const markets = Array.from({ length: seeds }, (_, run) => {
    return { nodes, hostile, prefixes: PREFIXES, requests, seed: seed + run };
  });
  const peaceful: MarketResult[] = [];
  for (const market of markets) {
    peaceful.push(await new Market(market).run(options.signal));
    yield note(`without attackers, seed ${market.seed}: ${peaceful.at(-1)?.answered} requests answered`);
  }
  for (const attack of attacks) {
    yield note(`${attack}: ${MARKET_ATTACKS[attack]}`);
    const attacked: MarketResult[] = [];
    for (const market of markets) {
      const result = await new Market({ ...market, attack }).run(options.signal);
      attacked.push(result);
      yield note(`seed ${market.seed}: ${result.hostilePaid} credits had for claims, ${result.hostileServed} served`);
    }
    yield* attackRows(attack, attacked, peaceful);
  }
}

function* attackRows(attack: MarketAttack, attacked: MarketResult[], peaceful: MarketResult[]): Generator<BenchEvent> {
  const rows: [name: string, unit: string, goal: BenchRow['goal'], figure: (result: MarketResult) => number][] = [
    ['had or still owed for claims beyond what was served', 'credits', '0', beyondServed],
    ['let go beyond what was owed', 'credits', '0', (r) => r.overdrawn],
    ['had for claims ÷ served', 'ratio', '≤ 1', (r) => r.hostilePaid / Math.max(1, r.hostileServed)],
    ['share of the engines’ time that was given away', '%', '≤ 15', (r) => (100 * r.takenMs) / r.capacityMs],
    ['earners refused', '%', '≤ 2', (r) => (100 * r.earnersRefused) / r.earnersAsked],
    ['earners before newcomers at strangers', '%', '≥ 90', (r) => (100 * r.preferred) / r.atStrangers],
    ['lost requests', 'requests', '0', (r) => r.asked - r.answered - r.refused],
    ['answered', '%', null, (r) => (100 * r.answered) / r.asked],
  ];
  for (const [name, unit, goal, figure] of rows) {
    const ours = attacked.map(figure);
    yield { type: 'row', row: benchRow({ bench: 'swarm', case: `${attack}: ${name}`, unit, goal, ours }) };
  }
  yield timeRow(
    `${attack}: earners’ time to the answer’s end`,
    ({ earnersMs }) => earnersMs,
    '≤ 1.05',
    attacked,
    peaceful,
  );
  yield timeRow(`${attack}: everybody’s time to the answer’s end`, ({ allMs }) => allMs, null, attacked, peaceful);
}

function beyondServed({ hostilePaid, hostileLeft, hostileServed }: MarketResult): number {
  return Math.max(0, hostilePaid + hostileLeft - hostileServed);
}

function timeRow(
  name: string,
  times: (result: MarketResult) => number[],
  goal: BenchRow['goal'],
  attacked: MarketResult[],
  peaceful: MarketResult[],
): BenchEvent {
  const meansOf = (results: MarketResult[]) => results.map((result) => mean(times(result)));
  const row = { bench: 'swarm', case: name, unit: 'ms (less is better)', goal, ours: meansOf(attacked) };
  return { type: 'row', row: benchRow({ ...row, peer: meansOf(peaceful), peerName: 'without attackers' }) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
