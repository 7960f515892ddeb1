import { performance } from 'node:perf_hooks';
import type { Token } from 'node-llama-cpp';
import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import type { DraftRates } from '../../../src-preload/contract/drafting.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateInput, GenerateRequest } from '../../../src-preload/contract/request.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { vocabularySize } from '../../gguf/model-facts.ts';
import type { ScoreRequest } from '../backend.ts';
import {
  BATCH_TOKENS,
  type EngineResult,
  type HostMessage,
  type HostRequest,
  type LoadedInfo,
  type RequestEvent,
} from '../engine-protocol.ts';
import { EVIDENCE_TOP, PROBE_TOP } from '../evidence.ts';
import { offeredTools } from '../tools/answer-calls.ts';
import { candidatesWanted, GREEDY } from '../verified/choice.ts';
import { Adapters, type AdapterUse } from './adapters.ts';
import { type Answer, Answers } from './answers.ts';
import { sampledChooser, type TokenChooser, VerifiedChooser } from './choosers.ts';
import { DraftPlan } from './drafting/draft-plan.ts';
import { Drafter } from './drafting/drafter.ts';
import { Embedder, hasMeansOfPieces } from './embedder.ts';
import { type ForcedCall, forcedCall, ofTools } from './forced-call.ts';
import { createGrammar, END_OF_JSON } from './grammar/grammar.ts';
import { Instructions } from './kept-prompts/instructions.ts';
import { type KeptPrompt, KeptPrompts } from './kept-prompts/kept-prompts.ts';
import type { LoadedDraft } from './load-draft.ts';
import { type LoadedModel, readGpus } from './load-model.ts';
import { type Addon, openAddon } from './loop/addon.ts';
import { BatchLoop } from './loop/batch-loop.ts';
import type { SequenceTask } from './loop/sequence-task.ts';
import { ProbeTask } from './probe-task.ts';
import { PromptReader, type PromptWay } from './prompt.ts';
import { farTooLong } from './prompt-size.ts';
import { GenerateTask, ScoreTask } from './tasks.ts';
import { LogprobReader, Vocabulary } from './vocabulary.ts';

type EngineMessage = Exclude<HostMessage, { type: 'load' | 'gpus' | 'ping' }>;
type RequestMessage = Extract<EngineMessage, HostRequest>;

type MakeTask = (adapter: AdapterUse | undefined) => SequenceTask | Promise<SequenceTask>;

export interface EngineOptions {
  send: (events: RequestEvent[]) => void;
  /** Told what a person should know and what does not keep the engine from working. */
  warn: (text: string) => void;
  /** Guesses what the model says next. Default: nobody does. */
  draft?: LoadedDraft | undefined;
  /** Told now and then how good the guesses are, and how many times as fast one answer is written with them. */
  onDrafted?: (rates: DraftRates, gain: number) => void;
  /** The draft model failed: answers go on without it. */
  onDraftFailed?: (error: unknown) => void;
}

/** A loaded model and the requests on it; lives in the engine child. */
export class Engine {
  readonly info: LoadedInfo;
  readonly #loaded: LoadedModel;
  readonly #addon: Addon;
  readonly #adapters: Adapters;
  readonly #vocabulary: Vocabulary;
  readonly #vocabularySize: number;
  readonly #prompts: PromptReader;
  readonly #instructions: Instructions;
  readonly #kept: KeptPrompts;
  readonly #loop: BatchLoop;
  readonly #embedder: Embedder;
  readonly #answers: Answers;
  readonly #plan = new DraftPlan();

