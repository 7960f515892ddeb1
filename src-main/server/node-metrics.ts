import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';

/** How long the mesh's requests of one tier waited since the start. */
export interface TierWaitReading {
  tier: string;
  meanMs: number;
  maxMs: number;
  /** Absent where the tier has no target. */
  targetMs?: number;
  /** Share of the requests that waited no longer than the target, 0–1; absent without a target. */
  withinTarget?: number;
}

/** State of the node at this moment, for `/metrics`. */
export interface NodeReading {
  queue: { waiting: number; active: number };
  /** Tiers of which a request was served. */
  waits: TierWaitReading[];
  /** 0–100; absent where nothing is measured. */
  healthScore?: number;
  peers: number;
  engine: { state: string; restarts: number };
  /** Totals since the start, of what was served to the mesh. */
  served: { requests: number; tokens: number; refused: number };
}

/**
 * Adds the node's own state, read once a scrape. Registered first in its group, the engine's metric reads it for all of them.
 * A reading that fails leaves the metrics as they were.
 */
export function addNodeMetrics(registry: Registry, collect: () => NodeReading, log: Logger): void {
  const registers = [registry];
  new Gauge({
    name: 'quarry_engine_state',
    help: '1 for the state that the engine is in.',
    labelNames: ['state'],
    registers,
    collect() {
      try {
        const reading = collect();
        this.reset();
        this.set({ state: reading.engine.state }, 1);
        update(reading);
      } catch (error) {
        log.error({ err: error }, 'the state of the node cannot be read for /metrics');
      }
    },
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const total = (name: string, help: string) => new Counter({ name, help, registers });
  const waiting = gauge('quarry_queue_waiting', 'Requests of the mesh that wait.');
  const active = gauge('quarry_queue_active', 'Requests of the mesh that are being answered.');
  const health = gauge('quarry_health_score', 'Health of this machine, 0 to 100; NaN where it is not measured.');
  const peers = gauge('quarry_peers', 'Connected peers.');
  const restarts = total('quarry_engine_restarts_total', 'Times the engine was started again.');
  const served = total('quarry_mesh_requests_total', 'Requests answered for the mesh.');
  const tokens = total('quarry_mesh_tokens_total', 'Tokens generated for the mesh.');
  const refused = total('quarry_mesh_refused_total', 'Requests of the mesh that were refused.');
  const updateWaits = addTierWaits(registry);

  function update(reading: NodeReading): void {
    updateWaits(reading.waits);
    waiting.set(reading.queue.waiting);
    active.set(reading.queue.active);
    health.set(reading.healthScore ?? Number.NaN);
    peers.set(reading.peers);
    setTotal(restarts, reading.engine.restarts);
    setTotal(served, reading.served.requests);
    setTotal(tokens, reading.served.tokens);
    setTotal(refused, reading.served.refused);
  }
}

/** Waits by tier against the tier's target, in seconds. @returns what sets them */
function addTierWaits(registry: Registry): (waits: TierWaitReading[]) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['tier'], registers: [registry] });
  const mean = gauge('quarry_queue_wait_mean_seconds', 'Mean wait of the mesh’s requests by tier since the start.');
  const longest = gauge(
    'quarry_queue_wait_max_seconds',
    'Longest wait of the mesh’s requests by tier since the start.',
  );
  const target = gauge('quarry_queue_wait_target_seconds', 'Wait that a tier is meant to have at most.');
  const within = gauge(
    'quarry_queue_wait_within_target_ratio',
    'Share of a tier’s requests within its target, 0 to 1.',
  );
  return (waits) => {
    for (const { tier, meanMs, maxMs, targetMs, withinTarget } of waits) {
      mean.set({ tier }, meanMs / 1_000);
      longest.set({ tier }, maxMs / 1_000);
      if (targetMs !== undefined) target.set({ tier }, targetMs / 1_000);
      if (withinTarget !== undefined) within.set({ tier }, withinTarget);
    }
  };
}

/** For totals that are counted elsewhere. */
function setTotal(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}

/**
 * The process metrics that Prometheus recommends. The library's own set keeps a timer and an observer running that
 * cannot be stopped.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of this process, without its children.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      setTotal(this, (user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_heap_used_bytes',
    help: 'JavaScript heap in use.',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When this process started, in Unix time.',
    registers,
    collect() {
      this.set(performance.timeOrigin / 1000);
    },
  });
}
