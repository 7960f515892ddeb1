import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { type CheckedGguf, checkGguf } from '../../gguf/model-file.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import { TINY_MODEL_NAME } from '../../models/model-name.ts';
import { LocalUse } from './local-use.ts';

export interface OtherModelsOptions {
  library: Pick<ModelLibrary, 'names' | 'find'>;
  fits: {
    /** How a file would run beside models that stay loaded. */
    fitBeside(file: CheckedGguf, sha256: string, loaded: readonly InferenceBackend[]): Promise<ModelFit>;
  };
  /** The engine of a model by its name, not open yet. */
  create: (model: string) => Promise<InferenceBackend>;
  /** What is done with it before the first question, once it has loaded its model. Default: nothing. */
  onOpen?: (backend: InferenceBackend, loadedMs: number) => Promise<void>;
  /** The engine of the node's own model, while there is one: it is never freed from here. */
  own: () => InferenceBackend | undefined;
  /** For how long a model stays loaded after its last question. */
  idleMs: number;
  /** Milliseconds of any clock. Default: of this process. */
  now?: () => number;
}

/** How one is loaded. */
export interface LoadOptions {
  signal?: AbortSignal | undefined;
  /** Others that were used within so many milliseconds stay in memory, too. Default 0: only those in use do. */
  sparesMs?: number;
  /** Told when it has room, before it is loaded. */
  onRoom?: (() => void) | undefined;
}

/** A model that is loaded, and stays so until this is disposed of, and a while longer. */
export interface LoadedOther extends Disposable {
  slot: EngineSlot;
}

interface Other {
  slot: EngineSlot;
  use: LocalUse;
  /** Counts uses, not time. */
  lastUsed: number;
  /** When somebody last had it, by {@link OtherModelsOptions.now}. */
  usedAt: number;
}

/**
 * Models of the library beside the node's own: each is loaded when somebody asks for it by name, in an engine child of its own, and freed
 * when it has had no question for a while, or when another needs its memory: the one whose last question was longest ago goes first.
 */
export class OtherModels {
  readonly #options: OtherModelsOptions;
  readonly #others = new Map<string, Other>();
  /** One is loaded at a time: what the next may take is known only then. */
  readonly #turns = new Turns();
  #loading: string | undefined;
  /** Share of their speed at which they work. */
  #speed = 1;
  #uses = 0;
  #closed = false;

  constructor(options: OtherModelsOptions) {
    this.#options = options;
  }

  /** What can be asked for by name, but for the built-in model: nobody wants its answers by chance. */
  async names(): Promise<string[]> {
    return (await this.#options.library.names()).filter((name) => name !== TINY_MODEL_NAME);
  }

  /** Those that are loaded. */
  get loaded(): InferenceBackend[] {
    return [...this.#others.values()].flatMap(({ slot }) => slot.current ?? []);
  }

  /** Answers that they were asked for so far, those that are freed by now too. */
  get asked(): number {
    return [...this.#others.values()].reduce((sum, { slot }) => sum + slot.asked, 0);
  }

  /** Name of the one that is being loaded. */
  get loading(): string | undefined {
    return this.#loading;
  }

  /** From now on they work at this share of their speed, 0–1. */
  setSpeed(share: number): void {
    this.#speed = share;
    for (const { engine } of this.loaded) engine?.setSpeed(share);
  }

  /** Those that are loaded, with when each is freed if nobody asks it, in Unix milliseconds; undefined while it is used. */
  get inMemory(): { backend: InferenceBackend; freesAt: number | undefined }[] {
    return [...this.#others.values()].flatMap(({ slot: { current }, use }) =>
      current ? { backend: current, freesAt: use.freesAt } : [],
    );
  }

  /**
   * Loads a model, if it is not loaded. One that is, or is on its way, waits for no other that is being loaded.
   * @throws MODEL_NOT_FOUND; OUT_OF_MEMORY where it has no room beside those that are in use; what loading throws; CANCELLED when the
   * signal aborts: then a model that is being loaded is loaded to its end, and one that waits for others is not loaded
   */
  async begin(name: string, { signal, ...how }: LoadOptions = {}): Promise<LoadedOther> {
    const here = this.#others.get(name);
    if (here && !here.slot.empty && !this.#closed) return await this.#use(here, signal);
    const loading = this.#turns.take(() => {
      if (signal?.aborted) throw new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });
      return this.#load(name, how);
    });
    try {
      return await unlessAborted(loading, signal);
    } catch (error) {
      loading.then((loaded) => loaded[Symbol.dispose](), ignoring('whoever asked has been told of it'));
      throw error;
    }
  }

