import { stat } from 'node:fs/promises';
import { ignoring } from '../../base/swallowed.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import type { ModelLoad, ModelLoadStore } from '../../store/model-loads.ts';

/** Below so many bytes a file says how long an engine takes to start, and nothing of how fast the disk is. */
const TELLING_BYTES = 100_000_000;
/** Bytes a millisecond, before a large file was loaded here: what an old hard disk reads. Who waits less than was said is glad. */
const ASSUMED_RATE = 120_000;
/** Milliseconds that an engine takes to start, before one was started here. */
const ASSUMED_START_MS = 2_000;
/** Weight of the latest time: whether a file was in the system's cache differs from one to the next. */
const LATEST = 0.5;

/** How a file is loaded that was never loaded here. */
interface Pace {
  startMs: number;
  /** Bytes a millisecond. */
  rate: number;
}

/**
 * How long models take to be loaded on this machine, as it was measured: of a file that was loaded here, its own time; of another, the
 * least that any took, and its bytes at the rate of the largest file that was loaded.
 */
export class LoadTimes {
  readonly #store: Pick<ModelLoadStore, 'list' | 'put'>;
  readonly #now: () => number;
  readonly #known = new Map<string, ModelLoad>();
  /** Of all that is known; undefined until it is wanted. */
  #pace: Pace | undefined;

  /** @param now Unix milliseconds. Default Date.now */
  constructor(store: Pick<ModelLoadStore, 'list' | 'put'>, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Reads what was measured before. */
  async open(): Promise<void> {
    for (const load of await this.#store.list()) this.#know(load);
  }

  /** Milliseconds, as far as that can be known. */
  expectedMs({ sha256, bytes }: Pick<ModelLoad, 'sha256' | 'bytes'>): number {
    const known = this.#known.get(sha256);
    if (known) return Math.ceil(known.ms);
    this.#pace ??= paceOf([...this.#known.values()]);
    return Math.ceil(this.#pace.startMs + bytes / this.#pace.rate);
  }

  /** A model was loaded, which took so many milliseconds. One that runs elsewhere says nothing. */
  async loaded(backend: InferenceBackend, ms: number): Promise<void> {
    const { engine } = backend;
    const { sha256 } = backend.status().model ?? {};
    const file = engine && (await stat(engine.modelPath).catch(ignoring('a file that is gone is not loaded again')));
    if (!file || sha256 === undefined) return;
    const before = this.#known.get(sha256);
    const blended = before ? before.ms + LATEST * (ms - before.ms) : ms;
    const load = { sha256, bytes: file.size, ms: blended, at: this.#now() };
    this.#know(load);
    await this.#store.put(load);
  }

  #know(load: ModelLoad): void {
    this.#known.set(load.sha256, load);
    this.#pace = undefined;
  }
}

function paceOf(loads: readonly ModelLoad[]): Pace {
  const startMs = loads.length === 0 ? ASSUMED_START_MS : Math.min(...loads.map(({ ms }) => ms));
  const [largest] = loads.toSorted((a, b) => b.bytes - a.bytes);
  const isTelling = largest && largest.bytes >= TELLING_BYTES;
  return { startMs, rate: isTelling ? largest.bytes / Math.max(1, largest.ms) : ASSUMED_RATE };
}
