import type { Logger } from 'pino';
import { QuarryError, type QuarryErrorInit } from '../../src-preload/contract/errors.ts';
import { type Saying, say, type Words, wordsOf } from '../../src-preload/contract/saying.ts';
import { CheckedChild, type CheckedChildOptions } from './checked-child.ts';
import type { CrashBreaker } from './crash-breaker.ts';

/** `restarting`: it died and comes back. `broken`: it does not come back for now. */
export type ChildState = 'closed' | 'starting' | 'ready' | 'restarting' | 'broken';

type Remedy = Pick<QuarryErrorInit, 'code' | 'hint'>;

export interface SupervisedChildOptions<Message> extends Omit<CheckedChildOptions<Message>, 'onDeath' | 'log'> {
  log: Logger;
  breaker: CrashBreaker;
  /** What each new child is told first. It is ready when {@link SupervisedChild.ready} is called. */
  greeting: () => object;
  /** What the child is called, where that has words; what it means to a person that it died, and that it is given up. */
  errors: { name?: Saying; crashed: Remedy; unavailable: Remedy };
  /** The child died; another one is on its way. */
  onLost: (error: QuarryError) => void;
  /** No other one comes for now. */
  onBroken: (error: QuarryError) => void;
}

/**
 * Keeps a child running: starts it, starts it again when it dies, later each time, and gives up for a while when it dies
 * too often. Whether it is ready for work, or cannot be, says whoever understands its messages.
 */
export class SupervisedChild<Message> {
  readonly #options: SupervisedChildOptions<Message>;
  #state: ChildState = 'closed';
  #child: CheckedChild<Message> | undefined;
  /** Until all that were ended are gone. */
  #ending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #opening: PromiseWithResolvers<void> | undefined;
  #error: QuarryError | undefined;

  constructor(options: SupervisedChildOptions<Message>) {
    this.#options = options;
  }

  get state(): ChildState {
    return this.#state;
  }

  /** Why it is not ready. */
  get error(): QuarryError | undefined {
    return this.#error;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it is ready. @throws what {@link refuse} was given, or `errors.unavailable` when it keeps dying */
  async open(): Promise<void> {
    if (this.#state === 'ready') return;
    if (!this.#opening) {
      this.#opening = Promise.withResolvers();
      this.#state = 'starting';
      this.#error = undefined;
      this.#options.breaker.reset();
      if (!this.#child) this.#start();
    }
    await this.#opening.promise;
  }

  /** Lost while the child is not ready. @throws OVERLOADED while too much waits to be read by it; only this is lost */
  send(message: object): void {
    if (this.#state === 'ready') this.#child?.send(message);
  }

  /** The child has said that it can work. @param details for the log */
  ready(details: object): void {
    const { breaker, log, launch } = this.#options;
    breaker.recovered();
    this.#state = 'ready';
    this.#error = undefined;
    log.info({ ...details, pid: this.pid }, `${launch.name} is ready`);
    this.#settle();
  }

  /**
   * The child has said that it cannot work: it is ended. While it opens that is for good, since what it was told is to
   * blame; later it may only have met a bad moment.
   */
  refuse(error: QuarryError): void {
    this.#end();
    if (this.#state === 'starting') this.#break(error);
    else this.#onFailure(error);
  }

  /** Ends the child; resolves when nothing of it is left. It can be opened again. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = 'closed';
    this.#settle(new QuarryError({ code: 'CANCELLED', message: say('child.closed', { name: this.#name }) }));
    this.#end();
    await this.#ending;
  }

  #end(): void {
    this.#ending = Promise.all([this.#ending, this.#child?.close()]).then(() => undefined);
    this.#child = undefined;
  }

  #start(): void {
    clearTimeout(this.#timer);
    const { heartbeat } = this.#options;
    this.#child = new CheckedChild({
      ...this.#options,
      // Whatever it does until it is ready, it may do without a word.
      heartbeat: heartbeat && { ...heartbeat, isDue: () => this.#state === 'ready' && heartbeat.isDue() },
      onDeath: (reason) => this.#onDeath(reason),
    });
    this.#child.send(this.#options.greeting());
  }

  #onDeath(reason: Words): void {
    this.#child = undefined;
    const { crashed } = this.#options.errors;
    this.#onFailure(
      new QuarryError({ ...crashed, message: say('child.died', { name: this.#name, reason }), retryable: true }),
    );
  }

  #onFailure(error: QuarryError): void {
    const { breaker, launch, log, onLost } = this.#options;
    const delay = breaker.fail();
    log.error({ err: error, delay, open: breaker.isOpen }, `${launch.name} failed`);
    this.#timer = setTimeout(() => this.#start(), delay);
    onLost(error);
    if (this.#state === 'closed') return; // by whoever was told
    if (breaker.isOpen) this.#break(this.#unavailable(error, delay));
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

  #unavailable(last: QuarryError, retryAfterMs: number): QuarryError {
    const { breaker, errors } = this.#options;
    return new QuarryError(
      {
        ...errors.unavailable,
        message: say('child.broken', { name: this.#name, ...breaker.limit, last: wordsOf(last, 'message') }),
        retryable: true,
        retryAfterMs,
      },
      { cause: last },
    );
  }

  /** At the beginning of a sentence. */
  get #name(): Words {
    const { launch, errors } = this.#options;
    const { name } = launch;
    return errors.name ?? name.charAt(0).toUpperCase() + name.slice(1);
  }
}
