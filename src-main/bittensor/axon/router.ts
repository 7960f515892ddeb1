import type { Logger } from 'pino';
import type { Place } from '../../../src-preload/contract/place.ts';
import { entryModule } from '../../base/installation.ts';
import { CheckedChild } from '../../process/checked-child.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
import type { RouterDoor } from './axon-service.ts';
import { type RouterReply, type RouterTask, routerReplySchema } from './router-tasks.ts';

const ENTRY = entryModule('bittensor/axon/router-child');
const MEMORY = { memoryMiB: 512, heapMiB: 128 };
/** Milliseconds that a router has to take back what it opened, before its process is ended. */
const GOODBYE_MS = 3_000;

export interface RouterOptions {
  spawner?: ProcessSpawner | undefined;
  /** Where the router describes itself (UPnP). Default: it is looked for. */
  descriptor?: string;
  log: Logger;
}

/** Asks the router to let others in, in a process of its own: everybody on this network may answer in its place. */
export class Router implements RouterDoor {
  readonly #options: RouterOptions;
  readonly #waiting: ((reply: RouterReply | undefined) => void)[] = [];
  #child: CheckedChild<RouterReply> | undefined;
  #closed = false;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** @returns where others come in to that port; undefined where no router does that */
  async open(port: number): Promise<Place | undefined> {
    const { descriptor } = this.#options;
    const reply = await this.#ask({ task: 'open', port, ...(descriptor !== undefined && { descriptor }) });
    return reply?.place ?? undefined;
  }

  /** Lets nobody in any more. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    const isOpen = this.#child !== undefined && this.#waiting.length === 0;
    const left = isOpen ? this.#ask({ task: 'close' }) : undefined;
    this.#closed = true;
    const timer = setTimeout(() => this.#answerAll(), left ? GOODBYE_MS : 0);
    await left;
    clearTimeout(timer);
    this.#answerAll();
    await this.#child?.close();
  }

  #ask(task: RouterTask): Promise<RouterReply | undefined> {
    const { promise, resolve } = Promise.withResolvers<RouterReply | undefined>();
    if (this.#closed) return Promise.resolve(undefined);
    this.#child ??= this.#spawn();
    this.#waiting.push(resolve);
    this.#child.send(task);
    return promise;
  }

  #spawn(): CheckedChild<RouterReply> {
    const { spawner = nodeSpawner, log } = this.#options;
    return new CheckedChild<RouterReply>({
      spawner,
      launch: { name: 'the router’s process', run: ENTRY, env: allowedEnvironment(BASIC_ENVIRONMENT), limits: MEMORY },
      messages: routerReplySchema,
      log,
      onMessage: (reply) => this.#waiting.shift()?.(reply),
      onDeath: (reason) => {
        log.warn({ reason }, 'the router cannot be asked');
        this.#child = undefined;
        this.#answerAll();
      },
    });
  }

  /** Nobody answers any more. */
  #answerAll(): void {
    for (const answer of this.#waiting.splice(0)) answer(undefined);
  }
}
