import { quantile } from '../../base/quantile.ts';
import { type BenchEvent, type BenchRow, benchRow, note } from '../row.ts';
import { type SwarmResult, SwarmSimulation } from './simulation.ts';

export interface BenchSwarmAttackOptions {
  /** Half of them lie. Default 1,000. */
  workers?: number;
  /** Default 100,000. */
  requests?: number;
  /** The first seed. Default 1. */
  seed?: number;
  /** Runs, each with the next seed. Default 5. */
  seeds?: number;
  /** Ends it early, with its reason. */
  signal?: AbortSignal;
}

/** Quiet, then busy: what honest workers cannot serve in time says nothing about liars. */
const DEMAND = [0.45, 0.9];

/**
 * Half of the workers claim to be free and well, and lie in every way there is; beside the same swarm without them. Every
 * choice, every retry and what is learnt from each is the mesh client's own code.
 */
export async function* benchLiars(options: BenchSwarmAttackOptions): AsyncGenerator<BenchEvent> {
  const { workers = 1_000, requests = 100_000, seed = 1, seeds = 5 } = options;
  const liars = Math.floor(workers / 2);
  yield note(`${workers.toLocaleString('en')} workers, ${liars.toLocaleString('en')} of them lie; ${seeds} seeds`);
  const runs: { attacked: SwarmResult; peaceful: SwarmResult }[] = [];
  for (let run = 0; run < seeds; run++) {
    const swarm = { workers, requests, seed: seed + run, liars, demand: DEMAND };
    const attacked = await new SwarmSimulation(swarm).run(options.signal);
    const peaceful = await new SwarmSimulation({ ...swarm, away: true }).run(options.signal);
    runs.push({ attacked, peaceful });
    yield note(`seed ${seed + run}: ${attacked.lost.length} lost (${peaceful.lost.length} without liars)`);
  }
  const each = (figure: (run: (typeof runs)[number]) => number) => runs.map(figure);
  const added = (share: number) => each(({ attacked, peaceful }) => waitMs(attacked, share) - waitMs(peaceful, share));
  yield row(
    'answered',
    '%',
    each(({ attacked }) => (100 * attacked.outcomes.length) / requests),
    '≥ 99',
  );
  yield row(
    'answered without liars',
    '%',
    each(({ peaceful }) => (100 * peaceful.outcomes.length) / requests),
    null,
  );
  yield row('added wait p50', 'ms', added(0.5), '≤ 1,000');
  yield row('added wait p90', 'ms', added(0.9), null);
  yield row('added wait p99', 'ms', added(0.99), null);
  yield row(
    'attempts at liars',
    'a request',
    each(({ attacked }) => attacked.deceived / requests),
    null,
  );
}

function waitMs({ outcomes }: SwarmResult, share: number): number {
  const waits = outcomes.map((outcome) => outcome.waitMs).sort((a, b) => a - b);
  return quantile(waits, share);
}

function row(name: string, unit: string, ours: number[], goal: BenchRow['goal']): BenchEvent {
  return { type: 'row', row: benchRow({ bench: 'swarm', case: `liars: ${name}`, unit, goal, ours }) };
}
