import type {
  LlamaContext,
  LlamaEmbeddingContext,
  LlamaGrammarEvaluationState,
  LlamaModel,
  Token,
} from 'node-llama-cpp';
import { MAX_LOGIT_BIAS } from '../../../../src-preload/contract/limits.ts';
import { REPEAT_WINDOW } from '../../verified/choice.ts';
import type { Guesser } from '../drafting/draft-context.ts';

/**
 * The few calls of node-llama-cpp's native addon that its public classes do not pass on (why:
 * docs/decisions/0003-one-batch-loop.md). Through them one loop composes every batch itself, and reads a position’s
 * logits beside sampling from them. This is the only file that knows them; the library’s version is pinned, and
 * {@link openAddon} fails on one that differs.
 */
interface AddonContext {
  initBatch(size: number): void;
  addToBatch(sequence: number, firstPosition: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logits: number, sampler: AddonSampler): Promise<number>;
  sampleToken(
    logits: number,
    sampler: AddonSampler,
    probabilities: false,
    confidence: false,
    all: true,
  ): Promise<[token: number, probabilities: undefined, confidence: undefined, logits?: number[]]>;
  sampleToken(
    logits: number,
    sampler: AddonSampler,
    probabilities: false,
    confidence: true,
  ): Promise<[token: number, probabilities: undefined, confidence?: number]>;
  sampleToken(
    logits: number,
    sampler: AddonSampler,
    probabilities: false,
    confidence: false,
    filter: [tokens: number[], max: boolean, min: boolean, selected: boolean, top: number],
    totalWeight: boolean,
  ): Promise<[token: number, probabilities: undefined, confidence: undefined, logits?: number[], weight?: number]>;
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean;
  disposeSequence(sequence: number): void;
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
  getSequenceKvCacheMinPosition(sequence: number): number;
  /** @returns bytes written */
  saveSequenceStateToFile(path: string, sequence: number, tokens: Uint32Array): Promise<number>;
  loadSequenceStateFromFile(path: string, sequence: number, mostTokens: number): Promise<Uint32Array>;
  setLoras(adapters: AdapterWeights[], scales: number[]): void;
  getEmbedding(tokens: number): Float64Array;
}

interface AddonSampler {
  applyConfig(config: Record<string, unknown>): void;
  dispose(): void;
}

interface AddonModel {
  getTokenString(token: number): string | undefined;
  /** @throws where llama.cpp refuses the file */
  loadLora(adapter: AdapterWeights): Promise<void>;
}

/** An adapter in llama.cpp's memory. */
export interface AdapterWeights {
  readonly filePath: string;
  dispose(): Promise<void>;
}

type SamplerClass = new (model: AddonModel) => AddonSampler;
type AdapterClass = new (model: AddonModel, path: string) => AdapterWeights;

interface Bindings {
  AddonSampler: SamplerClass;
  AddonModelLora: AdapterClass;
}

interface Hidden {
  context: { _ctx: AddonContext };
  model: { _model: AddonModel; _llama: { _bindings: Bindings } };
  grammar: { _state: unknown };
  embedding: { _llamaContext: { _ctx: AddonContext }; _prepareInput(tokens: Token[]): void };
}

/** Tokens of one sequence to evaluate in the next batch. */
export interface BatchItem {
  sequence: number;
  /** Position of the first token in the sequence. */
  position: number;
  tokens: readonly Token[];
  /** Indexes into `tokens` whose logits are wanted. */
  logits: readonly number[];
}

export interface DecodingBatch {
  /** For each item, where its wanted logits lie until the next batch. */
  logits: number[][];
  done: Promise<void>;
}

export interface SamplingOptions {
  temperature: number;
  /** 1 switches it off. */
  topP: number;
  /** 0 switches it off. */
  topK: number;
  /** 1 switches it off. */
  repeatPenalty: number;
  /** The tokens before the answer that count as repeated, the latest last. */
  history: readonly Token[];
  /** Off each token's logit: for each time that the answer has it, and for having it at all. Default 0. */
  frequencyPenalty?: number;
  presencePenalty?: number;
  /** Most tokens that the answer may have: these penalties look back to its beginning. */
  answerTokens?: number;
  /** Added to the logits of tokens, by their numbers. */
  bias?: ReadonlyMap<number, number>;
  seed: number;
  grammar?: LlamaGrammarEvaluationState;
}

