import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Saying } from '../../../../src-preload/contract/saying.ts';
import { DEFAULT_LONGEST, type Forecast, type Trainer, type TrainingSample } from '../trainer.ts';
import { MOST_SAMPLES } from '../training-messages.ts';
import type { Channel } from './channel.ts';
import { Exchange } from './exchange.ts';
import {
  type Answer,
  type AskingMessage,
  askingMessageSchema,
  type Blob,
  type OpenMessage,
  type Request,
  type Why,
} from './messages.ts';
import { Nonsense } from './nonsense.ts';
import { bytesToSamples, hashOf, logprobsToBytes, mostBytes, type SampleBounds } from './sample-bytes.ts';
import { fetchInto } from './saved-files.ts';
import { noTime, whyOf } from './why.ts';
import { toWire } from './wire-forecast.ts';

/** How long things may take, in milliseconds. */
export interface HostPatience {
  /** For the other node to come back after it was lost. Default 60,000. */
  holdMs: number;
  /** For the next request: in between it asks its model what it has learnt, and waits for its own time. Default 2 hours. */
  idleMs: number;
  /** For this node to have time again, and between two looks whether it has. Default 5 minutes and 2 seconds. */
  busyMs: number;
  lookEveryMs: number;
  /** See `BlobReaderOptions`. Default 60,000. */
  chunkMs: number;
}

export interface HostedTrainingOptions {
  /** Id of the node that trains here, and its training's. */
  node: string;
  open: OpenMessage;
  /** For what it needs on the disk; not there yet. */
  folder: string;
  /** Looks whether this node trains that. @returns GGUF file of the model @throws Refusal */
  look: () => Promise<string>;
  createTrainer: () => Promise<Trainer>;
  /** Bytes that each file of an adapter may have. */
  mostBytes: (modelPath: string) => Promise<number>;
  mayTrain: () => readonly Saying[];
  patience: HostPatience;
  /** It has ended, and nothing of it is left. */
  onEnd: () => void;
  log: Logger;
}

/** One training for another node of the same owner, as long as that node wants it and can be heard. */
export class HostedTraining {
  readonly node: string;
  readonly session: string;
  readonly #options: HostedTrainingOptions;
  readonly #exchange: Exchange<AskingMessage>;
  readonly #closing = new AbortController();
  #trainer: Trainer | undefined;
  #number = -1;
  #type: Request['type'] | undefined;
  #isWorking = false;
  #next: Request | undefined;
  #cancel = new AbortController();
  /** To the last request, once it is done. */
  #answer: Answer | undefined;
  #working: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** What is asked again, and whoever comes back, does not put it off: that could be done without end. As `performance.now`. */
  #idleUntil = 0;
  #ending: Promise<void> | undefined;

