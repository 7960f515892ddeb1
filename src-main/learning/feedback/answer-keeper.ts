import type { Logger } from 'pino';
import type { AnswerDoor } from '../../../src-preload/contract/kept-answers.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { AnswerEvent, GenerateOptions } from '../../inference/backend.ts';
import type { CompletionRow, CompletionStore } from '../../store/learning/learning-completions.ts';
import { textHash } from '../visible-text.ts';
import { packTokens, TokenGatherer } from './sampled-tokens.ts';

const DAY_MS = 86_400_000;
const MB = 1_000_000;
/** How often what is too old is looked for. */
const SWEEP_MS = 3_600_000;
/** Of the size that is set, so much is freed beyond what has to be: it is not looked at everything again with the next answer. */
const SPARE = 0.05;
/** What a row takes beside its texts and tokens, about. */
const ROW_BYTES = 400;

/** What is set of it: see the settings of `learning`. */
export interface KeepingChoice {
  keep: boolean;
  keepDays: number;
  keepMb: number;
}

/** Whose answer it is, and where it is asked for. */
export interface AnswerOrigin extends Pick<CompletionRow, 'id' | 'door' | 'model' | 'base' | 'adapter'> {}

export interface AnswerKeeperOptions {
  store: CompletionStore;
  /** As it is set now. */
  choice: () => KeepingChoice;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

type Chunk = Extract<AnswerEvent, { type: 'chunk' }>;
type Done = Extract<AnswerEvent, { type: 'done' }>;

/**
 * Keeps answers of this node's own model, for those who ask at this node's own doors: only what is asked through it is kept, and nothing
 * that is asked for others goes through it. A resource.
 */
export class AnswerKeeper {
  readonly #options: AnswerKeeperOptions;
  readonly #now: () => number;
  readonly #work = new TaskSet();
  #timer: NodeJS.Timeout | undefined;
  /** Bytes of those that may be forgotten, about; exact after each sweep. */
  #bytes = 0;
  #sweeping: Promise<void> | undefined;
  readonly #closing = new AbortController();
  readonly #forgetters: (() => Promise<void>)[] = [];

