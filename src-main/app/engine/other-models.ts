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
  onOpen?: (backend: InferenceBackend) => Promise<void>;
  /** The engine of the node's own model, while there is one: it is never freed from here. */
  own: () => InferenceBackend | undefined;
  /** For how long a model stays loaded after its last question. */
  idleMs: number;
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

  /**
   * Loads a model, if it is not loaded.
   * @throws MODEL_NOT_FOUND; OUT_OF_MEMORY where it has no room beside those that are in use; what loading throws; CANCELLED
   */
  async begin(name: string, signal?: AbortSignal): Promise<LoadedOther> {
    const loading = this.#turns.take(() => this.#load(name));
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
      .take(async () => this.#makeRoom(await this.#options.library.find(own), []))
      .catch(ignoring('loading it says why it cannot be loaded'));
  }

  /** Frees one, if it is loaded and nobody uses it. */
  async free(name: string): Promise<void> {
    await this.#turns.take(async () => {
      const other = this.#others.get(name);
      if (other && !other.use.isUsed) await other.slot.close();
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
  async #load(name: string): Promise<LoadedOther> {
    if (this.#closed) throw new QuarryError({ code: 'CANCELLED', message: say('engine.closing') });
    const other = this.#others.get(name) ?? this.#place(name);
    other.lastUsed = ++this.#uses;
    const { slot, use } = other;
    if (slot.empty) await this.#makeRoom(await this.#options.library.find(name), this.#own());
    const inUse = await use.begin();
    return { slot, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
  }

  #place(name: string): Other {
    const { create, onOpen, idleMs } = this.#options;
    const slot = new EngineSlot(() => create(name), undefined, onOpen);
    const other = { slot, use: new LocalUse({ engine: slot, idleMs }), lastUsed: 0 };
    this.#others.set(name, other);
    return other;
  }

  #own(): InferenceBackend[] {
    const own = this.#options.own();
    return own ? [own] : [];
  }

  /** @param beside what stays in memory whatever comes of this @throws OUT_OF_MEMORY where it has no room all the same */
  async #makeRoom({ name, path, sha256 }: ModelFile, beside: readonly InferenceBackend[]): Promise<void> {
    const checked = await checkGguf(path);
    for (;;) {
      const fit = await this.#options.fits.fitBeside(checked, sha256, [...beside, ...this.loaded]);
      if (fit.runs !== 'no') return;
      const idle = this.#longestIdle();
      if (!idle) throw noRoom(name, wordsOf(fit, 'reason'));
      await idle.slot.close();
    }
  }

  #longestIdle(): Other | undefined {
    const idle = [...this.#others.values()].filter(({ slot, use }) => slot.current && !use.isUsed);
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
