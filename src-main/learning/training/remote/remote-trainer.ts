import { randomBytes } from 'node:crypto';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { type BackOff, waitAfter } from '../../../base/back-off.ts';
import { Turns } from '../../../base/turns.ts';
import { ADAPTER_GGUF } from '../../formats/adapter-files.ts';
import { hangsAfterMs } from '../hanging.ts';
import {
  checkLengths,
  type Forecast,
  type StepFigures,
  type StepOptions,
  secondsFor,
  type Trainer,
  type TrainerModel,
  type TrainingSample,
} from '../trainer.ts';
import type { Channel } from './channel.ts';
import { Exchange } from './exchange.ts';
import { type Answer, type HostMessage, hostMessageSchema, type Request, type SentFiles } from './messages.ts';
import { Nonsense } from './nonsense.ts';
import { bytesToLogprobs, hashOf, samplesToBytes } from './sample-bytes.ts';
import { fetchFolder, mostFileBytes } from './saved-files.ts';
import { errorOf, lost, nonsense, stuck } from './why.ts';
import { fromWire } from './wire-forecast.ts';

/** Milliseconds for which a node that is gone is looked for. It keeps the training somewhat longer: see `holdMs` of the host's patience. */
export const RETURN_MS = 45_000;
/**
 * Milliseconds in which the other node has to get on, beside those after which it finds itself that a step hangs: before one it waits up to five minutes for its own time. What
 * it foresees is its own word, so it is believed up to two hours.
 */
const ANSWER_MS = 15 * 60_000;
/** What the other node has to read or hand over in a second, all in all: it might have each of a file's thousands of shares come just before its time is over. */
const LEAST_BYTES_A_SECOND = 32 * 1024;
const MOST_FORESEEN_MS = 2 * 3_600_000;
const TRY_AGAIN: BackOff = { firstMs: 200, longestMs: 2_000 };

/** Bytes that were sent to the other node, and read from it, since the training was opened. */
export interface Traffic {
  sent: number;
  read: number;
}

export interface RemoteTrainerOptions {
  /** What the other node is called. */
  name: string;
  /** Calls it. @throws NOT_RUNNING when it is away; where it is not retryable it does not come back */
  dial: () => Channel;
  /** SHA-256 of a model's file, 64 hex: the other node has to have the same. */
  sha256: (modelPath: string) => Promise<string>;
  /** Looks at what the other node has saved, before anything here loads it. See `checkSaved`. */
  check: (folder: string, modelPath: string) => Promise<void>;
  /** Bytes that each file of an adapter may have. Default {@link mostFileBytes}. */
  mostBytes?: ((modelPath: string) => Promise<number>) | undefined;
  /** Told as it grows. Default: nobody looks. */
  onTraffic?: (traffic: Traffic) => void;
  /** See RETURN_MS. Default 45,000. */
  returnMs?: number;
  /** See ANSWER_MS. Default 900,000. */
  answerMs?: number;
  /** Bytes a second, see LEAST_BYTES_A_SECOND. Default 32,768. */
  leastRate?: number | undefined;
  /** See `BlobReaderOptions`. */
  chunkMs?: number;
}

/** What somebody waits for, beside ANSWER_MS: so many milliseconds, and that so many bytes come through. */
interface Effort {
  ms?: number;
  bytes?: number;
}

interface Waiting {
  request: Request;
  n: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Trains on another node of the same owner. What breaks off goes on where it was when the other node comes back within a moment; otherwise everything that was asked
 * for, and that is asked for later, fails with WORKER_LOST, which is retryable: the run goes on from its last saved step. So it is with a node that can be heard and does not get
 * on: that comes and goes, reads the same again, or says nothing.
 */
export class RemoteTrainer implements Trainer {
  readonly #options: RemoteTrainerOptions;
  readonly #session = randomBytes(16).toString('hex');
  readonly #exchange: Exchange<HostMessage>;
  readonly #turns = new Turns();
  readonly #closing = new AbortController();
  readonly #traffic: Traffic = { sent: 0, read: 0 };
  #opening: Promise<Forecast> | undefined;
  #modelPath = '';
  #longest: number | undefined;
  /** What the other node foresees; none before it has opened the training. */
  #forecast: Forecast | undefined;
  /** Ends the training where the other node does not get on. */
  #patience: NodeJS.Timeout | undefined;
  #lastNumber = 0;
  #waiting: Waiting | undefined;
  /** Why nothing can be asked for any more. */
  #over: QuarryError | undefined;
  #failures = 0;
  #lostAt: number | undefined;

