import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import type { KvCacheType } from '../../../src-preload/contract/long-context.ts';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type CheckedGguf, checkGguf } from '../../gguf/model-file.ts';
import type { EngineGpus } from '../../hardware/gpus.ts';
import { hasAmx, readCpu, readMemory } from '../../hardware/readings.ts';
import { systemInformation } from '../../hardware/system-information.ts';
import type { GpuDevice, InferenceBackend } from '../../inference/backend.ts';
import { listGpus } from '../../inference/host/gpus.ts';
import { ropeOf, vramReserveOf } from '../../inference/host/local-options.ts';
import type { RopeScaling } from '../../inference/rope.ts';
import { realGpus } from '../../inference/software-gpu.ts';
import type { CatalogueEntry } from '../../models/catalogue/catalogue-schema.ts';
import type { RoomOf } from '../../models/fit/advice.ts';
import { catalogueProfile } from '../../models/fit/catalogue-profile.ts';
import { type FitBeside, fitModel } from '../../models/fit/fit-model.ts';
import { ggufProfile } from '../../models/fit/gguf-profile.ts';
import type { FitMachine } from '../../models/fit/machine.ts';
import { memoryNeed, totalBytes } from '../../models/fit/memory.ts';
import type { ModelProfile } from '../../models/fit/model-profile.ts';
import type { ModelFile } from '../../models/library/library.ts';
import type { FixedConfig } from '../../settings/config.ts';
import type { Calibration, CalibrationStore } from '../../store/calibrations.ts';
import { draftBytes } from './draft-room.ts';

/** Milliseconds for which what the machine has free is believed: asking a GPU takes a second. */
const NOTHING_HELD = { ram: 0, vram: 0 };
const FRESH_MS = 10_000;

interface Machine extends FitMachine {
  /** What another model will take beside the one that is asked about. */
  awaited: AwaitedModel | undefined;
  calibrations: Calibration[];
}

/** A model that will be loaded beside any other: the one that reads long files. */
export interface AwaitedModel {
  /** Of its file, 64 hex. */
  sha256: string;
  /** Bytes that it will take of the computer's memory; it takes none of a graphics card's. */
  ram: number;
}

/** What may be tried otherwise than the settings say. */
export interface TriedSettings {
  /** Tokens for one request. */
  contextSize?: number | undefined;
  /** Requests at a time. */
  parallel?: number | undefined;
  /** Layers on the GPU; −1 is as many as fit. */
  gpuLayers?: number | undefined;
  /** What the cache keeps each value as. */
  kvCache?: KvCacheType | undefined;
  /** How positions are scaled. */
  rope?: RopeScaling | undefined;
}

/** How models would run on this machine, with these settings. */
export class ModelFits {
  readonly #config: FixedConfig;
  readonly #store: CalibrationStore;
  readonly #backend: () => InferenceBackend | undefined;
  readonly #listGpus: EngineGpus;
  readonly #awaits: () => Promise<AwaitedModel | undefined>;
  readonly #draft: () => Promise<number>;
  #machine: { at: number; state: Promise<Machine> } | undefined;

  /**
   * @param backend the backend, where the node has one; its engine counts if it is of this machine
   * @param gpus the GPUs that there are, where no engine can say. Default: llama.cpp is asked in a child
   * @param awaits what room is to be left for. Default: nothing
   * @param draft bytes of the computer's memory that the draft model takes beside the node's own. Default: there is none
   */
  constructor(
    config: FixedConfig,
    store: CalibrationStore,
    backend: () => InferenceBackend | undefined,
    gpus: EngineGpus = listGpus,
    awaits: () => Promise<AwaitedModel | undefined> = async () => undefined,
    draft: () => Promise<number> = async () => 0,
  ) {
    this.#draft = draft;
    this.#config = config;
    this.#store = store;
    this.#backend = backend;
    this.#listGpus = gpus;
    this.#awaits = awaits;
  }

  /** @param file the model's file where it is on the disk: its header is right about more than a catalogue is */
  async fit(entry: CatalogueEntry, file: ModelFile | undefined, tried?: TriedSettings): Promise<ModelFit> {
    const checked = file && (await checkGguf(file.path).catch(ignoring('the catalogue’s figures do instead')));
    const profile = checked ? ggufProfile(checked) : catalogueProfile(entry);
    return await this.fitProfile(profile, file?.sha256 ?? entry.sha256, tried);
  }

  /** The same of a file that no catalogue knows. */
  async fitFile(file: CheckedGguf, sha256: string, tried?: TriedSettings): Promise<ModelFit> {
    return await this.fitProfile(ggufProfile(file), sha256, tried);
  }

  /** What advice needs to know of a file. @param sha256 64 hex */
  roomOf(file: CheckedGguf, sha256: string): RoomOf {
    const { parallel, kvCache, rope } = this.#config;
    return {
      model: ggufProfile(file),
      set: { parallel, kvCache, rope: ropeOf(rope) },
      parallelFor: async (tried) => {
        const fit = await this.fitFile(file, sha256, tried);
        return fit.runs === 'no' ? 0 : fit.parallel;
      },
    };
  }

  /** The same of a file that is to be loaded beside these. */
  async fitBeside(file: CheckedGguf, sha256: string, loaded: readonly InferenceBackend[]): Promise<ModelFit> {
    return (await this.beside(loaded))(ggufProfile(file), sha256);
  }

