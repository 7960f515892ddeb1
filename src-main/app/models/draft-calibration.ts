import type { Logger } from 'pino';
import type { InferenceBackend, MachineEngine } from '../../inference/backend.ts';
import type { DraftPair, DraftPairKey, DraftPairStore } from '../../store/draft-pairs.ts';
import { calibrationKey } from './calibration.ts';

/** Milliseconds after a model was loaded, and between two tries while it has something to do. */
const FIRST_MS = 3_000;
const AGAIN_MS = 30_000;

export interface DraftCalibrationOptions {
  store: Pick<DraftPairStore, 'find' | 'put'>;
  log: Logger;
  /** Default {@link FIRST_MS}. */
  afterMs?: number;
}

/**
 * Has models guess ahead where that pays on this machine: what it costs is measured once for each pair of models, at a moment when the engine
 * has nothing to do, and how good the guesses are is kept from one start to the next. A resource.
 */
export class DraftCalibration {
  readonly #options: DraftCalibrationOptions;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #unwatch: () => void = () => undefined;

  constructor(options: DraftCalibrationOptions) {
    this.#options = options;
  }

  /** Looks after this one from now on, in place of the one before: of engines, the node's own has a draft model. */
  watch(backend: InferenceBackend): void {
    const { engine } = backend;
    if (!engine?.draft) return;
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#run(() => this.#begin(backend, engine));
  }

  /** Gives up a measurement under way. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#unwatch();
    await this.#running;
  }

  #run(work: () => Promise<void>): void {
    if (this.#closing.signal.aborted) return;
    this.#running = this.#running.then(work).catch((err: unknown) => {
      if (!this.#closing.signal.aborted)
        this.#options.log.debug({ err }, 'nothing could be measured of the draft model');
    });
  }

  async #begin(backend: InferenceBackend, engine: MachineEngine): Promise<void> {
    const { store, afterMs = FIRST_MS } = this.#options;
    const key = await pairKey(backend, engine);
    const known = key && (await store.find(key));
    if (known) this.#use(engine, known);
    else this.#plan(() => this.#measure(backend, engine), afterMs);
  }

  #plan(work: () => Promise<void>, delayMs: number): void {
    this.#timer = setTimeout(() => this.#run(work), delayMs).unref();
  }

  async #measure(backend: InferenceBackend, engine: MachineEngine): Promise<void> {
    const { state, active, waiting } = backend.status();
    if (state === 'closed' || !engine.draft) return;
    const key = await pairKey(backend, engine);
    const idle = state === 'ready' && active + waiting === 0;
    const costs = key && idle ? await engine.measureDrafting({ signal: this.#closing.signal }) : [];
    if (!key || costs.length === 0) return this.#plan(() => this.#measure(backend, engine), AGAIN_MS);
    const pair = { ...key, costs, rates: undefined };
    await this.#options.store.put(pair);
    this.#options.log.info({ pair }, 'measured what guessing ahead costs');
    this.#use(engine, pair);
  }

  #use(engine: MachineEngine, pair: DraftPair): void {
    engine.useDraftCosts(pair.costs, pair.rates);
    this.#unwatch = engine.onDrafted((rates) => this.#run(() => this.#options.store.put({ ...pair, rates })));
  }
}

async function pairKey(backend: InferenceBackend, engine: MachineEngine): Promise<DraftPairKey | undefined> {
  const key = engine.draft && (await calibrationKey(backend, engine));
  return key && engine.draft && { ...key, draftSha256: engine.draft.sha256 };
}
