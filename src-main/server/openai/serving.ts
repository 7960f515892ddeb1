import type { FastifyReply } from 'fastify';
import { ApiError } from '../failures/api-error.ts';
import { type Answer, answerAtOnce, answerInPieces } from './answer.ts';
import { EventStream, type EventStreamLimits } from './event-stream.ts';
import type { Generator } from './generator.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { RunningRequest } from './running-requests.ts';

export interface ServingOptions {
  /**
   * The generator of a model name (`mesh`, `local` or a model's own); undefined when there is none. May throw a QuarryError
   * that says why a known name cannot be served now.
   */
  route: (model: string) => Generator | undefined | Promise<Generator | undefined>;
  limits: EventStreamLimits;
  metrics: RequestMetrics;
}

/** What all endpoints that generate do alike: find who answers, and answer at once or in pieces. */
export class Serving {
  readonly #options: ServingOptions;

  constructor(options: ServingOptions) {
    this.#options = options;
  }

  /** @throws ApiError 404 where there is no such model */
  async find(model: string, call: RunningRequest): Promise<Generator> {
    const generator = await this.#options.route(model);
    if (!generator) throw unknownModel(model);
    call.model = model;
    return generator;
  }

  async respond(
    asked: Omit<Answer, 'signal' | 'onDone'>,
    { streamed = false, call, reply }: { streamed: boolean | undefined; call: RunningRequest; reply: FastifyReply },
  ): Promise<object> {
    const { metrics, limits } = this.#options;
    const { signal } = call;
    const answer: Answer = { ...asked, signal, onDone: (result) => metrics.answered(call.model, result) };
    if (!streamed) return answerAtOnce(answer);
    using stream = new EventStream(reply, limits);
    await answerInPieces(answer, stream);
    return reply;
  }
}

export function unknownModel(model: string): ApiError {
  const message = `There is no model «${model}» here; GET /v1/models lists those that there are.`;
  return new ApiError(404, { message, param: 'model', code: 'model_not_found' });
}
