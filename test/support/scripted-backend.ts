import type {
  BackendState,
  BackendStatus,
  GenerateEvent,
  GenerateOptions,
  InferenceBackend,
} from '../../src-main/inference/backend.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';

export interface Script {
  /** Default: ten tokens. */
  tokens?: string[];
  /** Milliseconds between two tokens. Default 0: one turn of the event loop. */
  tokenMs?: number;
  parallel?: number;
  model?: string;
}

/** A backend that says what it is told to, when it is told to. */
export class ScriptedBackend implements InferenceBackend {
  state: BackendState = 'ready';
  /** Requests that were started, in order. */
  readonly started: GenerateRequest[] = [];
  /** Requests that ended early because nobody wanted them any more. */
  aborted = 0;
  active = 0;
  /** Awaited before the token with this index is said; throw in it to fail there. */
  before: (index: number) => Promise<void> | void = () => {};
  readonly #script: Required<Script>;

  constructor(script: Script = {}) {
    const tokens = Array.from({ length: 10 }, (_, index) => `word${index} `);
    this.#script = { tokens, tokenMs: 0, parallel: 1, model: 'scripted', ...script };
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}

  status(): BackendStatus {
    const { model: name, parallel } = this.#script;
    const model = { name, contextSize: 4_096, parallel, device: 'cpu' };
    return { state: this.state, model, active: this.active, waiting: 0 };
  }

  async *generate(request: GenerateRequest, { signal }: GenerateOptions = {}): AsyncGenerator<GenerateEvent, void> {
    const startedAt = performance.now();
    this.started.push(request);
    this.active++;
    let text = '';
    let finished = false;
    const aborted = rejectsWhenAborted(signal);
    try {
      const tokens = this.#script.tokens.slice(0, request.maxTokens);
      for (const [index, token] of tokens.entries()) {
        await Promise.race([this.before(index), aborted]);
        await Promise.race([pause(this.#script.tokenMs), aborted]);
        text += token;
        yield { type: 'chunk', text: token, tokens: 1 };
      }
      const totalMs = performance.now() - startedAt;
      const figures = { promptTokens: 7, cachedTokens: 0, queuedMs: 0, firstTokenMs: 0, tokensPerSecond: 100 };
      finished = true;
      yield { type: 'done', result: { text, finish: 'stop', completionTokens: tokens.length, totalMs, ...figures } };
    } finally {
      this.active--;
      if (!finished) this.aborted++;
    }
  }

  async countTokens(): Promise<number> {
    return 7;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
}

function rejectsWhenAborted(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const fail = () => reject(new QuarryError({ code: 'CANCELLED', message: 'cancelled' }));
  if (signal?.aborted) fail();
  signal?.addEventListener('abort', fail, { once: true });
  return promise;
}
