import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Answering, BackendStatus, GenerateEvent, GenerateOptions, InferenceBackend } from '../backend.ts';

/**
 * A place for an engine that comes and goes while the node stays: `open` makes one and loads its model, `close` ends it
 * and frees its memory, and both may be done again. While it is empty its state is `closed`. Anybody may ask it for an
 * answer; whatever else the engine can is asked of the engine.
 */
export class EngineSlot implements Answering {
  readonly #create: () => Promise<InferenceBackend>;
  readonly #explained: (error: unknown, backend: InferenceBackend) => Promise<unknown>;
  readonly #onOpen: (backend: InferenceBackend, loadedMs: number) => Promise<void>;
  #current: InferenceBackend | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #asked = 0;

  /**
   * @param create makes the engine of the settings of now, not open yet
   * @param explained what is thrown for a failure of opening it. Default: the failure
   * @param onOpen what is done with it before the first request, once it has loaded its model, in so many milliseconds
   */
  constructor(
    create: () => Promise<InferenceBackend>,
    explained: (error: unknown, backend: InferenceBackend) => Promise<unknown> = async (error) => error,
    onOpen: (backend: InferenceBackend, loadedMs: number) => Promise<void> = async () => undefined,
  ) {
    this.#create = create;
    this.#explained = explained;
    this.#onOpen = onOpen;
  }

  /** The engine, while there is one. */
  get current(): InferenceBackend | undefined {
    return this.#current;
  }

  /** Answers that it was asked for so far. */
  get asked(): number {
    return this.#asked;
  }

  /** The engine. @throws ENGINE_UNAVAILABLE while there is none */
  need(): InferenceBackend {
    if (!this.#current) throw this.#emptiness();
    return this.#current;
  }

  /** No engine is here, and none is on its way. */
  get empty(): boolean {
    return this.#opening === undefined;
  }

  /**
   * Makes an engine if there is none, and loads its model; who calls meanwhile waits for the same.
   * @throws what making and opening the engine throws, and CANCELLED when {@link close} came first; the slot is empty then
   */
  open(): Promise<void> {
    if (this.#opening) return this.#opening;
    const opening: Promise<void> = this.#open(() => this.#opening === opening).catch((error: unknown) => {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    });
    this.#opening = opening;
    return opening;
  }

  /** Ends the engine, or gives up one that is being opened; resolves when its memory is free. Idempotent. */
  async close(): Promise<void> {
    const [opening, current] = [this.#opening, this.#current];
    this.#opening = undefined;
    this.#current = undefined;
    this.#closing = Promise.allSettled([this.#closing, current?.close(), opening]).then(() => undefined);
    await this.#closing;
  }

  status(): BackendStatus {
    if (this.#current) return this.#current.status();
    return { state: this.empty ? 'closed' : 'starting', model: undefined, active: 0, waiting: 0 };
  }

  async *generate(request: GenerateRequest, options?: GenerateOptions): AsyncGenerator<GenerateEvent> {
    this.#asked++;
    yield* this.need().generate(request, options);
  }

  async #open(isWanted: () => boolean): Promise<void> {
    await this.#closing; // two models at once may not fit
    const backend = await this.#create();
    if (!isWanted()) throw givenUp();
    this.#current = backend;
    const startedAt = performance.now();
    try {
      await backend.open();
      await this.#onOpen(backend, performance.now() - startedAt);
    } catch (error) {
      if (this.#current === backend) this.#current = undefined;
      await backend.close();
      throw isWanted() ? await this.#explained(error, backend) : givenUp();
    }
  }

  #emptiness(): QuarryError {
    return new QuarryError({
      code: 'ENGINE_UNAVAILABLE',
      message: say(this.empty ? 'engine.noModel' : 'engine.loading'),
      hint: say(this.empty ? 'engine.loadOne' : 'engine.whenThere'),
      retryable: !this.empty,
    });
  }
}

function givenUp(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('engine.closedMeanwhile') });
}
