import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_MODEL_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import { declaredFile } from '../../inference/verified/declared-file.ts';
import type { EngineInUse, OtherEngines } from '../../mesh/serving/queue/other-engines.ts';
import { servedModel } from '../../mesh/serving/worker.ts';
import { MAX_LOAD_MS, MAX_SERVED_MODELS, type ServedModel } from '../../mesh/transport/messages.ts';
import type { FitBeside } from '../../models/fit/fit-model.ts';
import { ggufProfile } from '../../models/fit/gguf-profile.ts';
import type { ModelProfile } from '../../models/fit/model-profile.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import type { LoadTimes } from './load-times.ts';
import type { OtherModels } from './other-models.ts';

/** Milliseconds between two looks at what is installed, and after how many what has room is judged anew in any case. */
const LOOK_MS = 60_000;
const JUDGED_EVERY = 10;
/** For the mesh nothing is put out of memory that was used within so many milliseconds: people take a while between two questions. */
const SPARES_MS = 300_000;
/** For so many milliseconds a model that could not be loaded is not offered: what was wrong may have been the moment's. */
const BROKEN_MS = 1_800_000;

export interface OfferedModelsOptions {
  library: Pick<ModelLibrary, 'names' | 'list'>;
  fits: {
    /** What has room beside models that stay loaded, after one look at the machine. */
    beside(loaded: readonly InferenceBackend[]): Promise<FitBeside>;
  };
  others: Pick<OtherModels, 'loaded' | 'loading' | 'begin'>;
  /** The engine of the node's own model, while there is one. */
  own: () => InferenceBackend | undefined;
  times: Pick<LoadTimes, 'expectedMs'>;
  /** As the settings have every model computed. */
  computed: Parameters<typeof declaredFile>[0];
  /** Told when what is offered may have changed. */
  onChange: () => void;
  /** Milliseconds of any clock. Default: of this process. */
  now?: () => number;
  log: Logger;
}

/** What was read in a file that writes answers. */
interface ReadModel {
  profile: ModelProfile;
  quantisation: string;
  hasRope: boolean;
}

/** A file that this machine can load beside its own model. */
interface Offer {
  file: ModelFile;
  model: Omit<ServedModel, 'loadMs'>;
}

/**
 * What this node offers the mesh beside its own model: the models of its library that write answers and have room, but for the built-in
 * one. They are looked at from time to time, since files and memory come and go; what is in memory is known at any moment.
 */
