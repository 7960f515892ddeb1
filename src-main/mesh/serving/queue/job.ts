import { type ErrorCode, QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import type { Tier } from '../../../credits/tiers.ts';
import type { Answering, GenerateEvent, GenerateOptions } from '../../../inference/backend.ts';
import type { TokenEvidence } from '../../../inference/evidence.ts';
import { canBeVerified } from '../../../inference/request-schema.ts';
import { callText } from '../../../inference/tools/call-text.ts';
import { declaredFile } from '../../../inference/verified/declared-file.ts';
import { mostTokens } from '../../inference/shown-tokens.ts';
import type { EngineInUse } from './other-engines.ts';

/** Where a job stands among those that wait. */
export interface Place {
  /** Of one client only so many may wait. */
  client: string;
  tier: Tier;
  /** The client's network: see base/network-prefix.ts. */
  prefix: string;
  /** Nothing is owed to it: it waits in the line of newcomers. */
  isNewcomer: boolean;
}

/** A piece of an answer's text. */
export type Piece = Extract<GenerateEvent, { type: 'chunk' }>;

/** What a finished job has to show. */
export interface Answer {
  result: GenerateResult;
  /** Name of the model that answered. */
  model: string;
  text: string;
  /** The model's file, and how its tokens came about; undefined where nobody wants to know, or the backend cannot tell. */
  proof: { sha256: string; evidence: readonly TokenEvidence[] } | undefined;
  /** Milliseconds that the engine was at it: to its first token, and in all. */
  firstTokenMs: number;
  processingMs: number;
  /** Milliseconds of the worker's clock. */
  endedAt: number;
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

/** Another way of asking a backend than for an answer in words. */
export type AskBackend = (options: Pick<GenerateOptions, 'signal'>) => AsyncIterable<GenerateEvent>;

export interface JobOptions {
  /** Unlike that of any other job. */
  key: string;
  client: string;
  /** The client's, as far as it is known before the job is paid for. */
  tier: Tier;
  request: GenerateRequest;
  /** How the backend is asked. Default: for an answer to the request. */
  ask?: AskBackend | undefined;
  /** The model that is wanted. Default: the worker's own. */
  model?: string | undefined;
  deadlineMs: number;
  /** Whether the answer is to come with evidence, where the backend has any. Default false. */
  verified?: boolean;
  /** When its client has signed it, in Unix milliseconds: the time that the model is told. Default: now. */
  askedAt?: number;
  now: () => number;
}

/**
 * One request at the worker, from the queue to its answer. How it is paid for and how its answer goes out is for the door by which it came:
 * {@link MeshJob} of a client of the mesh, {@link DirectJob} of another part of this node.
 */
export abstract class Job {
  readonly key: string;
  readonly client: string;
  readonly tier: Tier;
  readonly model: string | undefined;
  readonly deadlineMs: number;
  /** Where it waits; undefined until it is paid for. */
  place: Place | undefined;
  /** Whether another that waited was put out for it. */
  hasPutOut = false;
  /** Its model is being loaded. */
  isLoading = false;
  /** The model beside the worker's own that was loaded for it. */
  other: string | undefined;
  #engine: EngineInUse | undefined;
  readonly #request: GenerateRequest;
  readonly #ask: AskBackend | undefined;
  readonly #verified: boolean;
  readonly #askedAt: number | undefined;
  readonly #now: () => number;
  readonly #arrivedAt: number;
  readonly #controller = new AbortController();
  #deadline: NodeJS.Timeout | undefined;
  #why: QuarryError | undefined;
  #started = false;
  #streamed = 0;

  constructor({ key, client, tier, request, ask, model, deadlineMs, verified = false, askedAt, now }: JobOptions) {
    this.key = key;
    this.client = client;
    this.tier = tier;
    this.model = model;
    this.deadlineMs = deadlineMs;
    this.#request = request;
    this.#ask = ask;
    this.#verified = verified && request.seed !== undefined && canBeVerified(request);
    this.#askedAt = askedAt;
    this.#now = now;
    this.#arrivedAt = now();
  }

  /** Sets aside what it may cost. @throws why it is not served, for {@link refuse} */
  abstract fund(): Promise<Place>;

  /** It waits, with so many ahead of it, for about so many milliseconds. */
  abstract waits(ahead: number, etaMs: number): void;

  /** Resolves when the answer may be so many tokens long, or when the signal aborts. @throws why it may not go on */
  abstract room(tokens: number, signal: AbortSignal): Promise<void>;

  /** The next piece of the answer. */
  abstract send(piece: Piece): void;

  /** The end of the answer. From here on it is owed. */
  abstract deliver(answer: Answer): void;

  /** Whoever asked hears why there is no answer, or no more of it. */
  abstract refuse(error: QuarryError): void;

  /**
   * Gives back what was set aside, without an answer.
   * @param asked tokens that were sent; undefined when the engine was not asked and nobody was put out for it
   */
  abstract release(code: ErrorCode, asked: { streamed: number } | undefined): Promise<void>;

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

  /** Aborts when it must not go on. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It is answered by another engine than the worker's own, which it gives back at its {@link end}. */
  answeredBy(engine: EngineInUse): void {
    this.#engine = engine;
  }

  /** It is taken. @param onDeadline called once if its time is over before {@link Job.end} */
  begin(onDeadline: () => void): void {
    this.#deadline = setTimeout(onDeadline, this.deadlineMs);
  }

  /** Stops the job wherever it is; the first reason counts. */
  abort(why: QuarryError): void {
    this.#why ??= why;
    this.#controller.abort(why);
  }

  /** Nothing more comes of it. Idempotent. */
  end(): void {
    clearTimeout(this.#deadline);
    this.#engine?.[Symbol.dispose]();
    this.#engine = undefined;
  }

  /**
   * Generates the answer and sends its pieces.
   *
   * @param own the worker's own engine
   * @param observer is told of its tokens
   * @throws the reason for which the job was aborted, or the backend's error
   */
  async run(own: Answering, observer?: WorkObserver): Promise<Answer> {
    this.#started = true;
    const backend = this.#engine?.backend ?? own;
    const startedAt = this.#now();
    const { model: loaded } = backend.status();
    const model = loaded?.name ?? 'unknown';
    const sha256 = loaded && declaredFile(loaded);
    let text = '';
    let tokens = 0;
    let firstAt: number | undefined;
    let result: GenerateResult | undefined;
    let evidence: TokenEvidence[] | undefined;
    const how = {
      signal: this.#controller.signal,
      asker: this.client,
      ...(this.#askedAt !== undefined && { askedAt: this.#askedAt }),
      ...(this.#verified && sha256 !== undefined && { verified: true }),
    };
    try {
      for await (const event of this.#ask?.(how) ?? backend.generate(this.#request, how)) {
        if (event.type === 'done') {
          result = this.#ask ? event.result : this.#shown(event.result, text);
          evidence = event.evidence;
        } else {
          if (firstAt === undefined) {
            firstAt = this.#now();
            observer?.firstToken(Math.max(0, firstAt - this.#arrivedAt));
          }
          observer?.tokens(event.tokens);
          const written = asText(event);
          text += written.text;
          tokens += event.tokens;
          await this.#waitForRoom(tokens);
          this.#streamed = tokens;
          this.send(written);
        }
      }
      // A prompt to which there is no answer was work as well.
      await this.#waitForRoom(Math.max(1, result?.completionTokens ?? 0));
    } catch (error) {
      throw this.#why ?? error;
    }
    if (!result) throw new QuarryError({ code: 'ENGINE_CRASHED', message: say('mesh.noResult') });
    const endedAt = this.#now();
    const timed = { result, startedAt, firstAt: firstAt ?? endedAt, endedAt };
    const proof = evidence && sha256 !== undefined ? { sha256, evidence } : undefined;
    return { result: this.#withQueueTime(timed), model, text, proof, ...engineTimes(timed), endedAt };
  }

  /** The answer may be so many tokens long. @throws what {@link room} throws; why the job was aborted */
  async #waitForRoom(tokens: number): Promise<void> {
    await this.room(tokens, this.#controller.signal);
    if (this.#why) throw this.#why;
  }

  /** No more tokens than the client believes: see {@link mostTokens}. */
  #shown(result: GenerateResult, text: string): GenerateResult {
    const most = mostTokens(Buffer.byteLength(text), this.#request.maxTokens ?? Number.POSITIVE_INFINITY);
    return { ...result, text, completionTokens: Math.min(result.completionTokens, most) };
  }

  /** The engine's figures, with the wait in this worker's queue. */
  #withQueueTime({ result, startedAt, firstAt, endedAt }: Timed): GenerateResult {
    return {
      ...result,
      queuedMs: Math.max(0, startedAt - this.#arrivedAt) + result.queuedMs,
      firstTokenMs: Math.max(0, firstAt - this.#arrivedAt),
      totalMs: Math.max(0, endedAt - this.#arrivedAt),
      tokensPerSecond: Number.isFinite(result.tokensPerSecond) ? result.tokensPerSecond : 0,
    };
  }
}

interface Timed {
  result: GenerateResult;
  startedAt: number;
  firstAt: number;
  endedAt: number;
}

/** Without the time that the request waited at the engine. */
function engineTimes({ result, startedAt, firstAt, endedAt }: Timed): Pick<Answer, 'firstTokenMs' | 'processingMs'> {
  const spent = (at: number) => Math.max(0, Math.round(at - startedAt - result.queuedMs));
  return { firstTokenMs: Math.min(spent(firstAt), spent(endedAt)), processingMs: spent(endedAt) };
}

/** Calls of tools cross the mesh as text, which is hashed and billed as such; who asked reads them. */
function asText({ toolCalls = [], ...chunk }: Piece): Piece {
  return { ...chunk, text: chunk.text + toolCalls.map(callText).join('') };
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

export function loadingTooLate(name: string, deadlineMs: number): QuarryError {
  const message = say('mesh.loadingTooLate', { name, deadlineMs });
  return new QuarryError({ code: 'DEADLINE', message, retryable: true });
}

export function stoppedMining(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('mesh.stoppedMining'), retryable: true });
}

export function shuttingDown(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('mesh.shuttingDown'), retryable: true });
}
