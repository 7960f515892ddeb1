import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { CrashBreaker } from '../../process/crash-breaker.ts';
import type { BackendState } from '../backend.ts';
import type { ChildMessage, HostMessage, LoadedInfo, LoadOptions, RequestEvent } from '../engine-protocol.ts';
import type { EngineProcess, EngineProcessOptions } from './engine-process.ts';

export interface EngineSupervisorOptions {
  launch: (listeners: Pick<EngineProcessOptions, 'onMessage' | 'onDeath'>) => EngineProcess;
  load: LoadOptions;
  breaker: CrashBreaker;
  log: Logger;
  onReady: () => void;
  onEvents: (events: RequestEvent[]) => void;
  /** The child died; another one is on its way. */
  onLost: (error: QuarryError) => void;
  /** No other one comes for now. */
  onBroken: (error: QuarryError) => void;
}

/**
 * Keeps an engine child running: starts it, loads the model, starts it again when it dies, later each time, and gives
 * up for a while when it dies too often.
 */
export class EngineSupervisor {
  readonly #options: EngineSupervisorOptions;
  #state: BackendState = 'closed';
  #process: EngineProcess | undefined;
  /** A child that could not load the model, until it is gone. */
  #ending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #opening: PromiseWithResolvers<void> | undefined;
  #info: LoadedInfo | undefined;
  #error: QuarryError | undefined;

  constructor(options: EngineSupervisorOptions) {
    this.#options = options;
  }

  get state(): BackendState {
    return this.#state;
  }

  /** Of the child that runs, or ran last. */
  get info(): LoadedInfo | undefined {
    return this.#info;
  }

  /** Why it is not ready. */
  get error(): QuarryError | undefined {
    return this.#error;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the model is loaded. @throws what loading threw, or ENGINE_UNAVAILABLE when the child keeps dying */
  async open(): Promise<void> {
    if (this.#state === 'ready') return;
    if (!this.#opening) {
      this.#opening = Promise.withResolvers();
      this.#state = 'starting';
      this.#error = undefined;
      this.#options.breaker.reset();
      if (!this.#process) this.#start();
    }
    await this.#opening.promise;
  }

  send(message: HostMessage): void {
    if (this.#state === 'ready') this.#process?.send(message);
  }

  /** Closes the breaker and starts the engine now, if it is not running. */
  reset(): void {
    this.#options.breaker.reset();
    if (this.#state !== 'broken' && this.#state !== 'restarting') return;
    this.#state = 'restarting';
    if (!this.#process) this.#start();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = 'closed';
    this.#settle(new QuarryError({ code: 'CANCELLED', message: 'The engine was closed while it was starting.' }));
    const process = this.#process;
    this.#process = undefined;
    await Promise.all([process?.close(), this.#ending]);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#process = this.#options.launch({
      onMessage: (message) => this.#onMessage(message),
      onDeath: (reason) => this.#onDeath(reason),
    });
    this.#process.send({ type: 'load', options: this.#options.load });
  }

  #onMessage(message: ChildMessage): void {
    if (message.type === 'events') this.#options.onEvents(message.events);
    if (message.type === 'loaded') this.#onLoaded(message.info);
    if (message.type === 'load-failed') this.#onLoadFailed(new QuarryError(message.error));
  }

  #onLoaded(info: LoadedInfo): void {
    this.#options.breaker.recovered();
    this.#info = info;
    this.#state = 'ready';
    this.#error = undefined;
    this.#options.log.info({ ...info, pid: this.pid }, 'the engine is ready');
    this.#settle();
    this.#options.onReady();
  }

  /** The first load fails for good: the file or the machine is to blame. A later one may only have met a bad moment. */
  #onLoadFailed(error: QuarryError): void {
    const process = this.#process;
    this.#process = undefined;
    this.#ending = process?.close();
    if (this.#state === 'starting') this.#break(error);
    else this.#onFailure(error);
  }

  #onDeath(reason: string): void {
    this.#process = undefined;
    this.#onFailure(
      new QuarryError({
        code: 'ENGINE_CRASHED',
        message: `The inference engine ${reason}.`,
        hint: 'Send the request again: the engine is being restarted.',
        retryable: true,
      }),
    );
  }

  #onFailure(error: QuarryError): void {
    const { breaker, log, onLost } = this.#options;
    const delay = breaker.fail();
    log.error({ err: error, delay, open: breaker.isOpen }, 'the engine failed');
    this.#timer = setTimeout(() => this.#start(), delay);
    onLost(error);
    if (breaker.isOpen) this.#break(unavailable(error, delay));
    else this.#wait(error);
  }

  #wait(error: QuarryError): void {
    if (this.#state !== 'starting') this.#state = 'restarting';
    this.#error = error;
  }

  #break(error: QuarryError): void {
    this.#state = 'broken';
    this.#error = error;
    this.#options.onBroken(error);
    this.#settle(error);
  }

  /** Whoever waits for the opening is told how it ended. */
  #settle(error?: QuarryError): void {
    if (error) this.#opening?.reject(error);
    else this.#opening?.resolve();
    this.#opening = undefined;
  }
}

function unavailable(last: QuarryError, retryAfterMs: number): QuarryError {
  return new QuarryError(
    {
      code: 'ENGINE_UNAVAILABLE',
      message: `The inference engine failed three times within a minute and is switched off for now. ${last.message}`,
      hint: 'Try a smaller model or GPU_LAYERS=0; `quarry doctor` checks the machine. It is tried again by itself later.',
      retryable: true,
      retryAfterMs,
    },
    { cause: last },
  );
}
