import { readFile } from 'node:fs/promises';
import { ignoring } from '../base/swallowed.ts';
import type { GpuDevice } from '../inference/backend.ts';
import { realGpus } from '../inference/software-gpu.ts';
import { EnergyMeter } from './energy-meter.ts';
import { type GpuLoad, nvidiaLoad } from './gpu-load.ts';

export interface GaugesOptions {
  /** What the engine sees while a model is loaded; undefined while none is. */
  engineGpus: () => Promise<GpuDevice[]> | undefined;
  /** Default: nvidia-smi is asked. Throws where there is no such tool. */
  gpuLoad?: () => Promise<GpuLoad[]>;
  /** Joules that the processor has used so far; undefined where nobody tells. Default: Linux is asked. */
  cpuJoules?: () => Promise<number | undefined>;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Told after each look how many joules were used since the one before. */
  onUsed?: (joules: number) => void;
  /** Milliseconds between looks. Default 10,000. */
  intervalMs?: number;
}

/** Percent in use. */
export interface GpuUse {
  gpu?: number;
  vram?: number;
}

/** Watts by what takes them; empty where nobody tells. */
export type Power = Partial<Record<'gpu' | 'cpu', number>>;

/** Milliseconds until a computer without the driver's tool is asked for it again. */
const NO_TOOL_MS = 600_000;

/** How much the graphics cards have to do, and what power is drawn: looked at from time to time. A resource. */
export class Gauges {
  readonly #options: GaugesOptions;
  readonly #now: () => number;
  readonly #meter = new EnergyMeter();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #noToolUntil = 0;
  #joules: { at: number; value: number } | undefined;
  #cards: GpuLoad[] = [];
  #power: Power = {};

  constructor(options: GaugesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Does not wait for the first look. Idempotent. */
  open(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.look(), this.#options.intervalMs ?? 10_000).unref();
    void this.look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** What each card does, as its driver tells, else what the engine sees of their memory; empty where nobody can tell. */
  get cards(): readonly GpuLoad[] {
    return this.#cards;
  }

  /** Of the card that is used most; empty where nobody can tell. */
  get use(): GpuUse {
    return useOf(this.#cards);
  }

  get power(): Power {
    return this.#power;
  }

  /** Looks now; while one look is under way, waits for it. Never throws. */
  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #look(): Promise<void> {
    const [cards, cpu] = await Promise.all([this.#driverCards(), this.#cpuWatts()]);
    const gpu = sum(cards.flatMap(({ watts }) => watts ?? []));
    this.#power = { ...(gpu !== undefined && { gpu }), ...(cpu !== undefined && { cpu }) };
    this.#cards = cards.length > 0 ? cards : await this.#engineCards();
    const joules = this.#meter.take(sum(Object.values(this.#power)), this.#now());
    if (joules > 0) this.#options.onUsed?.(joules);
  }

  async #driverCards(): Promise<GpuLoad[]> {
    if (this.#now() < this.#noToolUntil) return [];
    try {
      return await (this.#options.gpuLoad ?? nvidiaLoad)();
    } catch {
      this.#noToolUntil = this.#now() + NO_TOOL_MS;
      return []; // other makers' cards have no such tool
    }
  }

  async #engineCards(): Promise<GpuLoad[]> {
    const gpus = await this.#options.engineGpus()?.catch(ignoring('an engine that comes or goes says nothing'));
    return realGpus(gpus ?? []).map(({ name, vramTotal, vramFree }) => {
      return { name, vramTotal, vramUsed: vramTotal - vramFree };
    });
  }

  /** By the difference of two looks. */
  async #cpuWatts(): Promise<number | undefined> {
    const value = await (this.#options.cpuJoules ?? raplJoules)();
    const [before, at] = [this.#joules, this.#now()];
    this.#joules = value === undefined ? undefined : { at, value };
    if (value === undefined || !before || at <= before.at || value < before.value) return undefined;
    return ((value - before.value) * 1_000) / (at - before.at);
  }
}

function useOf(cards: readonly GpuLoad[]): GpuUse {
  const gpu = most(cards.flatMap(({ busy }) => busy ?? []));
  const vram = most(
    cards.flatMap(({ vramUsed, vramTotal }) => (vramTotal && vramUsed !== undefined ? vramUsed / vramTotal : [])),
  );
  return { ...(gpu !== undefined && { gpu }), ...(vram !== undefined && { vram }) };
}

function most(shares: readonly number[]): number | undefined {
  return shares.length > 0 ? Math.round(100 * Math.min(1, Math.max(0, ...shares))) : undefined;
}

function sum(values: readonly number[]): number | undefined {
  return values.length > 0 ? values.reduce((total, value) => total + value, 0) : undefined;
}

/** What Linux counts for the whole processor; most systems let only administrators read it. */
async function raplJoules(): Promise<number | undefined> {
  const path = '/sys/class/powercap/intel-rapl:0/energy_uj';
  const text = await readFile(path, 'utf8').catch(ignoring('most systems do not tell'));
  return text === undefined ? undefined : Number(text) / 1e6;
}