  constructor(options: RemoteTrainerOptions) {
    this.#options = options;
    this.#exchange = new Exchange<HostMessage>({
      schema: hostMessageSchema,
      onMessage: (message) => this.#take(message),
      onGone: (forGood) => void (forGood ? this.#end(lost(options.name)) : this.#return()),
      onFault: (error) => this.#end(error),
      onBytes: (way, bytes, isNew) => {
        if (isNew) this.#patience?.refresh();
        this.#count(way, bytes);
      },
      chunkMs: options.chunkMs,
    });
  }

  get computes(): Saying {
    return say('training.byNode', { name: this.#options.name });
  }

  open(model: TrainerModel, signal?: AbortSignal): Promise<Forecast> {
    this.#opening ??= this.#turns.take(() => this.#open(model, signal));
    return this.#opening;
  }

  step(samples: readonly TrainingSample[], { rate = 1, signal }: StepOptions = {}): Promise<StepFigures> {
    return this.#turns.take(async () => {
      checkLengths(samples, this.#longest);
      const blob = await this.#offer(samples);
      const ms = this.#foreseenMs(samples);
      const step = (n: number) => ({ type: 'step', n, rate, samples: blob }) as const;
      const { figures } = await this.#ask('stepped', step, { signal, ms, bytes: blob.size });
      return figures as StepFigures;
    });
  }

  score({ prompt, response }: Pick<TrainingSample, 'prompt' | 'response'>, signal?: AbortSignal): Promise<number[]> {
    return this.#turns.take(async () => {
      checkLengths([{ prompt, response }], this.#longest);
      const teacher = response.map(() => ({ tokens: [], logprobs: [] }));
      const blob = await this.#offer([{ prompt, response, teacher }]);
      const ms = this.#foreseenMs([{ prompt, response }]);
      const score = (n: number) => ({ type: 'score', n, sample: blob }) as const;
      const { logprobs } = await this.#ask('scored', score, { signal, ms, bytes: blob.size });
      const expected = response.length * 8;
      if (logprobs.size !== expected) throw this.#end(new Nonsense('another number of log-probabilities'));
      const bytes = Buffer.alloc(expected);
      let at = 0;
      const take = (chunk: Buffer) => {
        at += chunk.copy(bytes, at);
      };
      const read = async (until: AbortSignal) => {
        await this.#exchange.reader.read(logprobs, take, until);
        return bytesToLogprobs(bytes);
      };
      return await this.#understood(read, expected, signal);
    });
  }

