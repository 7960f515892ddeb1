import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { DecodeCost } from '../../../src-preload/contract/decode-cost.ts';
import type { DraftCost, DraftRates } from '../../../src-preload/contract/drafting.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateInput, GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { sha256OfFile } from '../../base/sha256.ts';
import { requireModelFile } from '../../gguf/model-file.ts';
import { CrashBreaker } from '../../process/crash-breaker.ts';
import { nodeSpawner } from '../../process/process-spawner.ts';
import { SupervisedChild } from '../../process/supervised-child.ts';
import type {
  AskOptions,
  BackendStatus,
  DraftModel,
  EmbedResult,
  GenerateEvent,
  GenerateOptions,
  GpuDevice,
  InferenceBackend,
  MachineEngine,
  ModelInfo,
  Probed,
  ProbeOptions,
  ProbeRequest,
  ScoreRequest,
  ScoreResult,
} from '../backend.ts';
import {
  type ChildMessage,
  childMessageSchema,
  type EngineResult,
  type Generated,
  type HostMessage,
  type HostRequest,
  type LoadedInfo,
} from '../engine-protocol.ts';
import {
  adapterSchema,
  backendInputSchema,
  checkLongGenerate,
  checkProbe,
  checkRequest,
  checkVerifiable,
  embedSchema,
  scoreSchema,
} from '../request-schema.ts';
import { readCalls } from '../tools/answer-calls.ts';
import { DraftWatch } from './draft-watch.ts';
import { ENGINE_ENTRY, ENGINE_ERRORS, engineLaunch } from './engine-launch.ts';
import { type EngineEvent, EngineRequests } from './engine-requests.ts';
import { type LocalBackendOptions, loadOptions } from './local-options.ts';

/** A model of this machine, in an engine child that may die and comes back. */
export class LocalBackend implements InferenceBackend, MachineEngine {
  readonly engine: MachineEngine = this;
  readonly #options: LocalBackendOptions;
  readonly #requests: EngineRequests;
  readonly #child: SupervisedChild<ChildMessage>;
  readonly #draft: DraftWatch;
  #opening: Promise<void> | undefined;
  #hashing = new AbortController();
  /** Of the child that runs, or ran last. */
  #info: LoadedInfo | undefined;
  #sha256: string | undefined;
  #speed = 1;
  #costs: readonly DecodeCost[] = [];
  /** Of the model in memory, 0–1. */
  #progress: number | undefined;
  #starts = 0;

  constructor(options: LocalBackendOptions) {
    const {
      spawner = nodeSpawner,
      entry = ENGINE_ENTRY,
      log,
      now = () => performance.now(),
      maxWaiting = 256,
    } = options;
    this.#options = options;
    this.#sha256 = options.sha256;
    this.#requests = new EngineRequests({ maxWaiting, now });
    this.#draft = new DraftWatch(options.draft);
    const wanted = loadOptions(options);
    this.#child = new SupervisedChild({
      spawner,
      launch: engineLaunch(entry, options.gpus),
      messages: childMessageSchema,
      greeting: () => ({ type: 'load', options: this.#draft.options(wanted) }) satisfies HostMessage,
      errors: ENGINE_ERRORS,
      breaker: new CrashBreaker(now, options.breaker),
      heartbeat: {
        ping: { type: 'ping' } satisfies HostMessage,
        isDue: () => this.#requests.active + this.#requests.waiting > 0,
        ...options.heartbeat,
      },
      log,
      onMessage: (message) => this.#onMessage(message),
      onLost: (error) => this.#onLost(error),
      onBroken: (error) => this.#requests.failAll(error),
    });
  }