  constructor(options: HostedTrainingOptions) {
    this.node = options.node;
    this.session = options.open.session;
    this.#options = options;
    this.#exchange = new Exchange<AskingMessage>({
      schema: askingMessageSchema,
      onMessage: (message) => this.#take(message),
      onGone: (forGood) => this.#endAfter(forGood ? 0 : options.patience.holdMs, { reason: 'gone' }),
      onFault: (error) => void this.end(whyOf(error)),
      chunkMs: options.patience.chunkMs,
    });
  }

  /** Whether the other node can be heard. */
  get isConnected(): boolean {
    return this.#exchange.isConnected;
  }

  begin(channel: Channel): void {
    this.#exchange.attach(channel);
    this.#ask(this.#options.open);
  }

  /** Goes on over another channel. */
  resume(channel: Channel): void {
    this.#exchange.attach(channel);
    this.#exchange.send({ type: 'resumed' });
    this.#exchange.restart();
    this.#endAfter(Math.max(0, this.#idleUntil - performance.now()), { reason: 'gone' });
  }

  /** Frees everything at once. Idempotent. @param why told to the other node where it can hear it */
  end(why?: Why): Promise<void> {
    this.#ending ??= this.#end(why);
    return this.#ending;
  }

  async #end(why: Why | undefined): Promise<void> {
    const { folder, log, onEnd, node } = this.#options;
    clearTimeout(this.#timer);
    if (why) this.#exchange.send({ type: 'failure', n: Math.max(0, this.#number), why, over: true });
    this.#exchange.close();
    this.#closing.abort();
    try {
      await this.#trainer?.close();
      await this.#working;
      await this.#exchange.shelf.clear();
      await rm(folder, { recursive: true, force: true });
    } catch (err) {
      log.error({ err, node }, 'a training for another node did not end as it should');
    }
    log.info({ node, reason: why?.reason }, 'a training for another node has ended');
    onEnd();
  }

  #take(message: AskingMessage): void {
    if (message.type === 'end') void this.end();
    else if (message.type === 'cancel') {
      if (message.n === this.#number) this.#cancel.abort();
    } else if (message.type !== 'read' && message.type !== 'bytes') this.#ask(message);
  }

  /** One request after the other; the same again is answered again. */
  #ask(request: Request): void {
    const n = 'n' in request ? request.n : 0;
    if (n === this.#number && request.type === this.#type) {
      if (this.#answer) this.#exchange.send(this.#answer);
      return;
    }
    if (n !== this.#number + 1 || (n === 0) !== (request.type === 'open')) throw new Nonsense('a request out of order');
    if (this.#isWorking) {
      // The one before is not wanted any more, or there would be no next.
      this.#cancel.abort();
      this.#next = request;
      return;
    }
    const { idleMs } = this.#options.patience;
    this.#idleUntil = performance.now() + idleMs;
    this.#endAfter(idleMs, { reason: 'gone' });
    this.#number = n;
    this.#type = request.type;
    this.#isWorking = true;
    this.#answer = undefined;
    this.#cancel = new AbortController();
    this.#working = this.#work(request, n, AbortSignal.any([this.#cancel.signal, this.#closing.signal]));
  }

  async #work(request: Request, n: number, signal: AbortSignal): Promise<void> {
    const answer = await this.#answerTo(request, n, signal).catch((error: unknown): Answer => {
      const isCancelled = signal.aborted;
      if (!isCancelled) this.#options.log.warn({ err: error, node: this.node }, 'a training for another node failed');
      const why: Why = isCancelled ? { reason: 'failed', code: 'CANCELLED' } : whyOf(error);
      return { type: 'failure', n, why, over: n === 0 || ['nonsense', 'no-time'].includes(why.reason) };
    });
    if (this.#closing.signal.aborted) return;
    if (answer.type === 'failure' && answer.over) {
      void this.end(answer.why);
      return;
    }
    this.#isWorking = false;
    this.#answer = answer;
    this.#exchange.send(answer);
    const next = this.#next;
    this.#next = undefined;
    if (next) this.#ask(next);
  }

  async #answerTo(request: Request, n: number, signal: AbortSignal): Promise<Answer> {
    await this.#exchange.shelf.clear();
    if (request.type === 'open') {
      return { type: 'opened', n: 0, ...toWire(await this.#open(request, signal)) };
    }
    const trainer = this.#trainer;
    if (!trainer) throw new Nonsense('a request before anything was opened');
    switch (request.type) {
      case 'step': {
        const samples = await this.#samples(request.samples, { samples: MOST_SAMPLES, isTold: true }, signal);
        await this.#time(signal);
        return { type: 'stepped', n, figures: await trainer.step(samples, { rate: request.rate, signal }) };
      }
      case 'score': {
        const [sample] = await this.#samples(request.sample, { samples: 1, isTold: false }, signal);
        if (!sample) throw new Nonsense('not one sample');
        const bytes = logprobsToBytes(await trainer.score(sample, signal));
        return { type: 'scored', n, logprobs: this.#exchange.shelf.offerBytes(bytes, await hashOf(bytes)) };
      }
      case 'save': {
        const folder = join(this.#options.folder, 'saved');
        await rm(folder, { recursive: true, force: true });
        await trainer.save(folder, signal);
        return { type: 'saved', n, files: await this.#exchange.shelf.offerFiles(folder, signal) };
      }
      default:
        throw new Nonsense('no request');
    }
  }

  async #open({ files, settings, longest }: OpenMessage, signal: AbortSignal): Promise<Forecast> {
    const { folder, look, createTrainer, mostBytes } = this.#options;
    const modelPath = await look();
    const from = join(folder, 'from');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (files.length > 0) {
      await fetchInto(from, { files, most: await mostBytes(modelPath), reader: this.#exchange.reader, signal });
    }
    const trainer = await createTrainer();
    signal.throwIfAborted();
    this.#trainer = trainer;
    const model = { modelPath, settings, ...(longest !== undefined && { longest }) };
    return await this.#trainer.open({ ...model, ...(files.length > 0 && { from }) }, signal);
  }

  /** No longer than was said when it was opened: memory was planned for that. */
  async #samples(blob: Blob, expected: Omit<SampleBounds, 'tokens'>, signal: AbortSignal): Promise<TrainingSample[]> {
    const bounds = { ...expected, tokens: this.#options.open.longest ?? DEFAULT_LONGEST };
    if (blob.size > mostBytes(bounds)) throw new Nonsense('more samples than may be');
    const bytes = Buffer.allocUnsafe(blob.size);
    let at = 0;
    const take = (chunk: Buffer) => {
      at += chunk.copy(bytes, at);
    };
    await this.#exchange.reader.read(blob, take, signal);
    return await bytesToSamples(bytes, bounds);
  }

  /** Waits until this node has time. @throws Refusal when that takes too long */
  async #time(signal: AbortSignal): Promise<void> {
    const { mayTrain, patience } = this.#options;
    const begun = performance.now();
    for (let against = mayTrain(); against.length > 0; against = mayTrain()) {
      if (performance.now() - begun > patience.busyMs) throw noTime(against);
      await pause(patience.lookEveryMs, undefined, { signal });
    }
  }

  #endAfter(ms: number, why: Why): void {
    if (this.#ending) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.end(why), ms);
  }
}