export interface Sampler {
  /** Chooses from the logits at `index` of the last batch, and remembers the choice for the repeat penalty. */
  sample(index: number): Promise<Token>;
  /** Call only when no `sample` is under way. */
  dispose(): void;
}

/** What the model itself thinks at one position, before temperature, penalties and truncation. */
export interface Distribution {
  /** ln of the sum over the vocabulary of e^logit. */
  logSumExp: number;
  /** Logit of the token asked for. */
  logit: number;
  /** The likeliest tokens and their logits, best first. */
  top: [token: Token, logit: number][];
}

export interface DistributionReader {
  /** @param token default: the likeliest */
  read(index: number, token?: Token): Promise<Distribution>;
  /** Call only when no `read` is under way. */
  dispose(): void;
}

export interface LogitsReader {
  /** A logit for each token of the vocabulary. */
  read(index: number): Promise<Float32Array>;
  /** Call only when no `read` is under way. */
  dispose(): void;
}

export class Addon {
  readonly #context: AddonContext;
  readonly #model: AddonModel;
  readonly #classes: Bindings;
  /** What the context computes with. */
  #adapter: AdapterWeights | undefined;

  constructor(context: AddonContext, model: AddonModel, classes: Bindings) {
    this.#context = context;
    this.#model = model;
    this.#classes = classes;
  }

  /** @throws where llama.cpp refuses the file; it ends the process over some files: they have to be checked before */
  async loadAdapter(path: string): Promise<AdapterWeights> {
    const adapter = new this.#classes.AddonModelLora(this.#model, path);
    await this.#model.loadLora(adapter);
    return adapter;
  }

