import { setImmediate as breath } from 'node:timers/promises';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { CheckedChild, type CheckedChildOptions } from '../../process/checked-child.ts';
import { CrashBreaker } from '../../process/crash-breaker.ts';
import { type failureSchema, revived } from '../../process/failure.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';

export interface ChildTimes {
  /** It ends, and gives its memory back, when it was asked nothing for so long, milliseconds. Default: five minutes. */
  idleMs?: number | undefined;
  /** What takes longer hangs. Default: five minutes; the first thing that is asked waits for the models, too. */
  mostMs?: number | undefined;
}

export interface AskedChildOptions<Report>
  extends Pick<CheckedChildOptions<Report>, 'launch' | 'messages'>,
    ChildTimes {
  /** Default: a process of Node. */
  spawner?: ProcessSpawner | undefined;
  /** What each new one is told first. */
  greeting: object;
  /** What is said where it dies. */
  died: (reason: Words) => Saying;
  /** Default: three deaths in a minute, and it is left alone for half a minute. */
  breaker?: CrashBreaker | undefined;
}

/** What every answer has. */
type Answer = { id: number } | { id: number; failed: z.infer<typeof failureSchema> };

const MINUTES_MS = 5 * 60_000;

/**
 * A process that is asked one thing after another. It starts with the first of them, is started anew where it died, and ends where nothing is asked for long.
 * A resource: after {@link close} nothing of it is left.
 */
export class AskedChild<Report extends Answer> {
  readonly #options: AskedChildOptions<Report>;
  readonly #breaker: CrashBreaker;
  readonly #turns = new Turns();
  #child: CheckedChild<Report> | undefined;
  #waiting: { id: number; answer: PromiseWithResolvers<Report> } | undefined;
  #ending: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #notBefore = 0;
  #lastId = 0;
  #closed = false;

  constructor(options: AskedChildOptions<Report>) {
    this.#options = options;
    this.#breaker = options.breaker ?? new CrashBreaker(() => performance.now());
  }

  /** Undefined where none runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * @param parts what is sent, in this order, each a message with the number of what is asked; the last one is the question
   * @throws what it fails with; ENGINE_CRASHED where the process dies (retryable); CANCELLED: what it has begun it ends all the same
   */
  ask(parts: Iterable<object>, signal: AbortSignal): Promise<Report> {
    const turn = this.#turns.take(() => {
      signal.throwIfAborted();
      return this.#ask(parts);
    });
    turn.catch(ignoring('told to whoever still waits for it'));
    return unlessAborted(turn, signal);
  }

  /** Ends it; whoever waits is told so. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#end(new QuarryError({ code: 'CANCELLED', message: say('clipModels.closed') }));
    await this.#turns.ended();
    await this.#ending;
  }

  async #ask(parts: Iterable<object>): Promise<Report> {
    clearTimeout(this.#idle);
    const child = this.#running();
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Report>();
    answer.promise.catch(ignoring('it may die while it is still being told: that is thrown below'));
    this.#waiting = { id, answer };
    const { mostMs = MINUTES_MS, idleMs = MINUTES_MS } = this.#options;
    const late = setTimeout(() => child.end(say('child.hangs', { seconds: mostMs / 1_000 })), mostMs);
    try {
      await this.#send(child, parts, id);
      return await answer.promise;
    } catch (error) {
      // What it has half heard, or loaded wrong, it would go on with.
      if (!(error instanceof QuarryError) || error.code === 'MODEL_INVALID' || error.code === 'OVERLOADED') this.#end();
      throw error;
    } finally {
      clearTimeout(late);
      this.#waiting = undefined;
      if (!this.#closed) this.#idle = setTimeout(() => this.#end(), idleMs).unref();
    }
  }

  /** Large things are written in parts, between which this process does something else. */
  async #send(child: CheckedChild<Report>, parts: Iterable<object>, id: number): Promise<void> {
    for (const part of parts) {
      if (this.#child !== child) return; // it died, which the answer tells
      child.send({ ...part, id });
      await breath();
    }
  }

  #running(): CheckedChild<Report> {
    if (this.#closed) throw new QuarryError({ code: 'CANCELLED', message: say('clipModels.closed') });
    if (this.#child) return this.#child;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) throw this.#resting(waitMs);
    const { spawner = nodeSpawner, launch, messages, greeting } = this.#options;
    const child = new CheckedChild<Report>({
      ...{ spawner, launch, messages },
      onMessage: (report) => this.#onReport(report),
      onDeath: (reason) => this.#onDeath(child, reason),
    });
    this.#child = child;
    child.send(greeting);
    return child;
  }

  #onReport(report: Report): void {
    const waiting = this.#waiting;
    if (report.id !== waiting?.id) return;
    this.#breaker.recovered();
    if ('failed' in report) waiting.answer.reject(revived(report.failed));
    else waiting.answer.resolve(report);
  }

  #onDeath(child: CheckedChild<Report>, reason: Words): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const delayMs = this.#breaker.fail();
    if (this.#breaker.isOpen) this.#notBefore = performance.now() + delayMs;
    this.#waiting?.answer.reject(
      new QuarryError({ code: 'ENGINE_CRASHED', message: this.#options.died(reason), retryable: true }),
    );
  }

  #end(why?: QuarryError): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child) this.#ending = Promise.all([this.#ending, child.close()]).then(() => undefined);
    if (why) this.#waiting?.answer.reject(why);
  }

  #resting(retryAfterMs: number): QuarryError {
    const { failures, seconds } = this.#breaker.limit;
    return new QuarryError({
      code: 'ENGINE_UNAVAILABLE',
      message: say('clipModels.resting', { failures, seconds }),
      retryable: true,
      retryAfterMs: Math.ceil(retryAfterMs),
    });
  }
}