  /**
   * @throws MODEL_NOT_FOUND, MODEL_INVALID, OUT_OF_MEMORY; ENGINE_UNAVAILABLE when the engine dies of the model: then it
   * is tried again from time to time, until {@link close}
   */
  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#opening = undefined;
    this.#hashing.abort();
    this.#requests.failAll(new QuarryError({ code: 'CANCELLED', message: say('engine.closing') }));
    await this.#child.close();
  }

  status(): BackendStatus {
    const { state, error } = this.#child;
    const model: ModelInfo | undefined = this.#info && {
      ...{ ...this.#info, draft: undefined, sha256: this.#sha256 },
      ...(this.#draft.drafting && { draft: this.#draft.drafting }),
    };
    const loading = state === 'starting' || state === 'restarting';
    return {
      state,
      model,
      active: this.#requests.active,
      waiting: this.#requests.waiting,
      ...(loading && this.#progress !== undefined && { progress: this.#progress }),
      ...(error && { error }),
    };
  }

  setSpeed(share: number): void {
    this.#speed = share;
    this.#tell({ type: 'speed', share });
  }

  async measureDecoding(options?: AskOptions): Promise<DecodeCost[]> {
    return (await this.#ask('decode-costs', { type: 'decode-costs' }, options)).costs;
  }

  useDecodeCosts(costs: readonly DecodeCost[]): void {
    this.#costs = costs;
    this.#tell({ type: 'use-costs', costs: [...costs] });
  }

  get draft(): DraftModel | undefined {
    return this.#draft.model;
  }

  async measureDrafting(options?: AskOptions): Promise<DraftCost[]> {
    if (!this.draft) return [];
    return (await this.#ask('draft-costs', { type: 'draft-costs' }, options)).costs;
  }

  useDraftCosts(costs: readonly DraftCost[], rates?: DraftRates): void {
    this.#tell(this.#draft.use(costs, rates));
  }

  onDrafted(listener: (rates: DraftRates) => void): () => void {
    return this.#draft.listen(listener);
  }

  async gpus(): Promise<GpuDevice[]> {
    return (await this.#ask('devices', { type: 'devices' })).gpus;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  get modelPath(): string {
    return this.#options.modelPath;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async *generate(request: GenerateRequest, options?: GenerateOptions): AsyncGenerator<GenerateEvent> {
    const checked = checkLongGenerate(request);
    if (options?.verified) checkVerifiable(checked);
    yield* readCalls(this.#written(checked, options), checked, this.#info?.toolStyle);
  }

  /** The answer as the model writes it. */
  async *#written(request: GenerateRequest, options?: GenerateOptions): AsyncGenerator<GenerateEvent> {
    let text = '';
    const { tokenIds: ids = false, fresh, verified, asker, askedAt } = options ?? {};
    const keepPrompt = options?.keepPrompt ?? this.#options.keepPrompts?.forOthers;
    const how = { ...adapterOf(options), tokenIds: ids, fresh, verified, asker, keepPrompt, askedAt };
    const asked = { type: 'generate' as const, request, ...how };
    for await (const event of this.#submit(asked, options)) {
      if (event.type === 'chunk') {
        text += event.text;
        yield {
          type: 'chunk',
          text: event.text,
          tokens: event.tokens,
          ...(event.logprobs && { logprobs: event.logprobs }),
        };
      } else {
        const { generated, tokenIds, evidence } = only(event.result, 'generate');
        yield {
          type: 'done',
          result: generateResult(text, generated, event.waitedMs),
          ...(tokenIds && { tokenIds }),
          ...(evidence && { evidence }),
        };
      }
    }
  }

  async score(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult> {
    const checked = checkRequest(scoreSchema, request);
    const how = { ...adapterOf(options), fresh: options?.fresh, askedAt: options?.askedAt };
    const { tokens } = await this.#ask('score', { type: 'score', request: checked, ...how }, options);
    return { tokens, totalLogprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0) };
  }

  async embed(inputs: string[], options?: AskOptions): Promise<EmbedResult> {
    const checked = checkRequest(embedSchema, inputs, 'inputs');
    const { vectors, promptTokens } = await this.#ask('embed', { type: 'embed', inputs: checked }, options);
    return { vectors, promptTokens };
  }

  async probe(request: ProbeRequest, options?: ProbeOptions): Promise<Probed> {
    const checked = checkProbe(request);
    const asked = { type: 'probe' as const, request: checked, evidence: options?.evidence ?? false };
    const { tokens, logits, evidence } = await this.#ask('probe', asked, options);
    return { tokens, evidence, logits: floatsIn(logits) };
  }

  async countTokens(input: GenerateInput): Promise<number> {
    const checked = checkRequest(backendInputSchema, input, 'input');
    return (await this.#ask('count', { type: 'count', input: checked })).tokens;
  }

  async tokenize(input: GenerateInput, { askedAt }: Pick<GenerateOptions, 'askedAt'> = {}): Promise<number[]> {
    const checked = checkRequest(backendInputSchema, input, 'input');
    return (await this.#ask('tokenize', { type: 'tokenize', input: checked, askedAt })).tokens;
  }

  #onMessage(message: ChildMessage): void {
    if (message.type === 'events') this.#requests.onEvents(message.events);
    if (message.type === 'loading') this.#progress = message.progress;
    if (message.type === 'loaded') this.#onLoaded(message.info);
    if (message.type === 'drafted') this.#draft.onDrafted(message.rates, message.gain);
    if (message.type === 'draft-failed') this.#onDraftFailed(new QuarryError(message.error));
    if (message.type === 'load-failed') this.#child.refuse(new QuarryError(message.error));
  }

  #onDraftFailed(err: QuarryError): void {
    this.#options.log.warn({ err }, 'answers go on without the draft model');
    this.#draft.onFailed(err);
  }

  #onLost(error: QuarryError): void {
    this.#progress = undefined;
    this.#draft.onLost(error);
    this.#requests.failStarted(error);
  }

  #onLoaded(info: LoadedInfo): void {
    this.#info = info;
    this.#draft.onLoaded(info);
    this.#progress = undefined;
    this.#child.ready(info);
    this.#starts++;
    if (this.#speed < 1) this.setSpeed(this.#speed);
    if (this.#costs.length > 0) this.useDecodeCosts(this.#costs);
    this.#keepPrompts();
    if (this.#draft.known) this.#tell(this.#draft.known);
    this.#requests.resend();
  }

  /** Once it is known which model it is: what was evaluated is of use to that one only. */
  #keepPrompts(): void {
    const { folder, most = 0 } = this.#options.keepPrompts ?? {};
    if (folder === undefined || most === 0 || this.#sha256 === undefined) return;
    this.#tell({ type: 'keep-prompts', options: { folder: resolve(folder), most, model: this.#sha256 } });
  }

  /** What it needs no answer to. */
  #tell(message: Extract<HostMessage, { type: 'speed' | 'use-costs' | 'use-draft-costs' | 'keep-prompts' }>): void {
    try {
      this.#child.send(message);
    } catch (error) {
      this.#options.log.warn({ err: error, message }, 'the engine does not read, and goes on as before');
    }
  }

  async #open(): Promise<void> {
    const { modelPath } = this.#options;
    await requireModelFile(modelPath);
    this.#hashing = new AbortController();
    const hashing = this.#hash(modelPath, this.#hashing.signal);
    try {
      await this.#child.open();
    } catch (error) {
      if (QuarryError.from(error).code !== 'ENGINE_UNAVAILABLE') this.#hashing.abort();
      throw error;
    }
    await hashing;
    this.#keepPrompts();
  }

  /** Never throws: what cannot be read to its end has no hash. */
  async #hash(path: string, signal: AbortSignal): Promise<void> {
    try {
      this.#sha256 ??= await sha256OfFile(path, signal);
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error, path }, 'the model file could not be hashed');
    }
  }

  /** The result of a request that streams nothing. */
  async #ask<K extends EngineResult['kind']>(kind: K, request: HostRequest, options?: GenerateOptions) {
    for await (const event of this.#submit(request, options))
      if (event.type === 'done') return only(event.result, kind);
    throw new QuarryError({ code: 'INTERNAL', message: say('engine.noResult') });
  }

  /** The one way to the engine: see {@link EngineRequests.submit}. @throws why there is none */
  #submit(request: HostRequest, options?: GenerateOptions): AsyncIterable<EngineEvent> {
    const { state, error } = this.#child;
    if (state === 'broken' && error) throw error;
    if (state === 'closed') {
      throw new QuarryError({
        code: 'ENGINE_UNAVAILABLE',
        message: say('engine.notOpen'),
        hint: 'Call open() first.',
      });
    }
    return this.#requests.submit(this.#child, request, options);
  }
}

/** The engine may stand in another folder. */
function adapterOf({ adapter }: GenerateOptions = {}): { adapter?: string } {
  return adapter === undefined ? {} : { adapter: resolve(checkRequest(adapterSchema, adapter, 'model')) };
}

/** @param base64 of 32-bit floats, little-endian */
function floatsIn(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
}

function generateResult(text: string, generated: Generated, waitedMs: number): GenerateResult {
  const { queuedMs, firstTokenMs, totalMs, completionTokens } = generated;
  const seconds = (totalMs - firstTokenMs) / 1000;
  return {
    ...generated,
    text,
    queuedMs: queuedMs + waitedMs,
    firstTokenMs: firstTokenMs + waitedMs,
    totalMs: totalMs + waitedMs,
    tokensPerSecond: completionTokens > 1 && seconds > 0 ? (completionTokens - 1) / seconds : 0,
  };
}

function only<K extends EngineResult['kind']>(result: EngineResult, kind: K): Extract<EngineResult, { kind: K }> {
  if (result.kind === kind) return result as Extract<EngineResult, { kind: K }>;
  throw new QuarryError({ code: 'INTERNAL', message: `The engine answered ${result.kind} where ${kind} was asked.` });
}