export class OfferedModels implements OtherEngines {
  readonly #options: OfferedModelsOptions;
  #offers: Offer[] = [];
  /** Of which models they were found, beside which own one. */
  #seen = '';
  #looks = 0;
  /** What was read in the files that were there at the last look, by SHA-256; null for one that writes no answers. */
  #read = new Map<string, ReadModel | null>();
  /** Files that could not be loaded, by SHA-256, and until when they are not offered. */
  readonly #broken = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: OfferedModelsOptions) {
    this.#options = options;
  }

  /** Looks now, which nobody waits for, and from then on from time to time. */
  open(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch((err: unknown) => this.#options.log.debug({ err }, 'what models can be offered could not be seen'))
      .then(() => this.#lookLater());
  }

  /** Ends a look under way, and does not wait for files that are being hashed. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  get loading(): string | undefined {
    return this.#options.others.loading;
  }

  offered(): ServedModel[] {
    const { own, others, times } = this.#options;
    const here = others.loaded.flatMap((backend) => offeredNow(backend) ?? []);
    const names = new Set([own()?.status().model?.name, ...here.map(({ name }) => name)]);
    const more = this.#offers
      .filter(({ file }) => !names.has(file.name) && !this.#isBroken(file.sha256))
      .map(({ file, model }) => ({ ...model, loadMs: Math.min(MAX_LOAD_MS, times.expectedMs(file)) }))
      .toSorted((a, b) => a.loadMs - b.loadMs);
    return [...here, ...more].slice(0, MAX_SERVED_MODELS - 1);
  }

  async begin(name: string, signal: AbortSignal, onRoom: () => void): Promise<EngineInUse> {
    let hasRoom = false;
    const tell = () => {
      hasRoom = true;
      onRoom();
    };
    try {
      const loaded = await this.#options.others.begin(name, { signal, sparesMs: SPARES_MS, onRoom: tell });
      return { backend: loaded.slot, [Symbol.dispose]: () => loaded[Symbol.dispose]() };
    } catch (error) {
      const passes = ['CANCELLED', 'OUT_OF_MEMORY'].includes(QuarryError.from(error).code);
      if (hasRoom && !passes) this.#hasFailed(name, error);
      throw error;
    }
  }

  /** Sees what is installed, and which of it has room beside the own model: without that nothing is offered, and no engine knows the GPUs. */
  async #look(): Promise<void> {
    const { library, own, onChange } = this.#options;
    const ownName = own()?.status().model?.name;
    if (ownName === undefined) return;
    const seen = [ownName, ...(await library.names())].join('\n');
    if (seen === this.#seen && ++this.#looks % JUDGED_EVERY !== 0) return;
    const before = JSON.stringify(this.#offers);
    const files = await unlessAborted(library.list(), this.#closing.signal);
    const offers = await this.#haveRoom(files.filter(({ tiny, name }) => !tiny && name.length <= MAX_MODEL_NAME_CHARS));
    if (this.#closing.signal.aborted) return;
    this.#offers = offers;
    this.#seen = seen;
    if (JSON.stringify(offers) !== before) onChange();
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => this.open(), LOOK_MS).unref();
  }

  /** The machine is looked at once for all of them, and a file is read when it is first seen. */
  async #haveRoom(files: readonly ModelFile[]): Promise<Offer[]> {
    const { fits, own } = this.#options;
    const fit = await fits.beside([own() ?? []].flat());
    const [before, offers] = [this.#read, [] as Offer[]];
    this.#read = new Map();
    for (const file of files) {
      if (this.#closing.signal.aborted) break;
      const { sha256 } = file;
      const known = before.get(sha256);
      const read = known === undefined ? await this.#readFile(file) : known;
      if (read !== undefined) this.#read.set(sha256, read);
      const model = read && this.#modelOf(file, read, fit);
      if (model) offers.push({ file, model });
    }
    return offers;
  }

  /** @returns null where it writes no answers, undefined where it cannot be read now */
  async #readFile({ name, path }: ModelFile): Promise<ReadModel | null | undefined> {
    try {
      const checked = await checkGguf(path);
      const { embeddingModel, quantisation, hasRope } = checked.facts;
      return embeddingModel ? null : { profile: ggufProfile(checked), quantisation, hasRope };
    } catch (err) {
      this.#options.log.debug({ err, model: name }, 'a model is not offered');
      return undefined;
    }
  }

  /** @returns undefined where it has no room */
  #modelOf(
    { name, sha256 }: ModelFile,
    { profile, quantisation, hasRope }: ReadModel,
    fit: FitBeside,
  ): Offer['model'] | undefined {
    const { others, computed } = this.#options;
    const { runs, contextSize } = fit(profile, sha256);
    // What others hold now may be freed for it: then it is as it was seen before.
    const known = this.#offers.find((each) => each.file.sha256 === sha256)?.model;
    if (runs === 'no') return others.loaded.length > 0 ? known : undefined;
    const declared = declaredFile({ ...computed, sha256, rope: hasRope ? computed.rope : undefined });
    return { name, sha256: declared, quantisation, contextSize };
  }

  /** A node that offers what it cannot load disappoints everybody who asks for it. */
  #hasFailed(name: string, err: unknown): void {
    const offer = this.#offers.find(({ file }) => file.name === name);
    if (!offer) return;
    this.#broken.set(offer.file.sha256, this.#now() + BROKEN_MS);
    this.#options.log.warn(
      { err, model: name },
      'a model could not be loaded for the mesh: it is not offered for half an hour',
    );
    this.#options.onChange();
  }

  #isBroken(sha256: string): boolean {
    return this.#now() < (this.#broken.get(sha256) ?? Number.NEGATIVE_INFINITY);
  }

  #now(): number {
    const { now = () => performance.now() } = this.#options;
    return now();
  }
}

/** What is in memory; undefined while it is being loaded, and where it writes no answers. */
function offeredNow(backend: InferenceBackend): ServedModel | undefined {
  const { state, model } = backend.status();
  return state === 'ready' && model && !model.embedsOnly ? servedModel(model) : undefined;
}
