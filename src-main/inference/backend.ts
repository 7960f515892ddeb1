import type { DecodeCost } from '../../src-preload/contract/decode-cost.ts';
import type { DraftCost, DraftRates } from '../../src-preload/contract/drafting.ts';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import type { GenerateResult, WayEvent } from '../../src-preload/contract/inference.ts';
import type { KvCacheType } from '../../src-preload/contract/long-context.ts';
import type { GenerateInput, GenerateRequest, ToolCall } from '../../src-preload/contract/request.ts';
import type { TokenEvidence } from './evidence.ts';
import type { RopeScaling } from './rope.ts';

/** Ways in which models write calls of tools: {@link ToolCallReader} reads them. */
export const TOOL_STYLES = ['tags', 'json', 'mistral'] as const;
export type ToolStyle = (typeof TOOL_STYLES)[number];

export interface GenerateOptions {
  signal?: AbortSignal;
  /** Milliseconds from now until the request ends with DEADLINE. Default: none. */
  deadlineMs?: number;
  /** Told when the request goes out on a connection, by backends that are elsewhere: what failed before has told nobody anything. */
  onSent?: () => void;
  /**
   * Path of an adapter (LoRA, GGUF) that the model answers with. Default: the model as it is. BAD_REQUEST where the file is no adapter of the
   * loaded model, or the backend has no adapters.
   */
  adapter?: string;
  /** The result comes with the tokens that were sampled: for whoever learns from the answer. Costs next to nothing, log-probabilities some per cent. */
  tokenIds?: boolean;
  /**
   * Evaluates the whole prompt anew. What was evaluated for another request is rounded in another way (up to .2 in a log-probability of quantised models), so
   * that the same question would have another answer by what was asked before. Default false.
   */
  fresh?: boolean;
  /**
   * Whoever asks, where it is somebody else than the people and programs of this computer: of what was evaluated before, only what the same asked is
   * used, so that nobody learns by the time or the count of tokens what others have asked. Default: these.
   */
  asker?: string;
  /**
   * The prompt's instructions (system messages and tools), where they are long, may be kept on the disk, and are looked for there. Never with `fresh`.
   * Default: as the settings say for whoever is not of this machine.
   */
  keepPrompt?: boolean;
  /**
   * The tokens are chosen by the request's seed so that whoever has the model can choose them again (`verified/choice.ts`), and the result comes with evidence.
   * BAD_REQUEST without a seed, and where tools or a schema constrain the answer; a backend that cannot do it gives no evidence.
   */
  verified?: boolean;
  /**
   * When it was asked, in Unix milliseconds. A chat template that tells the model the date tells it this one, in UTC, so that whoever reads the answer again
   * elsewhere and later reads the same prompt. Default: now, in this computer's time zone.
   */
  askedAt?: number;
}

/** Of what writes no answer. */
export type AskOptions = Omit<GenerateOptions, 'adapter' | 'tokenIds' | 'verified' | 'keepPrompt' | 'asker'>;

/** Natural-log probability of a token. `bytes` are its UTF-8 bytes: a token may hold part of a character. */
export interface TokenProbability {
  token: string;
  /** Its number in the model's vocabulary; absent where another machine computes. */
  id?: number;
  bytes: number[];
  logprob: number;
}

export interface TokenLogprobs extends TokenProbability {
  /** The likeliest tokens at this place, best first. */
  top: TokenProbability[];
}

export type GenerateEvent =
  /** `toolCalls`: what the model wants to be called, whole, after the text. */
  | { type: 'chunk'; text: string; tokens: number; logprobs?: TokenLogprobs[]; toolCalls?: ToolCall[] }
  /** `evidence`: of each of the same, for {@link GenerateOptions.verified}. `tokenIds`: every token that was sampled, in order, with those of a stop text and the one that ended the answer; absent at backends that do not know them. */
  | { type: 'done'; result: GenerateResult; tokenIds?: number[]; evidence?: TokenEvidence[] };

/** What a question yields, wherever it is asked: pieces and a result, and what happens on the way to them. */
export type AnswerEvent = GenerateEvent | WayEvent;