  constructor(loaded: LoadedModel, options: EngineOptions) {
    const { send, warn } = options;
    const { model, context, header, info } = loaded;
    this.#loaded = loaded;
    this.#answers = new Answers(send, () => performance.now());
    this.#addon = openAddon(model, context);
    this.#adapters = new Adapters(this.#addon, header);
    this.#vocabulary = new Vocabulary(model, this.#addon);
    this.#vocabularySize = vocabularySize(header);
    this.#prompts = new PromptReader(model, (error) => warn(`The model’s chat template cannot be used: ${error}`));
    const { toolStyle } = this.#prompts;
    this.info = { ...info, ...(toolStyle && { toolStyle }) };
    const { threads, contextSize } = info;
    // A graphics card reads a whole text in the time of a piece.
    const inPieces = info.device === 'cpu' && hasMeansOfPieces(header, info);
    this.#embedder = new Embedder({ model, threads, contextSize, inPieces });
    this.#instructions = new Instructions(this.#prompts);
    this.#kept = this.#openKept(warn);
    this.#loop = new BatchLoop({
      addon: this.#addon,
      keeper: this.#kept,
      sequences: info.parallel,
      contextSize,
      batchSize: BATCH_TOKENS,
      window: model.fileInsights.swaSize,
      drafter: this.#drafter(options),
      onRound: () => this.#answers.settle(),
      now: () => performance.now(),
    });
  }

  handle(message: EngineMessage): void {
    if (message.type === 'cancel') this.#cancel(message.id);
    else if (message.type === 'speed') this.#loop.setSpeed(message.share);
    else if (message.type === 'use-costs') this.#loop.useDecodeCosts(message.costs);
    else if (message.type === 'keep-prompts') this.#kept.use(message.options);
    else if (message.type === 'use-draft-costs') this.#plan.use(message.costs, message.rates);
    else this.#serve(message, this.#answers.open(message.id));
  }

  #drafter({ draft, onDrafted, onDraftFailed }: EngineOptions): Drafter | undefined {
    return (
      draft &&
      new Drafter({
        ...draft,
        sequences: this.info.parallel,
        plan: this.#plan,
        isLast: (token) => token >= this.#vocabularySize || this.#vocabulary.isEnd(token),
        onRates: () => onDrafted?.(this.#plan.rates, this.#plan.gain(1)),
        onFailure: (error) => onDraftFailed?.(error),
      })
    );
  }

  /** At once also where it waits: it may wait for long, and its prompt be large. */
  #cancel(id: number): void {
    this.#answers.cancel(id);
    this.#loop.dropEnded();
  }

  #serve(message: RequestMessage, answer: Answer): void {
    const writes = message.type === 'generate' || message.type === 'score' || message.type === 'probe';
    if (writes && this.info.embedsOnly) {
      void this.#run(answer, () => {
        throw embedsOnly(this.info.name);
      });
      return;
    }
    if (message.type === 'generate') {
      this.#queue(answer, message.adapter, (adapter) => this.#generateTask(answer, message, adapter));
    }
    if (message.type === 'score') {
      this.#queue(answer, message.adapter, (adapter) => this.#scoreTask(answer, message, adapter));
    }
    if (message.type === 'probe') this.#queue(answer, undefined, () => this.#probeTask(answer, message));
    if (message.type === 'embed') void this.#run(answer, () => this.#embed(answer, message.inputs));
    if (message.type === 'count') {
      void this.#run(answer, () => ({ kind: 'count', tokens: this.#prompts.read(message.input).length }));
    }
    if (message.type === 'tokenize') {
      void this.#run(answer, () => ({ kind: 'tokenize', tokens: this.#readPrompt(message.input, message) }));
    }
    if (message.type === 'decode-costs') {
      const measure = () => this.#loop.measureDecodeCosts(() => !answer.over);
      void this.#run(answer, async () => ({ kind: 'decode-costs', costs: await measure() }));
    }
    if (message.type === 'draft-costs') {
      const measure = () => this.#loop.measureDraftCosts(() => !answer.over);
      void this.#run(answer, async () => ({ kind: 'draft-costs', costs: await measure() }));
    }
    if (message.type === 'devices') {
      void this.#run(answer, async () => ({ kind: 'devices', gpus: await readGpus(this.#loaded.llama) }));
    }
  }

  /** Waits for a sequence. The task is made only then: what a hostile prompt does to llama.cpp, it does as started. */
  #queue(answer: Answer, adapter: string | undefined, makeTask: MakeTask): void {
    this.#loop.submit({
      get ended() {
        return answer.over;
      },
      begin: async () => {
        answer.started();
        return await this.#begin(adapter, makeTask);
      },
      onSequence: (cachedTokens) => {
        answer.cachedTokens = cachedTokens;
      },
      fail: (error) => answer.fail(error),
    });
  }

  async #begin(path: string | undefined, makeTask: MakeTask): Promise<SequenceTask> {
    const adapter = path === undefined ? undefined : await this.#adapters.use(path);
    try {
      return await makeTask(adapter);
    } catch (error) {
      adapter?.release();
      throw error;
    }
  }

  /** What needs no sequence is done at once. */
  async #run(answer: Answer, work: () => EngineResult | Promise<EngineResult>): Promise<void> {
    answer.started();
    try {
      answer.done(await work());
    } catch (error) {
      answer.fail(error);
    }
    this.#answers.settle();
  }

  async #embed(answer: Answer, inputs: readonly string[]): Promise<EngineResult> {
    return { kind: 'embed', ...(await this.#embedder.embed(inputs, () => answer.over)) };
  }

  async #generateTask(
    answer: Answer,
    message: Extract<EngineMessage, { type: 'generate' }>,
    adapter: AdapterUse | undefined,
  ): Promise<SequenceTask> {
    const { request, tokenIds, fresh, verified = false, askedAt } = message;
    const tools = offeredTools(request);
    const forced = forcedCall(request, this.#prompts);
    const prompt = this.#readPrompt(request.input, { tools, askedAt }, forced?.opening);
    const { stop = [] } = request;
    const jsonSchema = forced?.jsonSchema ?? request.jsonSchema;
    const maxTokens = Math.min(request.maxTokens ?? DEFAULTS.maxTokens, this.info.contextSize - prompt.length);
    const sampled = { ...request, jsonSchema, maxTokens };
    return new GenerateTask({
      answer,
      prompt,
      maxTokens,
      stop: jsonSchema ? [...stop, END_OF_JSON] : stop,
      vocabulary: this.#vocabulary,
      chooser: verified ? this.#verified(request, prompt) : await this.#sampled(sampled, prompt, forced),
      marks: tools.length > 0,
      opening: forced?.opening ?? '',
      adapter,
      tokenIds,
      fresh,
      asker: message.asker,
      kept: message.keepPrompt && !fresh ? this.#keptOf(prompt, request, adapter) : undefined,
      guessable: !verified && !fresh,
    });
  }

  /** What of a prompt may be kept on the disk: its instructions. */
  #keptOf(prompt: readonly Token[], request: GenerateRequest, adapter?: AdapterUse): KeptPrompt | undefined {
    const instructions = this.#instructions.of(prompt, request.input, offeredTools(request));
    return instructions && this.#kept.prompt(instructions, adapter?.key);
  }

  #openKept(warn: (text: string) => void): KeptPrompts {
    const { llamaCppRelease } = this.#loaded.llama;
    const { kvCache, rope, device, contextSize } = this.info;
    const way = JSON.stringify([llamaCppRelease, kvCache, rope, device]);
    return new KeptPrompts({ addon: this.#addon, way, contextSize, warn, now: () => performance.now() });
  }

  #scoreTask(
    answer: Answer,
    { request, fresh, askedAt }: Extract<EngineMessage, { type: 'score' }>,
    adapter: AdapterUse | undefined,
  ): SequenceTask {
    this.#checkSize(request.input);
    const prompt = this.#prompts.read(request.input, { askedAt });
    const continuation = this.#continuation(request.continuation);
    this.#checkLength(prompt.length + continuation.length);
    const logprobs = this.#logprobs(request.topK ?? 0);
    return new ScoreTask({ answer, prompt, continuation, logprobs, adapter, fresh });
  }

  #continuation(given: ScoreRequest['continuation']): Token[] {
    if (typeof given === 'string') return this.#prompts.readContinuation(given);
    this.#checkTokens(given, 'continuation');
    return given as unknown as Token[];
  }

  /** @throws BAD_REQUEST naming the field where one of them is not in the vocabulary */
  #checkTokens(tokens: readonly number[], field: string): void {
    const unknown = tokens.find((token) => token >= this.#vocabularySize);
    if (unknown !== undefined) throw noSuchToken(unknown, field);
  }

  #probeTask(answer: Answer, { request, evidence }: Extract<EngineMessage, { type: 'probe' }>): SequenceTask {
    const { prompt, length, said } = request;
    this.#checkTokens(prompt, 'prompt');
    this.#checkTokens(said ?? [], 'said');
    this.#checkLength(prompt.length + length);
    return new ProbeTask({
      ...{ answer, request },
      greedy: this.#addon.createSampler({ ...GREEDY, history: [] }),
      logprobs: evidence || said ? this.#logprobs(said ? PROBE_TOP : EVIDENCE_TOP) : undefined,
      logits: this.#addon.createLogitsReader(),
    });
  }

  /** As it is evaluated for an answer, of which there is room for a token at least. @param opening how the answer begins */
  #readPrompt(input: GenerateInput, { tools, askedAt }: PromptWay, opening = ''): Token[] {
    this.#checkSize(input);
    const prompt = [...this.#prompts.read(input, { tools, askedAt }), ...this.#prompts.readOpening(opening)];
    this.#checkLength(prompt.length + 1);
    return prompt;
  }

  /** Before anything is made of it. @throws CONTEXT_TOO_LONG where no context could hold it */
  #checkSize(input: GenerateInput): void {
    const most = this.info.contextSize;
    const tokens = farTooLong(input, most, (text) => this.#prompts.readContinuation(text).length);
    if (tokens !== undefined) throw tooLong(say('engine.contextFarTooLong', { tokens, most }));
  }

  #checkLength(tokens: number): void {
    const most = this.info.contextSize;
    if (tokens > most) throw tooLong(say('engine.contextTooLong', { tokens, most }));
  }

  #logprobs(topK: number): LogprobReader {
    return new LogprobReader(this.#addon.createDistributionReader(topK), this.#vocabulary);
  }

  async #sampled(
    request: GenerateRequest & { maxTokens: number },
    prompt: readonly Token[],
    forced: ForcedCall | undefined,
  ): Promise<TokenChooser> {
    const { frequencyPenalty = DEFAULTS.frequencyPenalty, presencePenalty = DEFAULTS.presencePenalty } = request;
    const sampler = this.#addon.createSampler({
      ...samplingOf(request),
      ...{ frequencyPenalty, presencePenalty, answerTokens: request.maxTokens },
      bias: this.#bias(request.logitBias),
      history: prompt,
      seed: request.seed ?? Math.floor(Math.random() * 0xffff_ffff),
      grammar: request.jsonSchema && (await this.#grammar(request.jsonSchema, forced)),
    });
    const { topLogprobs } = request;
    return sampledChooser(sampler, topLogprobs === undefined ? undefined : this.#logprobs(topLogprobs));
  }

  async #grammar(jsonSchema: Record<string, unknown>, forced: ForcedCall | undefined) {
    const { llama, model } = this.#loaded;
    try {
      return await createGrammar(llama, model, jsonSchema);
    } catch (error) {
      throw forced ? ofTools(error, forced) : error;
    }
  }

  /** @throws BAD_REQUEST where one of them is not in the vocabulary */
  #bias(given: GenerateRequest['logitBias'] = {}): Map<number, number> {
    const bias = new Map(Object.entries(given).map(([token, value]) => [Number(token), value]));
    this.#checkTokens([...bias.keys()], 'logitBias');
    return bias;
  }

  #verified({ topLogprobs, seed, ...request }: GenerateRequest, prompt: readonly Token[]): TokenChooser {
    if (seed === undefined) throw new Error('an answer that others can check needs a seed');
    const sampling = { ...samplingOf(request), seed };
    const wanted = Math.max(EVIDENCE_TOP, topLogprobs ?? 0, candidatesWanted(sampling));
    return new VerifiedChooser({ sampling, prompt, reader: this.#logprobs(wanted), topLogprobs });
  }
}

function samplingOf(request: GenerateRequest) {
  return {
    temperature: request.temperature ?? DEFAULTS.temperature,
    topP: request.topP ?? DEFAULTS.topP,
    topK: request.topK ?? DEFAULTS.topK,
    repeatPenalty: request.repeatPenalty ?? DEFAULTS.repeatPenalty,
  };
}

function tooLong(message: Saying): QuarryError {
  return new QuarryError({ code: 'CONTEXT_TOO_LONG', message, hint: say('engine.shorten'), field: 'input' });
}

function noSuchToken(token: number, field: string): QuarryError {
  const message = say('engine.badField', { field, why: say('engine.noSuchToken', { token }) });
  return new QuarryError({ code: 'BAD_REQUEST', message, field });
}

/** An encoder has no next token: what it would say is noise. */
function embedsOnly(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('engine.embedsOnly', { name }),
    hint: say('engine.loadAWriter'),
    field: 'model',
  });
}
