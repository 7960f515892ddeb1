import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateInput, GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type {
  AskOptions,
  BackendState,
  BackendStatus,
  EmbedResult,
  GenerateEvent,
  GenerateOptions,
  InferenceBackend,
  ScoreRequest,
  ScoreResult,
} from '../backend.ts';
import { backendInputSchema, checkLongGenerate, checkRequest, embedSchema, scoreSchema } from '../request-schema.ts';
import { eventError, lostConnection, protocolError } from './openai-errors.ts';
import { AnswerTally, generateCall } from './openai-generate.ts';
import { chooseModel, parseBaseUrl, type RemoteModel } from './openai-models.ts';
import { type OpenAiEndpoint, RequestScope, requestEvents, requestJson } from './openai-request.ts';
import {
  cannotScore,
  echoBody,
  onlyTexts,
  promptLogprobsBody,
  scoreFromEcho,
  scoreFromPrompt,
} from './openai-score.ts';
import {
  echoSchema,
  embeddingsSchema,
  modelsSchema,
  parse,
  parseChunk,
  promptLogprobsSchema,
  tokenizeSchema,
} from './openai-shapes.ts';

export interface RemoteBackendOptions {
  /** `http://127.0.0.1:8000/v1`; without a path, `/v1` is added. */
  baseUrl: string;
  apiKey?: string;
  /** Default: the first model that the server lists. */
  model?: string;
  /** Tokens of one request, prompt and answer. Default: what the server says, else 4096. */
  contextSize?: number;
  /** Requests that Quarry sends at once; the server batches them. Default 8. */
  parallel?: number;
  /** Milliseconds of silence after which a request is given up. Default 120,000. */
  idleTimeoutMs?: number;
  /** Most bytes of an answer. Default 64 MiB: a long stream with 20 log-probabilities a token stays far below. */
  mostBytes?: number;
  /** Milliseconds between attempts to find a lost server again. Default 2,000. */
  recheckMs?: number;
  log: Logger;
  /** Milliseconds; default `performance.now`. */
  now?: () => number;
}

const DEFAULT_IDLE_MS = 120_000;
const DEFAULT_RECHECK_MS = 2_000;
const DEFAULT_MOST_BYTES = 64 << 20;
/** A rough figure for English text, used only where a server cannot count. */
const BYTES_PER_TOKEN = 4;

/**
 * Any OpenAI-compatible server (vLLM, llama-server, Ollama, another Quarry) as an engine: Quarry queues and meters, the
 * server generates.
 *
 * When the server cannot be reached any more, the state becomes `restarting`, and `ready` again as soon as it answers.
 */
export class RemoteBackend implements InferenceBackend {
  readonly #endpoint: OpenAiEndpoint;
  readonly #options: RemoteBackendOptions;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  #state: BackendState = 'starting';
  #opening: Promise<void> | undefined;
  #model: RemoteModel | undefined;
  #error: QuarryError | undefined;
  #recheck: NodeJS.Timeout | undefined;
  #active = 0;

