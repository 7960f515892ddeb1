import type { Logger } from 'pino';
import { checkGguf } from '../../gguf/model-file.ts';
import type { InferenceBackend, MachineEngine } from '../../inference/backend.ts';
import { measuredGroups } from '../../inference/measured-groups.ts';
import { realGpus } from '../../inference/software-gpu.ts';
import { calibrate } from '../../models/fit/calibrate.ts';
import { ggufProfile } from '../../models/fit/gguf-profile.ts';
import { bytesPerToken } from '../../models/fit/speed.ts';
import type { Calibration, CalibrationKey, CalibrationStore } from '../../store/calibrations.ts';
import { deviceName } from './model-fits.ts';

/** Milliseconds after the start, and between two tries while the engine is at work for others. */
const FIRST_MS = 3_000;
const AGAIN_MS = 60_000;

export interface IdleCalibrationOptions {
  backend: InferenceBackend;
  store: CalibrationStore;
  log: Logger;
  /** Whether the machine has nothing else to do: what is measured beside others is no measure. */
  isQuiet: () => boolean;
}

/** Measures once how fast the loaded model is on this machine, alone and for several at once, at a moment when nobody waits for it and nobody else computes. A resource. */
export class IdleCalibration {
  readonly #backend: InferenceBackend;
  readonly #store: CalibrationStore;
  readonly #log: Logger;
  readonly #isQuiet: () => boolean;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor({ backend, store, log, isQuiet }: IdleCalibrationOptions) {
    this.#backend = backend;
    this.#store = store;
    this.#log = log;
    this.#isQuiet = isQuiet;
  }

  /** @param afterMs milliseconds until the first try; default {@link FIRST_MS} */
  open(afterMs = FIRST_MS): void {
    this.#plan(afterMs);
  }

  /** Gives up a measurement under way. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(delayMs: number): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#try();
    }, delayMs).unref();
  }

  async #try(): Promise<void> {
    try {
      if (!(await this.#isDone())) this.#plan(AGAIN_MS);
    } catch (err) {
      if (!this.#closing.signal.aborted) this.#log.debug({ err }, 'the speed of the model could not be measured');
    }
  }

  /** Whether the figures are there, or there is nothing to measure. */
  async #isDone(): Promise<boolean> {
    const { engine } = this.#backend;
    if (!engine) return true; // it computes elsewhere
    const { model } = this.#backend.status();
    if (model?.tiny || model?.embedsOnly) return true; // they tell nothing of how fast answers are written
    const key = await calibrationKey(this.#backend, engine);
    if (!key) return false;
    const found = await this.#store.find(key);
    if (found && isWhole(found, model?.parallel)) return true;
    if (!this.#isQuiet()) return false;
    const measured = await this.#measure(key, engine);
    if (!measured || !this.#isQuiet()) return false;
    const calibration: Calibration = { ...key, ...measured, measuredAt: Date.now() };
    await this.#store.put(calibration);
    engine.useDecodeCosts(calibration.decodeCosts);
    this.#log.info({ calibration }, 'measured the speed of the model');
    return true;
  }

  async #measure(key: CalibrationKey, engine: MachineEngine) {
    const speed = await calibrate(this.#backend, { signal: this.#closing.signal });
    if (!speed) return undefined;
    const decodeCosts = await engine.measureDecoding({ signal: this.#closing.signal });
    if (decodeCosts.length === 0) return undefined;
    const profile = ggufProfile(await checkGguf(engine.modelPath));
    const { cpu: cpuBytes, gpu: gpuBytes } = bytesPerToken(profile, key.gpuLayers);
    return { ...speed, decodeCosts, cpuBytes, gpuBytes, bits: profile.bits };
  }
}

/** Lets a loaded model decode as was measured to be fastest, if it was. */
export async function useMeasured(backend: InferenceBackend, store: Pick<CalibrationStore, 'find'>): Promise<void> {
  const { engine } = backend;
  const key = engine && (await calibrationKey(backend, engine));
  const found = key && (await store.find(key));
  if (found) engine.useDecodeCosts(found.decodeCosts);
}

/** Measured for as many requests at once as there may be now. */
function isWhole({ decodeCosts }: Calibration, parallel = 1): boolean {
  return decodeCosts.at(-1)?.sequences === measuredGroups(parallel).at(-1);
}

/** What its speed is kept under; undefined while its file is not hashed. */
export async function calibrationKey(
  backend: InferenceBackend,
  engine: MachineEngine,
): Promise<CalibrationKey | undefined> {
  const { model } = backend.status();
  if (!model?.sha256) return undefined; // not loaded, or still being hashed
  const { sha256, threads = 1, gpuLayers = 0 } = model;
  const [gpu] = gpuLayers > 0 ? realGpus(await engine.gpus()) : [];
  return { sha256, threads, gpuLayers, device: gpu ? deviceName(gpu) : 'cpu' };
}