  /**
   * What has room beside these, after one look at the machine: whatever they hold stays taken, also what the system could read anew
   * from their files.
   */
  async beside(loaded: readonly InferenceBackend[]): Promise<FitBeside> {
    const held = await Promise.all(loaded.map((backend) => this.held(backend)));
    const ram = held.reduce((sum, each) => sum + (each?.ram ?? 0), 0);
    const gpus = this.#config.gpuLayers === 0 ? [] : await this.#gpus(loaded);
    const machine = await this.#read(NOTHING_HELD, gpus);
    const freeRam = Math.max(0, Math.min(machine.freeRam, machine.totalRam - ram));
    return (profile, sha256) => this.#fitted(profile, sha256, { ...machine, freeRam });
  }

  /** Estimated bytes that a loaded model takes; undefined when none is loaded, or its file is gone. @param backend default: the node’s own */
  async held(backend = this.#backend()): Promise<{ ram: number; vram: number } | undefined> {
    const engine = backend?.engine;
    const model = backend?.status().model;
    const checked =
      engine &&
      model &&
      (await checkGguf(engine.modelPath).catch(ignoring('its file is gone since; what it holds is not known')));
    if (!checked || !model) return undefined;
    const { contextSize, parallel, gpuLayers = 0, kvCache = 'f16' } = model;
    const plan = { contextSize, parallel, gpuLayers, kvCache, packsWeights: await hasAmx() };
    const { ram, vram } = memoryNeed(ggufProfile(checked), plan);
    const draft = engine.draft ? await draftBytes(engine.draft.path, plan) : 0;
    return { ram: totalBytes(ram) + draft, vram: totalBytes(vram) };
  }

  /** The same of a model that is known by its sizes. @param sha256 of its file, where it is known */
  async fitProfile(profile: ModelProfile, sha256: string | undefined, tried: TriedSettings = {}): Promise<ModelFit> {
    return this.#fitted(profile, sha256, await this.#look(), tried);
  }

  #fitted(
    profile: ModelProfile,
    sha256: string | undefined,
    { calibrations, gpus, awaited, ...machine }: Machine,
    tried: TriedSettings = {},
  ): ModelFit {
    const beside = awaited && awaited.sha256 !== sha256 ? awaited.ram : 0;
    const gpuLayers = tried.gpuLayers ?? this.#config.gpuLayers;
    return fitModel(
      profile,
      { ...machine, freeRam: Math.max(0, machine.freeRam - beside), gpus: gpuLayers === 0 ? [] : gpus },
      {
        gpuLayers,
        contextSize: tried.contextSize ?? this.#config.contextSize ?? DEFAULTS.contextSize,
        parallel: tried.parallel ?? this.#config.parallel,
        kvCache: tried.kvCache ?? this.#config.kvCache,
        rope: tried.rope ?? ropeOf(this.#config.rope),
        calibrations,
        sha256,
      },
    );
  }

  #look(): Promise<Machine> {
    const now = Date.now();
    if (!this.#machine || now - this.#machine.at > FRESH_MS) this.#machine = { at: now, state: this.#readWithout() };
    return this.#machine.state;
  }

  /** As if the node’s own model were not loaded: another would have its memory, because it loads one at a time. Its draft model comes beside it again. */
  async #readWithout(): Promise<Machine> {
    const own = this.#backend();
    const [held, gpus, draft] = await Promise.all([this.held(), this.#gpus(own ? [own] : []), this.#draft()]);
    const { ram, vram } = held ?? NOTHING_HELD;
    return await this.#read({ ram: ram - draft, vram }, gpus);
  }

  /** @param held bytes that count as free */
  async #read(held: { ram: number; vram: number }, gpus: readonly GpuDevice[]): Promise<Machine> {
    const [{ value: memory }, threads, packsWeights, awaited] = await Promise.all([
      readMemory(systemInformation),
      this.#threads(),
      hasAmx(),
      this.#awaits(),
    ]);
    return {
      awaited,
      gpus: gpus.map(({ vramFree, vramTotal, backend }, index) => ({
        freeBytes: Math.min(vramTotal, vramFree + (index === 0 ? held.vram : 0)),
        totalBytes: vramTotal,
        backend,
      })),
      freeRam: Math.max(0, Math.min(memory.total, memory.available + held.ram)),
      totalRam: memory.total,
      threads,
      packsWeights,
      vramReserve: vramReserveOf(this.#config.engine),
      calibrations: await this.#store.on([...gpus.map(deviceName), 'cpu']),
    };
  }

  /** What the engine has, else what it would take: it leaves one core to the rest of the computer. */
  async #threads(): Promise<number> {
    const set = this.#config.threads ?? this.#backend()?.status().model?.threads;
    if (set !== undefined) return set;
    const { value: cpu } = await readCpu(systemInformation);
    return Math.max(1, (cpu?.physicalCores ?? cpu?.logicalCores ?? 2) - 1);
  }

  /** @param backends of which one may know: without, a child has to be started for it */
  async #gpus(backends: readonly InferenceBackend[]): Promise<GpuDevice[]> {
    const ready = backends.find((each) => each.engine && each.status().state === 'ready')?.engine;
    const ask = ready ? ready.gpus() : this.#listGpus();
    return realGpus(
      (await ask.catch(ignoring('without the engine’s list it is judged as a machine without GPU'))) ?? [],
    );
  }
}

/** How calibrations call a GPU. */
export function deviceName({ backend, name }: GpuDevice): string {
  return `${backend} ${name}`;
}
