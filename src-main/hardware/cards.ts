import type { Card } from '../../src-preload/contract/node.ts';
import { Recent } from '../base/recent.ts';
import type { GpuLoad } from './gpu-load.ts';
import type { GpuInfo } from './report.ts';

/** Cards hardly change; to list them starts llama.cpp for a second. */
const LISTED_MS = 120_000;

export interface CardsOptions {
  /** What the engine or the system lists. */
  gpus: () => Promise<readonly GpuInfo[]>;
  /** What is read of the cards now. */
  loads: () => readonly GpuLoad[];
  /** Unix milliseconds. Default Date.now. */
  now?: (() => number) | undefined;
}

/** The graphics cards of this computer, with what each does now. */
export class Cards {
  readonly #options: CardsOptions;
  readonly #listed: Recent<Promise<readonly GpuInfo[]>>;

  constructor(options: CardsOptions) {
    this.#options = options;
    this.#listed = new Recent(LISTED_MS, options.now);
  }

  /** Cheap: which cards there are is asked every two minutes. */
  async now(): Promise<Card[]> {
    const { gpus, loads } = this.#options;
    const listed = this.#listed.get('') ?? this.#listed.set('', gpus());
    return joinCards(await listed, loads());
  }
}

/**
 * The cards that the engine or the system lists, each with what is read of it now. Several that the engine adds up to one stand apart
 * where their driver tells of each. What is read of others comes last.
 */
export function joinCards(gpus: readonly GpuInfo[], loads: readonly GpuLoad[]): Card[] {
  const told = new Set<GpuLoad>();
  const cards = gpus.flatMap((gpu): Card[] => {
    const names = gpu.devices ?? [gpu.name];
    const take = (name: string): GpuLoad[] => {
      const load = loads.find((each) => !told.has(each) && bareName(each.name) === bareName(name));
      if (load) told.add(load);
      return load ? [load] : [];
    };
    const each = names.flatMap(take);
    const own = each.length > 0 ? each : take(gpu.name); // the engine may tell of several as one
    const { backend } = gpu;
    if (own.length > 0 && own.length === names.length) return own.map((load) => ({ ...load, backend }));
    const { name, vramTotal, vramFree, temperature, watts } = gpu;
    const vramUsed = vramTotal !== undefined && vramFree !== undefined ? vramTotal - vramFree : undefined;
    return [{ name, backend, vramTotal, vramUsed, temperature, watts, ...own[0] }];
  });
  return [...cards, ...loads.filter((load) => !told.has(load))];
}

/** «NVIDIA GeForce RTX 3060» and «GeForce RTX 3060» are one; «GeForce RTX 3060 Ti» is another. */
function bareName(name: string): string {
  return name.replace(/^NVIDIA\s+/i, '').trim();
}