  save(folder: string, signal?: AbortSignal): Promise<void> {
    return this.#turns.take(async () => {
      const { files } = await this.#ask('saved', (n) => ({ type: 'save', n }), { signal });
      if (!files.some(({ name }) => name === ADAPTER_GGUF)) {
        throw new QuarryError({
          code: 'PROTOCOL',
          message: say('remoteTraining.noFiles', { node: this.#options.name }),
        });
      }
      const fetch = async (until: AbortSignal) => {
        const { check: look, mostBytes = mostFileBytes } = this.#options;
        const check = (saved: string) => look(saved, this.#modelPath);
        const most = await mostBytes(this.#modelPath);
        await fetchFolder(folder, { files, most, reader: this.#exchange.reader, check, signal: until });
      };
      await this.#understood(fetch, bytesOf(files), signal);
    });
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const closed = new QuarryError({ code: 'CANCELLED', message: say('remoteTraining.closed') });
    this.#exchange.send({ type: 'end' });
    this.#end(closed);
    await this.#turns.ended();
    await this.#exchange.shelf.clear();
  }

  async #open({ modelPath, from, settings, longest }: TrainerModel, signal?: AbortSignal): Promise<Forecast> {
    this.#modelPath = modelPath;
    this.#longest = longest;
    const model = await this.#options.sha256(modelPath);
    const files: SentFiles = from === undefined ? [] : await this.#exchange.shelf.offerFiles(from, signal);
    if (this.#over) throw this.#over;
    this.#exchange.attach(this.#options.dial());
    const foreseen = await this.#ask(
      'opened',
      () => ({
        type: 'open',
        session: this.#session,
        model,
        settings: { ...settings, modules: [...settings.modules] },
        files,
        ...(longest !== undefined && { longest }),
      }),
      { signal, bytes: bytesOf(files) },
    );
    await this.#exchange.shelf.clear();
    this.#forecast = fromWire(foreseen);
    return this.#forecast;
  }

  async #offer(samples: readonly TrainingSample[]) {
    await this.#exchange.shelf.clear();
    const bytes = await samplesToBytes(samples);
    return this.#exchange.shelf.offerBytes(bytes, await hashOf(bytes));
  }

  /** What is granted for these beside ANSWER_MS. */
  #foreseenMs(samples: readonly Pick<TrainingSample, 'prompt' | 'response'>[]): number {
    return hangsAfterMs(secondsFor(samples, this.#forecast), { leastMs: 0, mostMs: MOST_FORESEEN_MS });
  }

  /** Until it is disposed of, the other node has to get on, and to come to an end. */
  #patiently({ ms = 0, bytes = 0 }: Effort): Disposable {
    const { name, answerMs = ANSWER_MS, leastRate = LEAST_BYTES_A_SECOND } = this.#options;
    const end = () => this.#end(stuck(name));
    const timer = setTimeout(end, answerMs + ms);
    const whole = setTimeout(end, answerMs + ms + (1_000 * bytes) / leastRate);
    this.#patience = timer;
    return {
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        clearTimeout(whole);
        this.#patience = undefined;
      },
    };
  }

  /** Asks for one thing, and waits for its answer. */
  async #ask<Type extends Answer['type']>(
    type: Type,
    make: (n: number) => Request,
    { signal, ...effort }: Effort & { signal?: AbortSignal | undefined } = {},
  ): Promise<Extract<Answer, { type: Type }>> {
    if (this.#over) throw this.#over;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = make(this.#lastNumber + 1);
    const n = 'n' in request ? ++this.#lastNumber : 0;
    const onAbort = () => {
      this.#exchange.send({ type: 'cancel', n });
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    using _patience = this.#patiently(effort);
    this.#waiting = { request, n, resolve, reject };
    this.#exchange.send(request);
    try {
      const answer = await promise;
      if (answer.type === 'failure') throw errorOf(answer.why, this.#options.name);
      if (answer.type !== type) throw this.#end(new Nonsense('an answer to another question'));
      return answer as Extract<Answer, { type: Type }>;
    } finally {
      this.#waiting = undefined;
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Reads what the other side has ready. What makes no sense ends the training. @param bytes that are to come */
  async #understood<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    bytes: number,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { signal: closing } = this.#closing;
    using _patience = this.#patiently({ bytes });
    try {
      return await work(signal ? AbortSignal.any([closing, signal]) : closing);
    } catch (error) {
      throw error instanceof Nonsense ? this.#end(error) : error;
    }
  }

  #take(message: HostMessage): void {
    this.#failures = 0;
    this.#lostAt = undefined;
    if (message.type === 'resumed') return;
    if (!('n' in message) || message.n > this.#lastNumber) throw new Nonsense(`an answer (${message.type}) to nothing`);
    if (message.type === 'failure' && message.over) this.#end(errorOf(message.why, this.#options.name));
    else if (message.n === this.#waiting?.n) this.#waiting.resolve(message);
  }

  /** Calls the other side again, and goes on with what was asked for. */
  async #return(): Promise<void> {
    const { dial, name, returnMs = RETURN_MS } = this.#options;
    this.#lostAt ??= performance.now();
    while (!this.#over) {
      if (performance.now() - this.#lostAt > returnMs) {
        this.#end(lost(name));
        return;
      }
      await waitAfter(++this.#failures, TRY_AGAIN, this.#closing.signal);
      if (!this.#over && this.#goOn(dial)) return;
    }
  }

  #goOn(dial: () => Channel): boolean {
    try {
      this.#exchange.attach(dial());
    } catch (error) {
      if (!QuarryError.from(error).retryable) this.#end(lost(this.#options.name));
      return false;
    }
    this.#exchange.send({ type: 'resume', session: this.#session });
    this.#exchange.restart();
    if (this.#waiting) this.#exchange.send(this.#waiting.request);
    return true;
  }

  /** Nothing can be asked for any more. @returns why */
  #end(error: unknown): QuarryError {
    if (this.#over) return this.#over;
    const { name } = this.#options;
    const over = error instanceof Nonsense ? nonsense(name, error) : QuarryError.from(error);
    this.#over = over;
    this.#exchange.close();
    this.#closing.abort(over);
    this.#waiting?.reject(over);
    return over;
  }

  #count(way: keyof Traffic, bytes: number): void {
    this.#traffic[way] += bytes;
    this.#options.onTraffic?.({ ...this.#traffic });
  }
}

function bytesOf(files: SentFiles): number {
  return files.reduce((sum, { blob }) => sum + blob.size, 0);
}