  constructor(options: AnswerKeeperOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Forgets what is too old, now and from time to time. Idempotent. */
  open(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref();
    void this.sweep();
  }

  /** Resolves when nothing is being written. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    await this.#work.ended();
    await this.#sweeping;
  }

  /**
   * Asks, and keeps the answer. What is yielded is what the request asked for, and of its last event the answer is on the disk: who was told
   * that it is over can refer to it, whatever becomes of this process. An answer that does not get to its end is not kept; neither is one
   * that the model was made to begin, by a tool that it has to call, or to write, by a bias.
   *
   * @param ask answers the request that it is given: the same, with log-probabilities, and the numbers of its tokens
   */
  async *keep(
    request: GenerateRequest,
    ask: (request: GenerateRequest, options?: Pick<GenerateOptions, 'tokenIds'>) => AsyncIterable<AnswerEvent>,
    origin: AnswerOrigin,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    if (!this.#options.choice().keep || this.#closing.signal.aborted || isForced(request)) return yield* ask(request);
    const answer = new KeptAnswer(request);
    for await (const event of ask(answer.request, { tokenIds: true })) {
      if (event.type === 'done') {
        await this.#write(answer, event, origin);
        yield { type: 'done', result: event.result };
      } else yield event.type === 'chunk' ? answer.heard(event) : event;
    }
  }

  /** Forgets what is older than set, and the oldest of what is more. One at a time. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Whoever has something of the answers forgets it with them: it is asked to when some were forgotten, and waited for. */
  onForgotten(forget: () => Promise<void>): void {
    this.#forgetters.push(forget);
  }

  /** Forgets all that no feedback refers to. @param doors only what was asked for there. Default: wherever. @returns how many there were */
  async forgetAll(doors?: readonly AnswerDoor[]): Promise<number> {
    const { count } = await this.#options.store.forgetOldest({ ...(doors && { doors }) });
    await this.#leaveNothing();
    return count;
  }

  /** Forgets these, but for those that feedback refers to. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#options.store.forget(ids);
    await this.#leaveNothing();
  }

  /** Their conversation is private from now on: forgets all of them that nothing was learnt from, nor is being learnt. */
  async makePrivate(ids: readonly string[]): Promise<void> {
    await this.#options.store.makePrivate(ids);
    await this.#leaveNothing();
  }

  async #leaveNothing(): Promise<void> {
    await this.#options.store.leaveNothing();
    await this.#forgottenBy();
  }

  async #forgottenBy(): Promise<void> {
    for (const forget of this.#forgetters) await forget();
  }

  /** Never throws: an answer that cannot be kept is an answer all the same. */
  async #write(answer: KeptAnswer, done: Done, origin: AnswerOrigin): Promise<void> {
    using _underWay = this.#work.begin();
    const row = answer.row(done, origin, this.#now());
    try {
      await this.#options.store.put(row);
    } catch (err) {
      this.#options.log.warn({ err }, 'an answer could not be kept for learning');
      return;
    }
    this.#bytes += row.bytes;
    if (this.#bytes > this.#options.choice().keepMb * MB) void this.sweep();
  }

  /** Never throws. */
  async #sweep(): Promise<void> {
    const { store, choice, log } = this.#options;
    try {
      const { keepDays, keepMb } = choice();
      const { signal } = this.#closing;
      const old = await store.forgetOldest({ before: this.#now() - keepDays * DAY_MS, signal });
      this.#bytes = await store.freeBytes();
      const most = keepMb * MB;
      const bytes = this.#bytes > most ? this.#bytes - most * (1 - SPARE) : 0;
      const beyond = await store.forgetOldest({ bytes, signal });
      this.#bytes -= beyond.bytes;
      if (old.count + beyond.count > 0) await this.#forgottenBy();
    } catch (err) {
      log.warn({ err }, 'answers that are too old could not be forgotten');
    }
  }
}

/** The model did not begin the answer itself (what it was made to begin with stands in its prompt), or was told which words to choose. */
function isForced({ toolChoice, logitBias }: GenerateRequest): boolean {
  return toolChoice === 'required' || typeof toolChoice === 'object' || logitBias !== undefined;
}

/** An answer as it comes. */
class KeptAnswer {
  /** With log-probabilities. */
  readonly request: GenerateRequest;
  readonly #asked: GenerateRequest;
  readonly #tokens = new TokenGatherer();

  constructor(asked: GenerateRequest) {
    this.#asked = asked;
    this.request = { ...asked, topLogprobs: asked.topLogprobs ?? 0 };
  }

  /** @returns what the request asked to hear of it */
  heard(chunk: Chunk): Chunk {
    const { logprobs = [], ...shown } = chunk;
    this.#tokens.add(logprobs);
    if (this.#asked.topLogprobs !== undefined) return chunk;
    return shown;
  }

  row({ result, tokenIds }: Done, origin: AnswerOrigin, at: number): CompletionRow {
    const { text: shown, toolCalls, promptTokens } = result;
    const { input, tools } = this.#asked;
    const messages = 'messages' in input ? input.messages : [];
    const systems = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    const system = systems.length > 0 ? systems.join('\n') : null;
    const json = JSON.stringify({ ...input, ...(tools?.length && { tools }) });
    const text = toolCalls ? this.#tokens.text() : shown;
    const packed = packTokens(this.#tokens.read(tokenIds));
    const texts = [json, text, system ?? ''].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
    const bytes = ROW_BYTES + texts + packed.tokens.length + packed.logprobs.length;
    return {
      ...origin,
      ...packed,
      ...{ at, text, bytes, input: json, system },
      ...{ text_hash: textHash(shown), prompt_tokens: promptTokens },
    };
  }
}
