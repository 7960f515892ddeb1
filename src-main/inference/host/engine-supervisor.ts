import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { CrashBreaker } from '../../process/crash-breaker.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { SupervisedChild } from '../../process/supervised-child.ts';
import type { BackendState } from '../backend.ts';
import {
  type ChildMessage,
  childMessageSchema,
  type HostMessage,
  type LoadedInfo,
  type LoadOptions,
  type RequestEvent,
} from '../engine-protocol.ts';
import { engineLaunch } from './engine-launch.ts';

export interface EngineSupervisorOptions {
  spawner: ProcessSpawner;
  /** Module of the engine child. */
  entry: URL;
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

const ERRORS = {
  name: say('engine.name'),
  crashed: {
    code: 'ENGINE_CRASHED',
    hint: say('engine.sendAgain'),
  },
  unavailable: {
    code: 'ENGINE_UNAVAILABLE',
    hint: say('engine.trySmaller'),
  },
} as const;

/** The supervised child that loads a model: it is ready when the model is. */
export class EngineSupervisor {
  readonly #options: EngineSupervisorOptions;
  readonly #child: SupervisedChild<ChildMessage>;
  #info: LoadedInfo | undefined;

  constructor(options: EngineSupervisorOptions) {
    const { spawner, entry, load, breaker, log, onLost, onBroken } = options;
    this.#options = options;
    this.#child = new SupervisedChild({
      spawner,
      launch: engineLaunch(entry),
      messages: childMessageSchema,
      greeting: { type: 'load', options: load } satisfies HostMessage,
      errors: ERRORS,
      breaker,
      log,
      onMessage: (message) => this.#onMessage(message),
      onLost,
      onBroken,
    });
  }

  get state(): BackendState {
    return this.#child.state;
  }

  /** Of the child that runs, or ran last. */
  get info(): LoadedInfo | undefined {
    return this.#info;
  }

  /** Why it is not ready. */
  get error(): QuarryError | undefined {
    return this.#child.error;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the model is loaded. @throws what loading threw, or ENGINE_UNAVAILABLE when the child keeps dying */
  open(): Promise<void> {
    return this.#child.open();
  }

  send(message: HostMessage): void {
    this.#child.send(message);
  }

  close(): Promise<void> {
    return this.#child.close();
  }

  #onMessage(message: ChildMessage): void {
    if (message.type === 'events') this.#options.onEvents(message.events);
    if (message.type === 'loaded') this.#onLoaded(message.info);
    if (message.type === 'load-failed') this.#child.refuse(new QuarryError(message.error));
  }

  #onLoaded(info: LoadedInfo): void {
    this.#info = info;
    this.#child.ready(info);
    this.#options.onReady();
  }
}
