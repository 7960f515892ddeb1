import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Failure } from '../../http/http-listener.ts';
import { RequestProblem } from './request-problem.ts';

/** Failures of a server of signed requests, as they are answered and counted. */
export class ToldFailures {
  readonly #name: string;
  readonly #log: Logger;
  readonly #refused = new Map<number, number>();

  /** @param name of the server, for the log: `market` */
  constructor(name: string, log: Logger) {
    this.#name = name;
    this.#log = log;
  }

  /** Since it was opened, by status. */
  get refused(): ReadonlyMap<number, number> {
    return new Map(this.#refused);
  }

  of(error: unknown): Failure {
    const problem = error instanceof RequestProblem ? error : (fastifyProblem(error) ?? this.#internal(error));
    const { status, body, retryAfterMs } = problem;
    this.#refused.set(status, (this.#refused.get(status) ?? 0) + 1);
    const headers = {
      ...(retryAfterMs !== undefined && { 'retry-after': Math.ceil(retryAfterMs / 1_000) }),
      ...(status === 413 && { connection: 'close' }),
    };
    return { status, headers, body };
  }

  /** The caller learns nothing but a number, under which the log has the reason. */
  #internal(error: unknown): RequestProblem {
    const id = randomUUID();
    this.#log.error({ err: error, id }, `a request to the ${this.#name} failed`);
    return new RequestProblem('INTERNAL', `Something went wrong here: ${id}.`);
  }
}

/** What Fastify has against a request. */
function fastifyProblem(error: unknown): RequestProblem | undefined {
  const { statusCode, message } = error as { statusCode?: number; message: string };
  if (statusCode === undefined || statusCode >= 500) return undefined;
  return new RequestProblem(statusCode === 413 ? 'TOO_LARGE' : 'BAD_REQUEST', message);
}
