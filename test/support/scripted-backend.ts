import { ignoring } from '../../src-main/base/swallowed.ts';
import type {
  BackendState,
  BackendStatus,
  GenerateEvent,
  GenerateOptions,
  InferenceBackend,
} from '../../src-main/inference/backend.ts';
import { checkGenerate } from '../../src-main/inference/request-schema.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';

export interface Script {
  /** Default: ten tokens. */
  tokens?: string[];
  /** Milliseconds between two tokens. Default 0: one turn of the event loop. */
  tokenMs?: number;
  parallel?: number;
  model?: string;
  /** Default true: most tests begin with a loaded model. */
  open?: boolean;
}

/** A backend that says what it is told to, when it is told to. */
export class ScriptedBackend implements InferenceBackend {
  state: BackendState = 'ready';
  /** Requests that were started, in order. */
  readonly started: GenerateRequest[] = [];
  /** Requests that ended early because nobody wanted them any more. */
  aborted = 0;
  active = 0;
  /** Name of the model; another one after it was swapped. */
  model: string;
  /** As a model that writes no answers. */
  embedsOnly = false;
  /** Tokens that it counts and does not show, as a server does that thinks first. */
  hidden = 0;
  /** Awaited before the token with this index is said; throw in it to fail there. */
  before: (index: number) => Promise<void> | void = () => {};
  readonly #script: Required<Omit<Script, 'model'>>;
  #closing = new AbortController();

  constructor(script: Script = {}) {
    this.model = script.model ?? 'scripted';
    const tokens = Array.from({ length: 10 }, (_, index) => `word${index} `);
    this.#script = { tokens, tokenMs: 0, parallel: 1, open: true, ...script };
    this.state = this.#script.open ? 'ready' : 'closed';
  }

  async open(): Promise<void> {
    if (this.state === 'closed') this.#closing = new AbortController();
    this.state = 'ready';
  }

  async close(): Promise<void> {
    this.state = 'closed';
    this.#closing.abort();
    while (this.active > 0) await pause(0);
  }

  status(): BackendStatus {
    const { parallel } = this.#script;
    const model = { name: this.model, contextSize: 4_096, parallel, device: 'cpu', embedsOnly: this.embedsOnly };
    return { state: this.state, model, active: this.active, waiting: 0 };
  }

  async *generate(request: GenerateRequest, options: GenerateOptions = {}): AsyncGenerator<GenerateEvent, void> {
    checkGenerate(request);
    if (this.state === 'closed') throw notOpen();
    const startedAt = performance.now();
    this.started.push(request);
    this.active++;
    let text = '';
    let finished = false;
    const { aborted, forget } = this.#aborted(options);
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
      yield {
        type: 'done',
        result: { text, finish: 'stop', completionTokens: tokens.length + this.hidden, totalMs, ...figures },
      };
    } finally {
      forget();
      this.active--;
      if (!finished) this.aborted++;
    }
  }

  /** Rejects when the answer is no longer wanted, for whatever reason. */
  #aborted({ signal, deadlineMs }: GenerateOptions) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(ignoring('who asked may have gone'));
    const late = () => reject(new QuarryError({ code: 'DEADLINE', message: 'too late' }));
    const timer = deadlineMs === undefined ? undefined : setTimeout(late, deadlineMs);
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    const fail = () => reject(new QuarryError({ code: 'CANCELLED', message: 'cancelled' }));
    for (const each of signals) {
      if (each.aborted) fail();
      each.addEventListener('abort', fail, { once: true });
    }
    const forget = () => {
      clearTimeout(timer);
      for (const each of signals) each.removeEventListener('abort', fail);
    };
    return { aborted: promise, forget };
  }

  async countTokens(): Promise<number> {
    if (this.state === 'closed') throw notOpen();
    return 7;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
}

function notOpen(): QuarryError {
  return new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'not open' });
}