  /** Frees its memory. Call only between batches. */
  async freeAdapter(adapter: AdapterWeights): Promise<void> {
    // The context must not know it any more: another may lie at the same address later, and would be taken for it.
    if (this.#adapter === adapter) this.useAdapter(undefined);
    await adapter.dispose();
  }

  /** What the next batches are computed with; undefined: the model as it is. Call only between batches. */
  useAdapter(adapter: AdapterWeights | undefined): void {
    if (this.#adapter === adapter) return;
    this.#context.setLoras(adapter ? [adapter] : [], adapter ? [1] : []);
    this.#adapter = adapter;
  }

  /**
   * Begins to evaluate all items in one batch. What is asked of its logits from now on is done behind it by the same
   * thread of libuv, of which there is one: asking before `done` saves waking both threads once more for every token.
   */
  decode(items: readonly BatchItem[]): DecodingBatch {
    this.#context.initBatch(items.reduce((sum, { tokens }) => sum + tokens.length, 0));
    const indexes = items.map(({ sequence, position, tokens, logits }) =>
      Array.from(this.#context.addToBatch(sequence, position, Uint32Array.from(tokens), Uint32Array.from(logits))),
    );
    return { logits: indexes, done: this.#context.decodeBatch() };
  }

  /** Forgets a sequence's tokens from position `length` on. @returns whether the rest is still there */
  truncate(sequence: number, length: number, end: number): boolean {
    return this.#context.removeTokenCellsFromSequence(sequence, length, end);
  }

  /** Has one sequence hold what another does, in place of what it held. It takes as long as the whole context is large. Call only between batches. */
  async copy(source: number, target: number): Promise<void> {
    await this.#context.copySequenceStateFromOtherSequence(target, source);
  }

  /** Writes what a sequence holds into a file. Call only between batches. @returns its bytes @throws where it cannot be written */
  async saveSequence(path: string, sequence: number, tokens: readonly Token[]): Promise<number> {
    return await this.#context.saveSequenceStateToFile(path, sequence, Uint32Array.from(tokens));
  }

  /**
   * Has a sequence hold what a file does that {@link saveSequence} wrote; llama.cpp trusts it: it has to be checked before. Call only between batches.
   * @param most tokens that there is room for
   * @returns its tokens @throws where llama.cpp refuses it; what the sequence holds is unknown then
   */
  async loadSequence(path: string, sequence: number, most: number): Promise<Uint32Array> {
    return await this.#context.loadSequenceStateFromFile(path, sequence, most);
  }

  clear(sequence: number): void {
    this.#context.disposeSequence(sequence);
  }

  /** The first position whose keys and values are still there: more than 0 where the model's window slides. */
  firstPosition(sequence: number): number {
    return Math.max(0, this.#context.getSequenceKvCacheMinPosition(sequence));
  }

  /** A token as the vocabulary writes it. */
  tokenText(token: Token): string {
    return this.#model.getTokenString(token) ?? '';
  }

  createSampler(options: SamplingOptions): Sampler {
    const sampler = this.#sampler(samplerConfig(options));
    return {
      sample: async (index) => {
        const token = await this.#context.sampleToken(index, sampler);
        if (token < 0) throw new Error('llama.cpp found no token to choose from.');
        return token as Token;
      },
      dispose: () => sampler.dispose(),
    };
  }

  /** For as long as the model is loaded. */
  createGuesser(): Guesser {
    const plain = this.#sampler({ temperature: 0 });
    return {
      guess: async (index) => {
        const [token, , probability = 0] = await this.#context.sampleToken(index, plain, false, true);
        return { token: token as Token, probability };
      },
    };
  }

  /** Reads what is thought of every token of the vocabulary, in their order. */
  createLogitsReader(): LogitsReader {
    const plain = this.#sampler({ temperature: 0 });
    return {
      read: async (index) => {
        const [, , , logits = []] = await this.#context.sampleToken(index, plain, false, false, true);
        const inOrder = new Float32Array(logits.length / 2);
        for (let at = 0; at < logits.length; at += 2) inOrder[logits[at] as number] = logits[at + 1] as number;
        return inOrder;
      },
      dispose: () => plain.dispose(),
    };
  }

  /** @param topK how many of the likeliest tokens to report */
  createDistributionReader(topK: number): DistributionReader {
    // Greedy, with nothing before it in the chain, leaves every logit as it is.
    const plain = this.#sampler({ temperature: 0 });
    // Cutting the list first makes sorting it cheap; the whole vocabulary's weight comes from the plain one.
    const cut = topK > 0 ? this.#sampler({ temperature: 1, topK, seed: 0 }) : undefined;
    return {
      read: async (index, token) => {
        const [best, , , logits, weight] = await this.#context.sampleToken(
          index,
          plain,
          false,
          false,
          [token === undefined ? [] : [token], false, false, true, 0],
          true,
        );
        const byToken = new Map(pairs(logits ?? []));
        const highest = byToken.get(best as Token);
        const logit = token === undefined ? highest : byToken.get(token);
        if (logit === undefined || highest === undefined || weight === undefined) {
          throw new Error(`llama.cpp has no logit for token ${token ?? best}.`);
        }
        return { logit, logSumExp: highest + Math.log(weight), top: cut ? await this.#top(index, cut, topK) : [] };
      },
      dispose: () => {
        plain.dispose();
        cut?.dispose();
      },
    };
  }

  async #top(index: number, sampler: AddonSampler, topK: number): Promise<[Token, number][]> {
    const filter: [number[], boolean, boolean, boolean, number] = [[], false, false, false, topK];
    const [, , , logits] = await this.#context.sampleToken(index, sampler, false, false, filter, false);
    return pairs(logits ?? []);
  }

  #sampler(config: Record<string, unknown>): AddonSampler {
    const sampler = new this.#classes.AddonSampler(this.#model);
    sampler.applyConfig(config);
    return sampler;
  }
}

const OTHER_ADDON =
  'This version of node-llama-cpp has another addon than src-main/inference/child/loop/addon.ts was written for.';

/**
 * @throws when this version of node-llama-cpp is not the one that these calls were written for, or when libuv has
 * several threads: then sampling would not wait for the batch that it samples from
 */
export function openAddon(model: LlamaModel, context: LlamaContext): Addon {
  if (process.env.UV_THREADPOOL_SIZE !== '1') throw new Error('The engine child needs UV_THREADPOOL_SIZE=1.');
  const hidden = { model, context } as unknown as Pick<Hidden, 'model' | 'context'>;
  const addonContext = hidden.context._ctx;
  const addonModel = hidden.model._model;
  const classes = hidden.model._llama?._bindings;
  const calls = [
    addonContext?.initBatch,
    addonContext?.addToBatch,
    addonContext?.decodeBatch,
    addonContext?.sampleToken,
    addonContext?.removeTokenCellsFromSequence,
    addonContext?.disposeSequence,
    addonContext?.copySequenceStateFromOtherSequence,
    addonContext?.getSequenceKvCacheMinPosition,
    addonContext?.saveSequenceStateToFile,
    addonContext?.loadSequenceStateFromFile,
    addonContext?.setLoras,
    addonModel?.getTokenString,
    addonModel?.loadLora,
    classes?.AddonSampler,
    classes?.AddonModelLora,
  ];
  if (calls.some((call) => typeof call !== 'function')) {
    throw new Error(OTHER_ADDON);
  }
  return new Addon(addonContext, addonModel, classes);
}

/** A context that makes embeddings, of one text at a time. */
export class EmbeddingAddon {
  readonly #hidden: Hidden['embedding'];

  constructor(hidden: Hidden['embedding']) {
    this.#hidden = hidden;
  }

  /** With what the model wants before and after a text. */
  prepared(tokens: readonly Token[]): Token[] {
    const prepared = [...tokens];
    this.#hidden._prepareInput(prepared);
    return prepared;
  }

  /** Evaluates the next tokens of a text. @param position of the first; 0 begins another text @returns what llama.cpp pools of them */
  async pooled(tokens: readonly Token[], position: number): Promise<Float64Array> {
    const { _ctx: context } = this.#hidden._llamaContext;
    if (position === 0) context.disposeSequence(0);
    context.initBatch(tokens.length);
    context.addToBatch(0, position, Uint32Array.from(tokens), Uint32Array.from(tokens.keys()));
    await context.decodeBatch();
    return context.getEmbedding(tokens.length);
  }
}

/** @throws when this version of node-llama-cpp is not the one that these calls were written for */
export function openEmbeddingAddon(context: LlamaEmbeddingContext): EmbeddingAddon {
  const hidden = context as unknown as Hidden['embedding'];
  const calls = [hidden._llamaContext?._ctx?.getEmbedding, hidden._prepareInput];
  if (calls.some((call) => typeof call !== 'function')) throw new Error(OTHER_ADDON);
  return new EmbeddingAddon(hidden);
}

/** OpenAI's ±100 is «always» and «never»: no model's logits lie so far apart. Not infinite: a grammar may leave no other token. */
const SURELY = 1_000;

/** Only the samplers that do something: each one present costs a pass over the vocabulary. */
function samplerConfig(options: SamplingOptions): Record<string, unknown> {
  const { temperature, topP, topK, seed, bias, grammar } = options;
  const random = temperature > 0;
  return {
    temperature,
    // llama.cpp takes this one value as «choose a seed yourself».
    seed: seed === 0xffff_ffff ? 0 : seed,
    ...(random && topK > 0 && { topK }),
    ...(random && topP < 1 && { topP }),
    ...penalties(options),
    ...(bias?.size && {
      tokenBiasKeys: Uint32Array.from(bias.keys()),
      tokenBiasValues: Float32Array.from(bias.values(), surely),
    }),
    ...(grammar && { grammarEvaluationState: (grammar as unknown as Hidden['grammar'])._state }),
  };
}

/**
 * llama.cpp has one sampler for the three. Alone, OpenAI's two count what the answer has said, all of it; beside a repeat penalty they
 * count what that looks at.
 */
function penalties(options: SamplingOptions): Record<string, unknown> {
  const { repeatPenalty, frequencyPenalty = 0, presencePenalty = 0, history, answerTokens = REPEAT_WINDOW } = options;
  const repeats = repeatPenalty !== 1;
  if (!repeats && frequencyPenalty === 0 && presencePenalty === 0) return {};
  return {
    repeatPenalty,
    repeatPenaltyFrequencyPenalty: frequencyPenalty,
    repeatPenaltyPresencePenalty: presencePenalty,
    repeatPenaltyMaxTokens: repeats ? REPEAT_WINDOW : answerTokens,
    repeatPenaltyTokens: Uint32Array.from(repeats ? history.slice(-REPEAT_WINDOW) : []),
  };
}

function surely(bias: number): number {
  return Math.abs(bias) === MAX_LOGIT_BIAS ? Math.sign(bias) * SURELY : bias;
}

function pairs(flat: readonly number[]): [Token, number][] {
  const found: [Token, number][] = [];
  for (let i = 1; i < flat.length; i += 2) found.push([flat[i - 1] as Token, flat[i] as number]);
  return found;
}
