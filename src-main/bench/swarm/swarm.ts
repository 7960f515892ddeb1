import { performance } from 'node:perf_hooks';
import { quantile } from '../../base/quantile.ts';
import { TIER_WAIT_TARGET_MS, TIERS, type Tier } from '../../credits/tiers.ts';
import { type BenchEvent, type BenchRow, benchRow, note } from '../row.ts';
import { LONGEST_HEAD_START_MS, type Outcome, type SwarmResult, SwarmSimulation } from './simulation.ts';

export interface BenchSwarmOptions {
  /** Default 1,000. */
  workers?: number;
  /** Default 100,000. */
  requests?: number;
  /** The same seed gives the same swarm. Default 1. */
  seed?: number;
  /** Ends it early, with its reason. */
  signal?: AbortSignal;
}

/** Clients with fewer requests than this say little about fairness. */
const ENOUGH_REQUESTS = 5;

/**
 * A swarm in virtual time through the real selection, admission, queue, retry and score code, and real ledgers for a
 * sample of the workers: how long each tier waits, how fairly a tier is served, and whether anything gets lost.
 */
export async function* benchSwarm(options: BenchSwarmOptions): AsyncGenerator<BenchEvent> {
  const { workers = 1_000, requests = 100_000, seed = 1 } = options;
  yield note(`${workers.toLocaleString('en')} workers, ${requests.toLocaleString('en')} requests, seed ${seed}`);
  const started = performance.now();
  const result = await new SwarmSimulation({ workers, requests, seed }).run(options.signal);
  const wallMs = performance.now() - started;
  const { virtualMs, retries, ledgers, lost } = result;
  yield note(`${(virtualMs / 1_000).toFixed(0)} s of the swarm's time; ${retries} attempts had to be made again`);
  yield note('points are earned on the way, so the lower tiers empty: their figures are mostly of the first minutes');
  if (lost.length > 0)
    yield note(`lost: ${[...new Set(lost)].map((code) => `${code} × ${count(lost, code)}`).join(', ')}`);

  yield row('lost requests', 'requests', lost.length, '0');
  yield row('ledgers that do not verify', `of ${ledgers}`, result.unsound, '0');
  for (const tier of TIERS.toReversed()) yield* tierRows(tier, result);
  yield row(`overtaken after ${LONGEST_HEAD_START_MS / 1_000} s`, 'requests', result.overtaken, '0');
  yield row('speed of the simulation', 'requests/s', (requests * 1_000) / wallMs, null);
}

function* tierRows(tier: Tier, { outcomes }: SwarmResult): Generator<BenchEvent> {
  const own = outcomes.filter((outcome) => outcome.tier === tier);
  if (own.length === 0) return;
  const waits = own.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
  const target = TIER_WAIT_TARGET_MS[tier];
  yield row(`${tier}: wait p50`, 'ms', quantile(waits, 0.5), target === undefined ? null : `target ${target}`);
  yield row(`${tier}: wait p99`, 'ms', quantile(waits, 0.99), null);
  yield row(`${tier}: longest wait`, 'ms', waits.at(-1) ?? 0, null);
  yield row(`${tier}: fairness`, 'Jain index', jainIndex(speeds(own)), '≥ 0.9');
}

/** Of every client's time from asking to the answer's end, the share in which it was being served. */
function speeds(outcomes: readonly Outcome[]): number[] {
  const byClient = new Map<string, { requests: number; served: number; total: number }>();
  for (const { client, waitMs, serviceMs } of outcomes) {
    const sums = byClient.get(client) ?? { requests: 0, served: 0, total: 0 };
    byClient.set(client, sums);
    sums.requests++;
    sums.served += serviceMs;
    sums.total += waitMs + serviceMs;
  }
  const enough = [...byClient.values()].filter(({ requests }) => requests >= ENOUGH_REQUESTS);
  return enough.map(({ served, total }) => served / total);
}

/** 1 when all are treated the same, 1/n when one gets everything (Jain, Chiu and Hawe, 1984). 1 for nobody. */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}

function row(name: string, unit: string, value: number, goal: BenchRow['goal']): BenchEvent {
  return { type: 'row', row: benchRow({ bench: 'swarm', case: name, unit, goal, ours: [value] }) };
}

const count = (codes: readonly string[], code: string) => codes.filter((other) => other === code).length;
