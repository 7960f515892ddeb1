import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { TaskSet } from '../../base/task-set.ts';
import { toApiError } from '../failures/api-error.ts';
import { endingError } from './answer.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** One request of the OpenAI API while it is served. */
export interface RunningRequest {
  /** Aborts when the client goes away or the server closes. */
  readonly signal: AbortSignal;
  /** The model's name, once it is known that there is such a model. */
  model: string;
}

/** What nginx writes when the client went away before the answer. */
const CLIENT_GONE = 499;

/** Knows the requests in flight: ends them when they are no longer wanted, and counts how they ended. */
export class RunningRequests {
  readonly #metrics: RequestMetrics;
  readonly #log: Logger;
  readonly #controllers = new Set<AbortController>();
  readonly #tasks = new TaskSet();
  #draining = false;

  constructor(metrics: RequestMetrics, log: Logger) {
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Serves one request with `serve` and accounts for it. */
  async run(
    request: FastifyRequest,
    reply: FastifyReply,
    serve: (call: RunningRequest) => Promise<object>,
  ): Promise<object> {
    using _underWay = this.#tasks.begin();
    const controller = new AbortController();
    const onGone = () => controller.abort();
    reply.raw.once('close', onGone);
    this.#controllers.add(controller);
    const call: RunningRequest = { signal: controller.signal, model: 'unknown' };
    try {
      if (this.#draining) throw closing();
      const answer = await serve(call);
      this.#account(request, reply, call, 200);
      return answer;
    } catch (error) {
      const failure = toApiError(endingError(error, controller.signal));
      this.#account(request, reply, call, reply.raw.destroyed ? CLIENT_GONE : failure.status, error);
      // Once the stream has begun, its last event has told the client.
      if (reply.sent) return reply;
      throw failure;
    } finally {
      reply.raw.off('close', onGone);
      this.#controllers.delete(controller);
    }
  }

  /** Whether none is taken any more, because the server is about to close. */
  get draining(): boolean {
    return this.#draining;
  }

  /** From now on each request is refused with NOT_RUNNING; resolves when those that there are have ended. */
  async drain(): Promise<void> {
    this.#draining = true;
    await this.#tasks.ended();
  }

  /** Ends all requests with NOT_RUNNING. */
  abortAll(): void {
    for (const controller of this.#controllers) controller.abort(closing());
  }

  #account(
    request: FastifyRequest,
    reply: FastifyReply,
    { model }: RunningRequest,
    status: number,
    error?: unknown,
  ): void {
    const endpoint = request.routeOptions.url ?? 'unknown';
    this.#metrics.ended(endpoint, model, status, reply.elapsedTime);
    const entry = { endpoint, model, status, ms: Math.round(reply.elapsedTime), err: error };
    if (status >= 500) this.#log.warn(entry, 'request failed');
    else this.#log.debug(entry, 'request served');
  }
}

function closing(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: 'The server is closing.', retryable: true });
}