  /** Frees what nobody uses, until the node's own model has room. Never throws: whether it has is seen when it is loaded. @param own as the setting names it */
  async giveWay(own: string | undefined): Promise<void> {
    if (this.loaded.length === 0) return;
    await this.#turns
      .take(async () => this.#makeRoom(await this.#options.library.find(own), [], 0))
      .catch(ignoring('loading it says why it cannot be loaded'));
  }

  /** Frees one, if it is loaded and nobody uses it. @returns whether it is not loaded now */
  async free(name: string): Promise<boolean> {
    return await this.#turns.take(async () => {
      const other = this.#others.get(name);
      if (other?.use.isUsed) return false;
      await other?.slot.close();
      return true;
    });
  }

  /** Ends all of them, and loads none any more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { use } of this.#others.values()) use.close();
    await Promise.all([...this.#others.values()].map(({ slot }) => slot.close()));
    await this.#turns.ended();
  }

  /** Its memory is counted once it is loaded: until then the next one waits. */
  async #load(name: string, { sparesMs = 0, onRoom }: Omit<LoadOptions, 'signal'>): Promise<LoadedOther> {
    if (this.#closed) throw new QuarryError({ code: 'CANCELLED', message: say('engine.closing') });
    const other = this.#others.get(name) ?? this.#place(name);
    if (!other.slot.empty) return await this.#use(other);
    this.#loading = name;
    try {
      await this.#makeRoom(await this.#options.library.find(name), this.#own(), sparesMs);
      onRoom?.();
      return await this.#use(other);
    } finally {
      this.#loading = undefined;
    }
  }

  /** From its first line on nobody frees it. */
  async #use(other: Other, signal?: AbortSignal): Promise<LoadedOther> {
    const { slot, use } = other;
    const { now = () => performance.now() } = this.#options;
    other.lastUsed = ++this.#uses;
    const inUse = await use.begin(signal);
    slot.current?.engine?.setSpeed(this.#speed);
    return {
      slot,
      [Symbol.dispose]: () => {
        other.usedAt = now();
        inUse[Symbol.dispose]();
      },
    };
  }

  #place(name: string): Other {
    const { create, onOpen, idleMs } = this.#options;
    const slot = new EngineSlot(() => create(name), undefined, onOpen);
    const other = { slot, use: new LocalUse({ engine: slot, idleMs }), lastUsed: 0, usedAt: Number.NEGATIVE_INFINITY };
    this.#others.set(name, other);
    return other;
  }

  #own(): InferenceBackend[] {
    const own = this.#options.own();
    return own ? [own] : [];
  }

  /** @param beside what stays in memory whatever comes of this @param sparesMs see {@link LoadOptions} @throws OUT_OF_MEMORY where it has no room all the same */
  async #makeRoom(
    { name, path, sha256 }: ModelFile,
    beside: readonly InferenceBackend[],
    sparesMs: number,
  ): Promise<void> {
    const checked = await checkGguf(path);
    for (;;) {
      const fit = await this.#options.fits.fitBeside(checked, sha256, [...beside, ...this.loaded]);
      if (fit.runs !== 'no') return;
      const idle = this.#longestIdle(sparesMs);
      if (!idle) throw noRoom(name, wordsOf(fit, 'reason'));
      await idle.slot.close();
    }
  }

  #longestIdle(sparesMs: number): Other | undefined {
    const { now = () => performance.now() } = this.#options;
    const until = now() - sparesMs;
    const idle = [...this.#others.values()].filter(
      ({ slot, use, usedAt }) => slot.current && !use.isUsed && usedAt <= until,
    );
    return idle.toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
  }
}

function noRoom(name: string, reason: Words): QuarryError {
  return new QuarryError({
    code: 'OUT_OF_MEMORY',
    message: say('engine.noRoomBeside', { name, reason }),
    hint: say('engine.freeAnother'),
    retryable: true,
  });
}
