import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const TOKENS_PER_SECOND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/** What happens on the HTTP side, counted as it happens. */
export class RequestMetrics {
  readonly #requests: Counter<'endpoint' | 'model' | 'status'>;
  readonly #tokens: Counter<'model' | 'kind'>;
  readonly #firstToken: Histogram<'model'>;
  readonly #speed: Histogram<'model'>;
  readonly #duration: Histogram<'endpoint' | 'model'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'quarry_requests_total',
      help: 'Requests of the OpenAI API that have ended, by HTTP status; 499 when the client went away.',
      labelNames: ['endpoint', 'model', 'status'],
      registers,
    });
    this.#tokens = new Counter({
      name: 'quarry_tokens_total',
      help: 'Tokens of prompts and of answers.',
      labelNames: ['model', 'kind'],
      registers,
    });
    this.#firstToken = new Histogram({
      name: 'quarry_time_to_first_token_seconds',
      help: 'Time from the request to the first token of its answer.',
      labelNames: ['model'],
      buckets: SECONDS,
      registers,
    });
    this.#speed = new Histogram({
      name: 'quarry_tokens_per_second',
      help: 'Speed of one answer after its first token.',
      labelNames: ['model'],
      buckets: TOKENS_PER_SECOND,
      registers,
    });
    this.#duration = new Histogram({
      name: 'quarry_request_duration_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['endpoint', 'model'],
      buckets: SECONDS,
      registers,
    });
  }

  /** @param model a name that is served; `unknown` for any other, so that strangers cannot grow the metrics */
  ended(endpoint: string, model: string, status: number, milliseconds: number): void {
    this.#requests.inc({ endpoint, model, status });
    this.#duration.observe({ endpoint, model }, milliseconds / 1000);
  }

  answered(model: string, result: GenerateResult): void {
    this.read(model, result.promptTokens);
    this.#tokens.inc({ model, kind: 'completion' }, result.completionTokens);
    if (result.completionTokens > 0) this.#firstToken.observe({ model }, result.firstTokenMs / 1000);
    if (result.tokensPerSecond > 0) this.#speed.observe({ model }, result.tokensPerSecond);
  }

  read(model: string, promptTokens: number): void {
    this.#tokens.inc({ model, kind: 'prompt' }, promptTokens);
  }
}
