import type { Logger } from 'pino';
import type { Refusal } from '../../src-preload/contract/node.ts';
import { type Said, type Saying, say, told } from '../../src-preload/contract/saying.ts';
import { ListenerSet } from '../base/listener-set.ts';
import { openPlaces } from '../base/open-places.ts';
import {
  CAPACITY,
  type HealthParts,
  type HealthState,
  type HealthUse,
  healthParts,
  healthScore,
  healthState,
  occupation,
  smoothLoad,
  weakest,
} from './health-score.ts';
import { type Sample, type Sampler, type Usage, usageBetween } from './sample.ts';

/** How well this node can take work now. */
export interface Health {
  /** 0–100. */
  score: number;
  state: HealthState;
  parts: HealthParts;
  use: HealthUse;
  /** Percent of the queue that is open: 100, 80, 60, 40 or 0. */
  capacity: number;
  accepting: boolean;
  /** Why work is refused, for programs and for a person; absent while it is accepted. */
  refusal?: Refusal;
  reason?: string;
  said?: Said;
  /** Who uses the CPU; absent until two samples were taken. */
  usage?: Usage;
}

export interface HealthOptions {
  sampler: Sampler;
  log: Logger;
  /** Milliseconds between samples. Default 2,000. */
  intervalMs?: number;
}

/** Requests that wait, and how many may. */
export interface QueueLoad {
  length: number;
  capacity: number;
}

type Admission = Pick<Health, 'accepting' | 'refusal' | 'reason' | 'said'>;

/** CPU or memory above this share … */
const STRAIN = 0.9;
/** … for this many milliseconds means no more work. */
const SUSTAINED_MS = 10_000;

/** Watches the machine and says how healthy this node is. A resource. */
export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #listeners = new ListenerSet();
  #timer: NodeJS.Timeout | undefined;
  #sampling: Promise<void> | undefined;
  #last: Sample | undefined;
  #usage: Usage | undefined;
  #load: number | undefined;
  #cpuHighSince: number | undefined;
  #memoryHighSince: number | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Takes the first sample, then one every interval. */
  async open(): Promise<void> {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.sample(), this.#options.intervalMs ?? 2_000);
    await this.sample();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
    await this.#sampling;
  }

  /** Calls back after every sample. @returns what ends that */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** Samples now; while one is being taken, waits for that one. Never throws: a failed sample leaves the last one. */
  async sample(): Promise<void> {
    this.#sampling ??= this.#sample().finally(() => {
      this.#sampling = undefined;
    });
    await this.#sampling;
  }

  /** From the last sample and the queue as it is now; cheap. Until two samples were taken, the CPU counts as idle. */
  current({ length, capacity }: QueueLoad): Health {
    const parts = healthParts({
      othersCpu: this.#usage?.others ?? 0,
      load: this.#load ?? 0,
      memoryAvailable: this.#last?.memoryAvailable ?? 0,
      memoryTotal: this.#last?.memoryTotal ?? 0,
      queueLength: length,
      queueCapacity: capacity,
    });
    const score = healthScore(parts);
    const state = healthState(score);
    const open = CAPACITY[state];
    const admission = this.#admission(state, length, openPlaces(capacity, { capacity: open }));
    const use = this.#use(parts, limiting(admission.refusal, parts));
    return { score, state, parts, use, capacity: open, ...admission, usage: this.#usage };
  }

  #use(parts: HealthParts, limit: keyof HealthUse | undefined): HealthUse {
    const percent = (share: number) => Math.round(Math.min(100, Math.max(0, share)));
    const of = (name: keyof HealthUse, share: number) => ({ percent: percent(share), limits: name === limit });
    const cpu = of('cpu', 100 * (this.#usage?.busy ?? 0));
    return { cpu, memory: of('memory', 100 - parts.memory), queue: of('queue', 100 - parts.queue) };
  }

  async #sample(): Promise<void> {
    try {
      const sample = await this.#options.sampler();
      this.#take(sample);
      this.#listeners.tell();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'health sample failed');
    }
  }

  #take(sample: Sample): void {
    const before = this.#last;
    this.#last = sample;
    this.#memoryHighSince = since(this.#memoryHighSince, 1 - sample.memoryAvailable / sample.memoryTotal, sample.at);
    const usage = before && usageBetween(before, sample);
    if (!before || !usage) return;
    this.#usage = usage;
    this.#load = smoothLoad(this.#load, occupation(usage), sample.at - before.at);
    this.#cpuHighSince = since(this.#cpuHighSince, usage.others, sample.at);
  }

  #admission(state: HealthState, length: number, limit: number): Admission {
    if (state === 'overloaded') return refuse('overloaded', say('health.overloaded'));
    if (length >= limit) return refuse('queue-full', say('health.queueFull', { length }));
    if (this.#sustained(this.#cpuHighSince)) {
      return refuse('cpu', say('health.cpu'));
    }
    if (this.#sustained(this.#memoryHighSince)) {
      return refuse('memory', say('health.memory'));
    }
    return { accepting: true };
  }

  #sustained(start: number | undefined): boolean {
    return start !== undefined && this.#last !== undefined && this.#last.at - start >= SUSTAINED_MS;
  }
}

/** What the node refuses work for. */
function limiting(refusal: Refusal | undefined, parts: HealthParts): keyof HealthUse | undefined {
  if (refusal === 'queue-full') return 'queue';
  if (refusal === 'cpu' || refusal === 'memory') return refusal;
  return refusal === 'overloaded' ? weakest(parts) : undefined;
}

function refuse(refusal: Refusal, reason: Saying): Admission {
  return { accepting: false, refusal, ...told({ reason }) };
}

/** When the strain began that still lasts. */
function since(start: number | undefined, share: number, at: number): number | undefined {
  return share > STRAIN ? (start ?? at) : undefined;
}