  /** @throws QuarryError CONFIG_INVALID when the address is none */
  constructor(options: RemoteBackendOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#now = options.now ?? (() => performance.now());
    this.#endpoint = {
      baseUrl: parseBaseUrl(options.baseUrl),
      apiKey: options.apiKey,
      idleTimeoutMs: options.idleTimeoutMs ?? DEFAULT_IDLE_MS,
      mostBytes: options.mostBytes ?? DEFAULT_MOST_BYTES,
    };
  }

  /**
   * Asks the server for its models.
   * @throws QuarryError ENGINE_UNAVAILABLE (unreachable), UNAUTHORIZED (wrong key), MODEL_NOT_FOUND, PROTOCOL (no OpenAI API)
   */
  open(): Promise<void> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      this.#state = this.#closing.signal.aborted ? 'closed' : 'broken';
      throw error;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#recheck);
    this.#closing.abort();
  }

  status(): BackendStatus {
    // The server has its own queue: whatever we sent is being worked on, as far as we can tell.
    return { state: this.#state, model: this.#model?.info, active: this.#active, waiting: 0, error: this.#error };
  }

  async *generate(request: GenerateRequest, options: GenerateOptions = {}): AsyncGenerator<GenerateEvent> {
    const tally = new AnswerTally(this.#now, request);
    refuseAdapter(options);
    const { path, body } = generateCall(this.#modelId(), checkLongGenerate(request));
    using running = this.#begin(options);
    try {
      for await (const event of requestEvents(this.#endpoint, path, running.scope, body)) {
        const failure = eventError(event);
        if (failure) throw failure;
        const passedOn = tally.add(parseChunk(event));
        if (passedOn) yield passedOn;
      }
      if (!tally.finished) throw lostConnection(this.#endpoint.baseUrl);
    } catch (error) {
      throw this.#noticed(error);
    }
    yield { type: 'done', result: tally.result(estimateTokens(request.input)) };
  }

  /** Works with vLLM, and for raw prompts with every server whose /completions echoes log-probabilities. */
  async score(request: ScoreRequest, options: GenerateOptions = {}): Promise<ScoreResult> {
    refuseAdapter(options);
    const model = this.#modelId();
    const { input, continuation } = checkRequest(scoreSchema, request);
    if (typeof continuation !== 'string') throw onlyTexts();
    const asked = { ...request, continuation };
    if ('prompt' in input) {
      const answer = await this.#call('completions', echoBody(model, input.prompt, asked), options);
      const { data, error } = echoSchema.safeParse(answer);
      if (error) throw cannotScore(error);
      return scoreFromEcho(data.choices[0].logprobs, input.prompt, continuation);
    }
    const answer = await this.#call('chat/completions', promptLogprobsBody(model, input.messages, asked), options);
    const { data, error } = promptLogprobsSchema.safeParse(answer);
    if (error) throw cannotScore(error);
    return scoreFromPrompt(data, asked);
  }

  async embed(inputs: string[], options: AskOptions = {}): Promise<EmbedResult> {
    const checked = checkRequest(embedSchema, inputs, 'inputs');
    const body = { model: this.#modelId(), input: checked, encoding_format: 'float' };
    const answer = parse(embeddingsSchema, await this.#call('embeddings', body, options), say('remote.embeddings'));
    const vectors = inputs.map((_, index) => answer.data.find((each) => each.index === index)?.embedding);
    if (!vectors.every((vector) => vector !== undefined)) {
      throw protocolError(say('remote.embeddingsFor', { sent: answer.data.length, texts: inputs.length }));
    }
    return { vectors, promptTokens: answer.usage?.prompt_tokens ?? estimateBytes(inputs.join('')) };
  }

  /** Exact where the server has `/tokenize` (vLLM; llama-server for raw prompts), else estimated at four bytes a token. */
  async countTokens(input: GenerateInput): Promise<number> {
    const text = plainText(checkRequest(backendInputSchema, input, 'input'));
    const body = { model: this.#modelId(), ...input, content: text };
    try {
      return parse(tokenizeSchema, await this.#call('../tokenize', body, {}), say('remote.tokenCount'));
    } catch (error) {
      this.#log.debug({ err: error }, 'the remote server cannot count tokens');
      return estimateTokens(input);
    }
  }

  /**
   * Asks an inference server as QUASAR’s validators do, beside its OpenAI API (`…/v1`), which it need not have. What it says is as it came.
   * @throws as {@link generate}
   */
  inference(body: object, options: GenerateOptions): Promise<unknown> {
    return this.#call('../inference', body, options);
  }

  async #call(path: string, body: object, options: GenerateOptions): Promise<unknown> {
    using running = this.#begin(options);
    try {
      return await requestJson(this.#endpoint, path, running.scope, body);
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  #begin(options: GenerateOptions): Disposable & { scope: RequestScope } {
    const scope = new RequestScope(options, this.#closing.signal, this.#endpoint.idleTimeoutMs);
    this.#active++;
    return {
      scope,
      [Symbol.dispose]: () => {
        this.#active--;
        scope.end();
      },
    };
  }

  #modelId(): string {
    if (this.#state === 'closed')
      throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('remote.isClosed') });
    if (this.#model) return this.#model.id;
    throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('remote.notYet'), retryable: true });
  }

  async #connect(): Promise<void> {
    const scope = new RequestScope({}, this.#closing.signal, this.#endpoint.idleTimeoutMs);
    try {
      const { data } = parse(modelsSchema, await requestJson(this.#endpoint, 'models', scope), say('remote.modelList'));
      this.#model = chooseModel(this.#endpoint.baseUrl, data, this.#options);
      this.#state = 'ready';
      this.#error = undefined;
      this.#log.info({ server: this.#endpoint.baseUrl.host, model: this.#model.info.name }, 'remote engine ready');
    } catch (error) {
      this.#error = QuarryError.from(error);
      throw this.#error;
    } finally {
      scope.end();
    }
  }

  /** Starts to look for the server when it is gone, and hands the error back. */
  #noticed(error: unknown): QuarryError {
    const failure = QuarryError.from(error);
    if (failure.code === 'ENGINE_UNAVAILABLE' && this.#state === 'ready') {
      this.#state = 'restarting';
      this.#error = failure;
      this.#log.warn({ err: failure }, 'remote engine lost');
      this.#lookAgain();
    }
    return failure;
  }

  #lookAgain(): void {
    const check = () => {
      this.#connect().catch(() => {
        if (this.#state === 'restarting') this.#lookAgain();
      });
    };
    this.#recheck = setTimeout(check, this.#options.recheckMs ?? DEFAULT_RECHECK_MS);
  }
}

/** What is there for certain is what was asked for: an answer of another model than the one wanted is none. */
function refuseAdapter({ adapter }: GenerateOptions): void {
  if (adapter === undefined) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('remote.noAdapters'),
    hint: say('remote.adaptLocally'),
    field: 'model',
  });
}

function plainText(input: GenerateInput): string {
  return 'prompt' in input ? input.prompt : input.messages.map(({ content }) => content).join('\n');
}

function estimateTokens(input: GenerateInput): number {
  return estimateBytes(plainText(input));
}

function estimateBytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
