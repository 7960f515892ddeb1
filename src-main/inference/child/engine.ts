import { performance } from 'node:perf_hooks';
import type { Token } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateInput, GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ScoreRequest } from '../backend.ts';
import type { HostMessage, LoadedInfo, RequestEvent } from '../engine-protocol.ts';
import { type Addon, openAddon, type Sampler } from './addon.ts';
import { BatchLoop, type SequenceTask } from './batch-loop.ts';
import { Embedder } from './embedder.ts';
import { type Cancellable, EngineAnswers, type OpenRequest } from './engine-answers.ts';
import { GenerateTask } from './generate-task.ts';
import { readGpus } from './gpu-list.ts';
import { createGrammar, END_OF_JSON } from './grammar.ts';
import { BATCH_SIZE, type LoadedModel } from './load-model.ts';
import { LogprobReader } from './logprobs.ts';
import { PromptReader } from './prompt.ts';
import { RequestClock } from './request-clock.ts';
import { ScoreTask } from './score-task.ts';
import { Vocabulary } from './vocabulary.ts';

type EngineMessage = Exclude<HostMessage, { type: 'load' | 'gpus' }>;
type Task = SequenceTask & Cancellable;

export interface EngineOptions {
  send: (events: RequestEvent[]) => void;
  /** Told what a person should know and what does not keep the engine from working. */
  warn: (text: string) => void;
}

/** A loaded model and the requests on it; lives in the engine child. */
export class Engine {
  readonly info: LoadedInfo;
  readonly #loaded: LoadedModel;
  readonly #addon: Addon;
  readonly #vocabulary: Vocabulary;
  readonly #prompts: PromptReader;
  readonly #loop: BatchLoop;
  readonly #embedder: Embedder;
  readonly #answers: EngineAnswers;

  constructor(loaded: LoadedModel, { send, warn }: EngineOptions) {
    const { model, context, info } = loaded;
    this.info = info;
    this.#loaded = loaded;
    this.#answers = new EngineAnswers(send, () => performance.now());
    this.#addon = openAddon(model, context);
    this.#vocabulary = new Vocabulary(model, this.#addon);
    this.#prompts = new PromptReader(model, (error) => warn(`The model’s chat template cannot be used: ${error}`));
    this.#embedder = new Embedder({ model, threads: info.threads, contextSize: info.contextSize });
    this.#loop = new BatchLoop({
      addon: this.#addon,
      sequences: info.parallel,
      batchSize: BATCH_SIZE,
      window: model.fileInsights.swaSize,
      onRound: () => this.#answers.settle(),
      now: () => performance.now(),
    });
  }

  handle(message: EngineMessage): void {
    if (message.type === 'cancel') this.#answers.cancel(message.id);
    if (message.type === 'generate') this.#generate(this.#answers.open(message.id), message.request);
    if (message.type === 'score') this.#score(this.#answers.open(message.id), message.request);
    if (message.type === 'embed') void this.#embed(this.#answers.open(message.id), message.inputs);
    if (message.type === 'count') this.#count(this.#answers.open(message.id), message.input);
    if (message.type === 'devices') void this.#devices(this.#answers.open(message.id));
    if (message.type === 'speed') this.#loop.setSpeed(message.share);
  }

  #generate(open: OpenRequest, request: GenerateRequest): void {
    const clock = new RequestClock();
    let cachedTokens = 0;
    this.#queue(
      open,
      async () => {
        clock.start();
        const prompt = this.#prompts.read(request.input);
        this.#checkLength(prompt.length + 1);
        const { stop = [], jsonSchema, topLogprobs, maxTokens = 512 } = request;
        return new GenerateTask({
          prompt,
          maxTokens: Math.min(maxTokens, this.info.contextSize - prompt.length),
          stop: jsonSchema ? [...stop, END_OF_JSON] : stop,
          vocabulary: this.#vocabulary,
          sampler: await this.#sampler(request, prompt),
          logprobs: topLogprobs === undefined ? undefined : this.#logprobs(topLogprobs),
          onPiece: (piece) => this.#answers.chunk(open, piece),
          onFirstToken: () => clock.firstToken(),
          onFinish: (finish, completionTokens) => {
            const generated = { finish, promptTokens: prompt.length, cachedTokens, completionTokens, ...clock.read() };
            this.#answers.done(open, { kind: 'generate', generated });
          },
          onFail: (error) => this.#answers.fail(open, error),
        });
      },
      (cached) => {
        cachedTokens = cached;
      },
    );
  }

  #score(open: OpenRequest, request: ScoreRequest): void {
    this.#queue(open, () => {
      const prompt = this.#prompts.read(request.input);
      const continuation = this.#prompts.readContinuation(request.continuation);
      this.#checkLength(prompt.length + continuation.length);
      return new ScoreTask({
        prompt,
        continuation,
        logprobs: this.#logprobs(request.topK ?? 0),
        onFinish: (tokens) => this.#answers.done(open, { kind: 'score', tokens }),
        onFail: (error) => this.#answers.fail(open, error),
      });
    });
  }

  async #embed(open: OpenRequest, inputs: readonly string[]): Promise<void> {
    this.#answers.started(open);
    try {
      const embedded = await this.#embedder.embed(inputs, () => open.ended);
      this.#answers.done(open, { kind: 'embed', ...embedded });
    } catch (error) {
      this.#answers.fail(open, error);
    }
    this.#answers.settle();
  }

  #count(open: OpenRequest, input: GenerateInput): void {
    this.#answers.started(open);
    try {
      this.#answers.done(open, { kind: 'count', tokens: this.#prompts.read(input).length });
    } catch (error) {
      this.#answers.fail(open, error);
    }
    this.#answers.settle();
  }

  async #devices(open: OpenRequest): Promise<void> {
    this.#answers.started(open);
    try {
      this.#answers.done(open, { kind: 'devices', gpus: await readGpus(this.#loaded.llama) });
    } catch (error) {
      this.#answers.fail(open, error);
    }
    this.#answers.settle();
  }

  /** Waits for a sequence. The task is made only then: what a hostile prompt does to llama.cpp, it does as started. */
  #queue(open: OpenRequest, makeTask: () => Task | Promise<Task>, onCached?: (tokens: number) => void): void {
    this.#loop.submit({
      get ended() {
        return open.ended;
      },
      begin: async () => {
        this.#answers.started(open);
        return open.hold(await makeTask());
      },
      onSequence: (cached) => onCached?.(cached),
      fail: (error) => this.#answers.fail(open, error),
    });
  }

  #checkLength(tokens: number): void {
    if (tokens <= this.info.contextSize) return;
    throw new QuarryError({
      code: 'CONTEXT_TOO_LONG',
      message: say('engine.contextTooLong', { tokens, most: this.info.contextSize }),
      hint: say('engine.shorten'),
      field: 'input',
    });
  }

  #logprobs(topK: number): LogprobReader {
    return new LogprobReader(this.#addon.createDistributionReader(topK), this.#vocabulary);
  }

  async #sampler(request: GenerateRequest, prompt: readonly Token[]): Promise<Sampler> {
    const { llama, model } = this.#loaded;
    return this.#addon.createSampler({
      temperature: request.temperature ?? 0.7,
      topP: request.topP ?? 0.9,
      topK: request.topK ?? 40,
      repeatPenalty: request.repeatPenalty ?? 1,
      history: prompt,
      seed: request.seed ?? Math.floor(Math.random() * 0xffff_ffff),
      grammar: request.jsonSchema && (await createGrammar(llama, model, request.jsonSchema)),
    });
  }
}
