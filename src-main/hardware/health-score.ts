/** Best first. */
export const HEALTH_STATES = ['idle', 'light', 'moderate', 'busy', 'overloaded'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Percent of the queue that is open in each state (QMesh, §Capacity). */
export const CAPACITY: Record<HealthState, number> = { idle: 100, light: 80, moderate: 60, busy: 40, overloaded: 0 };

/** A score above this is at least that state (QMesh, §Health). */
const STATE_ABOVE: Record<HealthState, number> = { idle: 80, light: 60, moderate: 40, busy: 20, overloaded: -1 };

/** Each 0–100, 100 is best. */
export interface HealthParts {
  cpu: number;
  memory: number;
  load: number;
  queue: number;
}

/** What of the machine is in use: percent, 100 is all; and which of it the node refuses work for. */
export type HealthUse = Record<'cpu' | 'memory' | 'queue', { percent: number; limits: boolean }>;

/** Share of the score that each part has (QMesh, §Health). */
const WEIGHTS: HealthParts = { cpu: 0.3, memory: 0.3, load: 0.2, queue: 0.2 };

export interface HealthInputs {
  /** Share of the machine's CPU that others use now, 0–1. */
  othersCpu: number;
  /** The smoothed {@link occupation} of the last minute, 0–1. */
  load: number;
  memoryAvailable: number;
  memoryTotal: number;
  /** Requests waiting, and how many may wait. */
  queueLength: number;
  queueCapacity: number;
}

/**
 * The four parts of the score.
 *
 * The original takes CPU use and the load average of the whole machine. A worker that decodes on the CPU would then
 * call itself overloaded by doing its job, and Windows has no load average. So:
 * - cpu looks at what *others* use: 100 · (1 − others). Quarry's own use is others' only beyond its engine's share.
 * - load looks at everything, own work included: 100 · (1 − {@link occupation}, smoothed over a minute).
 * - memory is 100 · available / total; queue is 100 · (1 − length / capacity).
 *
 * On a machine that nobody else uses, cpu stays at 100 and the score at 30 or above: own work alone never overloads it.
 */
export function healthParts(inputs: HealthInputs): HealthParts {
  const { othersCpu, load, memoryAvailable, memoryTotal, queueLength, queueCapacity } = inputs;
  return {
    cpu: percent(1 - othersCpu),
    memory: percent(ratio(memoryAvailable, memoryTotal)),
    load: percent(1 - load),
    queue: percent(queueCapacity > 0 ? 1 - queueLength / queueCapacity : 0),
  };
}

/**
 * Which part costs the score most, as people know it: the load is the processor’s. Undefined while nothing costs it anything.
 */
export function weakest({ cpu, memory, load, queue }: HealthParts): keyof HealthUse | undefined {
  const costs = [
    ['cpu', WEIGHTS.cpu * (100 - cpu) + WEIGHTS.load * (100 - load)],
    ['memory', WEIGHTS.memory * (100 - memory)],
    ['queue', WEIGHTS.queue * (100 - queue)],
  ] as const;
  const [name, cost] = costs.toSorted(([, a], [, b]) => b - a)[0] ?? [undefined, 0];
  return cost > 0 ? name : undefined;
}

/** 0–100, whole. */
export function healthScore(parts: HealthParts): number {
  const { cpu, memory, load, queue } = WEIGHTS;
  return Math.round(cpu * parts.cpu + memory * parts.memory + load * parts.load + queue * parts.queue);
}

export function healthState(score: number): HealthState {
  return HEALTH_STATES.find((state) => score > STATE_ABOVE[state]) ?? 'overloaded';
}

/**
 * How occupied the machine is for the mesh, 0–1: what others use of it, plus how much of the engine's own share is in
 * use. An engine that decodes without pause is fully occupied although half of a machine may be idle.
 */
export function occupation(usage: { others: number; engine: number }): number {
  return Math.min(1, usage.others + usage.engine);
}

const MINUTE_MS = 60_000;

/**
 * The load: {@link occupation} smoothed exponentially with a time constant of one minute, as load averages are. It is
 * made from CPU times alone, so it means the same on every system. The first sample is taken as it is.
 */
export function smoothLoad(previous: number | undefined, sample: number, elapsedMs: number): number {
  if (previous === undefined) return sample;
  const keep = Math.exp(-elapsedMs / MINUTE_MS);
  return previous * keep + sample * (1 - keep);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function percent(share: number): number {
  return 100 * Math.min(1, Math.max(0, share));
}