export interface ScoreRequest {
  input: GenerateInput;
  /** What is scored, as if the model had written it after the input: a text, or tokens of the model's vocabulary. */
  continuation: string | readonly number[];
  /** 0–100. Default 0. */
  topK?: number;
}

export interface ScoreResult {
  tokens: TokenLogprobs[];
  /** Sum of the continuation's log-probabilities, in nats. */
  totalLogprob: number;
}

/** What validators ask to see which model somebody computes with, and how fast (QUASAR, A8). */
export interface ProbeRequest {
  /** Token ids as they are: without a template, and without a token that begins a text. */
  prompt: readonly number[];
  /** So many tokens are chosen, each the likeliest: what ends an answer ends nothing here. */
  length: number;
  /** 1 for the first of them: what it was chosen by comes whole, a number for each token of the vocabulary. */
  captureAt: number;
  /** Reads these in place of choosing: how likely each is, given those before it. As many as `length`. */
  said?: readonly number[];
}

export interface Probed {
  /** What was chosen, or said. */
  tokens: number[];
  /** Of `captureAt`: a logit for each token of the vocabulary, in their order. */
  logits: Float32Array;
  /** Of each token; empty where neither `said` nor evidence was asked for. */
  evidence: TokenEvidence[];
}

export interface ProbeOptions extends Pick<GenerateOptions, 'signal' | 'deadlineMs'> {
  /** Tells of each token that is chosen what it was chosen among: costs some per cent. Default false. */
  evidence?: boolean;
}

export interface EmbedResult {
  /** One vector an input, in order. */
  vectors: number[][];
  promptTokens: number;
}

export type BackendState = 'starting' | 'ready' | 'restarting' | 'broken' | 'closed';

/** What a backend has loaded and how it runs. */
export interface ModelInfo {
  /** Name that requests may use. */
  name: string;
  /** SHA-256 of the file, 64 hex; absent for a remote backend. */
  sha256?: string;
  architecture?: string;
  parameters?: number;
  quantisation?: string;
  /** Tokens that one request may use, prompt and answer together. */
  contextSize: number;
  /** Nobody has said what `contextSize` is: it is a guess. */
  isContextGuessed?: true;
  /** How many requests are decoded together. */
  parallel: number;
  /** What its cache of keys and values keeps each value as; absent where another machine computes. */
  kvCache?: KvCacheType;
  /** How its positions are scaled; absent where they are as its file has them. */
  rope?: RopeScaling;
  /** 'cuda', 'vulkan', 'metal', 'cpu' or 'remote'. */
  device: string;
  gpuLayers?: number;
  threads?: number;
  /** True for the built-in model that is only for trying things out. */
  tiny?: boolean;
  /** True for a model that makes embeddings and writes no answers. */
  embedsOnly?: boolean;
  /** How the model's own template writes calls of tools; absent where it knows none. */
  toolStyle?: ToolStyle;
  /** The token that ends an answer; absent where another machine computes. */
  endToken?: number;
  /** No tensor of it is quantised. */
  unquantised?: true;
  /** Tokens that there are; absent where another machine computes. */
  vocabulary?: number;
  /** The smaller model that guesses what it says next; absent where none was asked for. */
  draft?: Drafting;
}

/** How a draft model does. */
export interface Drafting {
  name: string;
  /** Why it guesses nothing. */
  error?: QuarryError;
  /** Share of its guesses that were right lately, 0–1; absent before there were enough. */
  right?: number;
  /** How many times as fast one answer is written with it, as estimated: 1 where it does not pay, and then it guesses nothing. Absent like `right`. */
  gain?: number;
}

export interface BackendStatus {
  state: BackendState;
  model: ModelInfo | undefined;
  /** Requests being decoded now, and those waiting for a sequence. */
  active: number;
  waiting: number;
  /** How much of the model is in memory, 0–1, while it is loaded; absent where nobody tells. */
  progress?: number;
  /** Why the backend is not ready. */
  error?: QuarryError;
}

/** A GPU, or several of one kind, as the engine sees them. Sizes are bytes. */
export interface GpuDevice {
  name: string;
  /** 'cuda', 'vulkan' or 'metal'. */
  backend: string;
  vramTotal: number;
  vramFree: number;
  /** Names of the several, in the order of their numbers; absent where it is one. */
  devices?: string[];
  /** It is a program that computes on the processor: nothing is put on it, and it counts as no GPU. */
  software?: true;
}

