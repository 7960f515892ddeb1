import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import type { Funding, Served } from '../../credits/credits.ts';
import type { Answering } from '../../inference/backend.ts';
import { hashText, type InferenceMessage, inputLength, type Prompt } from '../inference/messages.ts';
import { mostTokens } from '../inference/shown-tokens.ts';
import type { Peer } from '../transport/peer.ts';
import { ChunkSender } from './chunk-sender.ts';
import { PaymentWindow, PledgeLine } from './payment-window.ts';

/** What a finished job has to show. */
export interface Answer {
  result: GenerateResult;
  served: Served;
}

/** Is told of a worker's work while it is at it. */
export interface WorkObserver {
  /** A request got its first token, so many milliseconds after it arrived. */
  firstToken(ms: number): void;
  /** So many tokens more were generated. */
  tokens(count: number): void;
  /** A request was answered to its end. */
  served(result: GenerateResult): void;
}

/** One admitted request at the worker, from the queue to its answer. */
export class Job {
  readonly prompt: Prompt;
  /** Of what its client has signed. */
  readonly promptHash: string;
  readonly peer: Peer<InferenceMessage>;
  /** What pays for it, and so how soon it is served; undefined until that is known. */
  funding: Funding | undefined;
  /** Whether another that waited was put out for it. */
  hasPutOut = false;
  /** How far the answer may go. */
  readonly window: PaymentWindow;
  /** What its client has signed for and is not kept yet. */
  readonly pledges: PledgeLine;
  readonly #now: () => number;
  readonly #arrivedAt: number;
  readonly #controller = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #why: QuarryError | undefined;
  #started = false;
  #streamed = 0;

  /** @param onDeadline called once if the request's time is over before {@link Job.end} */
  constructor(options: {
    prompt: Prompt;
    promptHash: string;
    peer: Peer<InferenceMessage>;
    deadlineMs: number;
    onDeadline: () => void;
    now: () => number;
  }) {
    this.prompt = options.prompt;
    this.promptHash = options.promptHash;
    this.peer = options.peer;
    this.window = new PaymentWindow(options.now);
    this.pledges = new PledgeLine(this.window);
    this.#now = options.now;
    this.#arrivedAt = options.now();
    this.#deadline = setTimeout(options.onDeadline, options.deadlineMs);
  }

  get requestId(): string {
    return this.prompt.requestId;
  }

  get key(): string {
    return jobKey(this.peer, this.requestId);
  }

  /** Why the job must not go on; undefined while it may. */
  get aborted(): QuarryError | undefined {
    return this.#why;
  }

  /** Whether the engine was asked. */
  get started(): boolean {
    return this.#started;
  }

  /** Tokens that were sent; those that the engine keeps back because they may begin a stop text are told as it makes them. */
  get streamed(): number {
    return this.#streamed;
  }

  /** Stops the job wherever it is; the first reason counts. */
  abort(why: QuarryError): void {
    this.#why ??= why;
    this.#controller.abort(why);
  }

  /** Frees the timer. Idempotent. */
  end(): void {
    clearTimeout(this.#deadline);
  }

  /**
   * Generates the answer and streams it to the client.
   *
   * @param observer is told of its tokens
   * @throws the reason for which the job was aborted, or the backend's error
   */
  async run(backend: Answering, observer?: WorkObserver): Promise<Answer> {
    this.#started = true;
    const startedAt = this.#now();
    const model = backend.status().model?.name ?? 'unknown';
    const sender = new ChunkSender(this.peer, this.requestId, this.#now);
    let text = '';
    let tokens = 0;
    let firstAt: number | undefined;
    let result: GenerateResult | undefined;
    try {
      for await (const event of backend.generate(requestOf(this.prompt), { signal: this.#controller.signal })) {
        if (event.type === 'done') result = this.#shown(event.result, text);
        else {
          if (firstAt === undefined) {
            firstAt = this.#now();
            observer?.firstToken(Math.max(0, firstAt - this.#arrivedAt));
          }
          observer?.tokens(event.tokens);
          text += event.text;
          tokens += event.tokens;
          await this.#waitForRoom(tokens);
          this.#streamed = tokens;
          sender.push(event);
        }
      }
      // A prompt to which there is no answer was work as well.
      await this.#waitForRoom(Math.max(1, result?.completionTokens ?? 0));
    } catch (error) {
      throw this.#why ?? error;
    } finally {
      sender.end();
    }
    if (this.#why) throw this.#why;
    if (!result) throw new QuarryError({ code: 'ENGINE_CRASHED', message: say('mesh.noResult') });
    const endedAt = this.#now();
    const timed = { result, firstAt: firstAt ?? endedAt, startedAt, endedAt };
    return { result: this.#withQueueTime(timed), served: this.#served(model, text, timed) };
  }

  /** The answer may be so many tokens long. @throws NO_CREDIT when its client does not sign for it; why the job was aborted */
  async #waitForRoom(tokens: number): Promise<void> {
    await this.window.room(tokens, this.#controller.signal);
    if (this.#why) throw this.#why;
  }

  /** No more tokens than the client believes: see {@link mostTokens}. */
  #shown(result: GenerateResult, text: string): GenerateResult {
    const most = mostTokens(Buffer.byteLength(text), this.prompt.maxTokens);
    return { ...result, completionTokens: Math.min(result.completionTokens, most) };
  }

  /** The engine's figures, with the wait in this worker's queue. */
  #withQueueTime({ result, firstAt, startedAt, endedAt }: Timed): GenerateResult {
    return {
      ...result,
      queuedMs: Math.max(0, startedAt - this.#arrivedAt) + result.queuedMs,
      firstTokenMs: Math.max(0, firstAt - this.#arrivedAt),
      totalMs: Math.max(0, endedAt - this.#arrivedAt),
      tokensPerSecond: Number.isFinite(result.tokensPerSecond) ? result.tokensPerSecond : 0,
    };
  }

  #served(model: string, text: string, { result, firstAt, startedAt, endedAt }: Timed): Served {
    const spent = (at: number) => Math.max(0, Math.round(at - startedAt - result.queuedMs));
    return {
      requestId: this.requestId,
      client: this.prompt.from,
      model,
      promptHash: this.promptHash,
      resultHash: hashText(text),
      promptTokens: result.promptTokens,
      completionTokens: result.completionTokens,
      promptChars: inputLength(this.prompt.input),
      resultChars: text.length,
      firstTokenMs: Math.min(spent(firstAt), spent(endedAt)),
      processingMs: spent(endedAt),
      servedAt: Math.round(endedAt),
    };
  }
}

/** Two clients may choose the same request id. */
export function jobKey(peer: { id: string }, requestId: string): string {
  return `${peer.id}/${requestId}`;
}

interface Timed {
  result: GenerateResult;
  firstAt: number;
  startedAt: number;
  endedAt: number;
}

function requestOf({ input, params, maxTokens }: Prompt): GenerateRequest {
  return { ...params, input, maxTokens };
}

export function idInUse(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('mesh.idInUse'),
    field: 'requestId',
  });
}

export function cancelled(message: Words): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message });
}

export function tooLate(deadlineMs: number): QuarryError {
  const message = say('mesh.tooLate', { deadlineMs });
  return new QuarryError({ code: 'DEADLINE', message, retryable: true });
}

export function stoppedMining(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('mesh.stoppedMining'), retryable: true });
}

export function shuttingDown(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('mesh.shuttingDown'), retryable: true });
}