/** A smaller model beside the loaded one. */
export interface DraftModel {
  name: string;
  path: string;
  /** SHA-256 of its file, 64 hex. */
  sha256: string;
}

/** One that was asked for and is not there. */
export interface MissingDraft {
  name: string;
  error: QuarryError;
}

/** The engine of a backend that computes on this machine: what it takes of the machine, and a brake. */
export interface MachineEngine {
  /** Of the file that it loads. */
  readonly modelPath: string;
  /** Of its process, while there is one. */
  readonly pid: number | undefined;
  /** How often it has come back after it died. */
  readonly restarts: number;
  /** Lets it compute only this share (above 0 to 1) of the time, until told otherwise. */
  setSpeed(share: number): void;
  /**
   * Measures how long batches take that decode for 1, 2, … requests together. Its caches are forgotten for it, and requests that come end it.
   * @returns none where it has something to do
   */
  measureDecoding(options?: AskOptions): Promise<DecodeCost[]>;
  /** From now on those that decode come in groups of the fastest size, until told otherwise. @param costs measured; none: all together */
  useDecodeCosts(costs: readonly DecodeCost[]): void;
  /** The model that guesses ahead, where there is one that can. */
  readonly draft: DraftModel | undefined;
  /**
   * Measures what guessing ahead costs, in the same way.
   * @returns none where it has something to do, or nobody guesses
   */
  measureDrafting(options?: AskOptions): Promise<DraftCost[]>;
  /** From now on it guesses ahead where that was measured to pay. @param costs measured; none: it does not guess @param rates how good guesses were before; default: nobody knows */
  useDraftCosts(costs: readonly DraftCost[], rates?: DraftRates): void;
  /** Has somebody told, now and then, how good the guesses are. @returns ends it */
  onDrafted(listener: (rates: DraftRates) => void): () => void;
  /** The GPUs that it sees, and their free memory now, those that are programs marked as such. Empty when it was told to leave them alone. */
  gpus(): Promise<GpuDevice[]>;
}

/**
 * Whatever turns a prompt into text: the engine child on this machine, or a remote server that speaks the OpenAI API.
 * What not every backend can do is optional, and absent where it cannot. Errors are {@link QuarryError}s: BAD_REQUEST, CONTEXT_TOO_LONG, CANCELLED, DEADLINE, ENGINE_CRASHED (retryable),
 * ENGINE_UNAVAILABLE, OVERLOADED, MODEL_INVALID, OUT_OF_MEMORY.
 */
export interface InferenceBackend {
  /** Loads the model; resolves when the first request can be served. Idempotent. */
  open(): Promise<void>;
  /** Ends requests in flight with CANCELLED and leaves nothing running. Idempotent. */
  close(): Promise<void>;
  status(): BackendStatus;
  /** Streams chunks, then exactly one `done`; throws on failure. Returning early from the iterator cancels. */
  generate(request: GenerateRequest, options?: GenerateOptions): AsyncIterable<GenerateEvent>;
  /** How likely the model finds a given text. */
  score?(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult>;
  embed?(inputs: string[], options?: AskOptions): Promise<EmbedResult>;
  /** Goes on from bare tokens, or reads what somebody else went on with; nothing that was evaluated before is used. @throws BAD_REQUEST for tokens that there are not */
  probe?(request: ProbeRequest, options?: ProbeOptions): Promise<Probed>;
  /** Tokens of a text under the loaded model's vocabulary. */
  countTokens?(input: GenerateInput): Promise<number>;
  /** The very tokens that {@link generate} evaluates for an input without tools. @throws CONTEXT_TOO_LONG where it would */
  tokenize?(input: GenerateInput, options?: Pick<GenerateOptions, 'askedAt'>): Promise<number[]>;
  /** Absent where another machine computes. */
  readonly engine?: MachineEngine | undefined;
}

/** What those need who only want answers: a backend, or the place of one. */
export type Answering = Pick<InferenceBackend, 'status' | 'generate'>;
