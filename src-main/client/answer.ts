import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import {
  type AskEvent,
  type AskRequest,
  askEventSchema,
  type FinishReason,
  type GenerateResult,
  type Paid,
} from '../../src-preload/contract/inference.ts';
import type { ChatMessage, Tool, ToolCall } from '../../src-preload/contract/request.ts';
import { EventQueue } from '../base/event-queue.ts';
import { ignoring } from '../base/swallowed.ts';
import { namedError } from './named-error.ts';
import type { NodeClient } from './node-link.ts';

/**
 * How a question is asked. What is left out is as who answers has set it; where that says nothing, as `DEFAULTS` of
 * `quarry/contract/defaults`.
 */
export interface AskOptions {
  /** Who answers: another node (`mesh`, the default), or the model of the node that is asked (`local`). */
  target?: AskRequest['target'] | undefined;
  /** Only who serves this model; see {@link QuarryClient.models}. Default: any. */
  model?: string | undefined;
  /** Instructions that stand before the question. */
  system?: string | undefined;
  /** Most tokens of the answer; never more than there is room for. */
  maxTokens?: number | undefined;
  /** 0 always takes the likeliest token; 2 is the most. */
  temperature?: number | undefined;
  /** Nucleus sampling, 0–1. */
  topP?: number | undefined;
  /** Among how many of the likeliest tokens is chosen; 0 is among all. */
  topK?: number | undefined;
  /** Makes what was said lately less likely; 1 is off. */
  repeatPenalty?: number | undefined;
  /** With the same seed an idle engine gives the same answer. Default: another one each time. */
  seed?: number | undefined;
  /** What the model may want to be called: it answers with `toolCalls`, and goes on when it is asked again with their results. */
  tools?: readonly Tool[] | undefined;
  /** Whether it may (`auto`, the default), must (`required`) or must not (`none`) call one; or the one that it must. */
  toolChoice?: AskRequest['toolChoice'] | undefined;
  /** Milliseconds until it ends with DEADLINE, an hour at most. Default 120,000. */
  timeoutMs?: number | undefined;
  /** Ends it with CANCELLED, at the node too. */
  signal?: AbortSignal | undefined;
}

/** A piece of an answer, as it comes. */
export interface AnswerPiece {
  text: string;
  /**
   * True where a worker has failed and another one begins anew: forget what came so far. (Two halves by two models would be an answer
   * that nobody gave.) Never true where `local` answers.
   */
  anew: boolean;
}

/** A whole answer, with who gave it and what it cost. */
export interface AskResult {
  text: string;
  /** It was finished, was cut at `maxTokens`, or wants tools to be called. */
  finish: FinishReason;
  /** What it wants to be called; absent where that is nothing. */
  toolCalls?: ToolCall[];
  target: AskRequest['target'];
  /** Id of the node that answered, 64 hex; absent where it was the node that was asked. */
  worker?: string | undefined;
  /** With which model, by that node's word; absent where it said none. */
  model?: string | undefined;
  /** Which version of what the own model has learnt answered, as `personal@3`; absent where it answered as it is. */
  version?: string | undefined;
  /** What was paid, to whom and from what; one entry each, also for what came of workers that failed. Empty where `local` answers. */
  paid: readonly Paid[];
  /** All of that together. */
  credits: number;
  promptTokens: number;
  /** Of the prompt's tokens, how many were evaluated before, for an earlier turn. */
  cachedTokens: number;
  completionTokens: number;
  /** Milliseconds that it waited for its turn. */
  queuedMs: number;
  /** Milliseconds from being asked to the first token, and to the end. */
  firstTokenMs: number;
  totalMs: number;
  /** After the first token; 0 where there are fewer than two. */
  tokensPerSecond: number;
}

/** Who gives an answer, and what it has cost so far. */
export class AnswerFacts {
  worker: string | undefined;
  model: string | undefined;
  version: string | undefined;
  readonly paid: Paid[] = [];

  take(event: AskEvent): void {
    if (event.type === 'worker') Object.assign(this, { worker: event.worker, model: event.model });
    if (event.type === 'version') this.version = event.version;
    if (event.type === 'paid') this.paid.push({ worker: event.worker, credits: event.credits, from: event.from });
  }

  get credits(): number {
    return this.paid.reduce((sum, { credits }) => sum + credits, 0);
  }
}

/** One question, or a conversation whose last message is answered. */
export type Question = string | readonly ChatMessage[];

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 3_600_000;
/** The node ends a request in time by itself, and says so. This much later it counts as one that does not answer. */
const GRACE_MS = 5_000;

/** Pieces that wait for whoever reads them; more are put together. */
const MAX_WAITING_PIECES = 1_000;
/** Characters of an answer: a million tokens have some four million. */
const MAX_ANSWER_CHARS = 8_000_000;
/** Workers that are paid for one answer: each of a few fails once. */
const MAX_PAID = 1_000;

/**
 * An answer that is under way: its pieces, as they come, and all of it. It was asked for when this was made, whether or not anybody
 * reads the pieces, of which whoever reads slowly gets fewer and longer ones; to leave their loop before the end gives the answer up.
 */
export class Answer implements AsyncIterable<AnswerPiece> {
  /** All of it. @throws QuarryError: see docs/programs.md */
  readonly result: Promise<AskResult>;
  readonly #facts = new AnswerFacts();
  readonly #pieces = new EventQueue<AnswerPiece>({ most: MAX_WAITING_PIECES, fold: foldPieces });
  readonly #end = new AbortController();

  /** @see QuarryClient.ask */
  constructor(node: NodeClient, question: Question, options: AskOptions) {
    this.result = this.#receive(node, question, options);
    this.result.catch(ignoring('whoever waits for it, or reads the pieces, hears of it'));
  }

  /** What it has cost so far: of one that fails, what it cost all the same. */
  get paid(): readonly Paid[] {
    return this.#facts.paid;
  }

  /** Gives it up: it ends with CANCELLED. Idempotent; nothing happens to one that has ended. */
  cancel(): void {
    this.#end.abort();
  }

  /** The pieces, once. @throws as {@link Answer.result} */
  async *[Symbol.asyncIterator](): AsyncGenerator<AnswerPiece, void, undefined> {
    try {
      yield* this.#pieces;
    } finally {
      this.cancel();
    }
  }

  async #receive(node: NodeClient, question: Question, options: AskOptions): Promise<AskResult> {
    try {
      const request = requestOf(question, options);
      const done = await this.#readAll(node, request, this.#signal(request.deadlineMs, options.signal));
      this.#pieces.end();
      const { worker, model, version, paid, credits } = this.#facts;
      return { ...done, target: request.target, worker, model, version, paid, credits };
    } catch (error) {
      this.#pieces.fail(error);
      throw error;
    }
  }

  async #readAll(node: NodeClient, request: AskRequest, signal: AbortSignal): Promise<GenerateResult> {
    let done: GenerateResult | undefined;
    let chars = 0;
    try {
      for await (const answered of await node.inference.ask(request, { signal })) {
        const event = eventOf(answered);
        if (!event) continue;
        this.#facts.take(event);
        if (event.type === 'chunk') this.#pieces.push({ text: event.text, anew: false });
        if (event.type === 'restart') this.#pieces.push({ text: '', anew: true });
        if (event.type === 'done') done = event.result;
        chars = event.type === 'restart' ? 0 : chars + (event.type === 'chunk' ? event.text.length : 0);
        if (chars > MAX_ANSWER_CHARS || this.#facts.paid.length > MAX_PAID) throw endless();
      }
    } catch (error) {
      throw namedError(error, signal);
    }
    if (done) return done;
    throw new QuarryError({ code: 'PROTOCOL', message: 'The answer broke off without an end.', retryable: true });
  }

  #signal(deadlineMs: number, signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([this.#end.signal, AbortSignal.timeout(deadlineMs + GRACE_MS), ...(signal ? [signal] : [])]);
  }
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(
  askEventSchema.options.flatMap(({ shape }) => [...shape.type.values]),
);

/** Undefined for a kind that is not known here: a newer node may tell more. @throws PROTOCOL for what is no event, or not as its kind is */
function eventOf(answered: unknown): AskEvent | undefined {
  const { data, error } = askEventSchema.safeParse(answered);
  if (!error) return data;
  const { type } = (answered ?? {}) as { type?: unknown };
  if (typeof type === 'string' && !EVENT_TYPES.has(type)) return undefined;
  const message = `The node sent what is no part of an answer: ${z.prettifyError(error).slice(0, 300)}`;
  const hint = 'Is a node of Quarry there, and of the same version?';
  throw new QuarryError({ code: 'PROTOCOL', message, hint }, { cause: error });
}

/** What comes before a new beginning is not part of the answer. */
function foldPieces(pieces: AnswerPiece[]): AnswerPiece[] {
  const anew = pieces.findLastIndex((piece) => piece.anew);
  const text = pieces
    .slice(anew + 1)
    .map((piece) => piece.text)
    .join('');
  return [...(anew === -1 ? [] : [{ text: '', anew: true }]), { text, anew: false }];
}

function endless(): QuarryError {
  const message = 'The node sends on and on: more than any answer has. The rest was not read.';
  return new QuarryError({ code: 'PROTOCOL', message });
}

function requestOf(question: Question, options: AskOptions): AskRequest & { deadlineMs: number } {
  const { signal: _, system, timeoutMs = DEFAULT_TIMEOUT_MS, target = 'mesh', tools, ...settings } = options;
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS)) throw outOfTime();
  if (typeof question !== 'string' && !Array.isArray(question)) throw noQuestion();
  const asked = typeof question === 'string' ? [{ role: 'user' as const, content: question }] : question;
  return {
    target,
    messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...asked],
    ...settings,
    ...(tools && { tools: [...tools] }),
    deadlineMs: Math.round(timeoutMs),
  };
}

/** JavaScript lets everything through. */
function noQuestion(): QuarryError {
  const message = 'A question is a text, or a list of messages: [{ role: "user", content: "…" }].';
  return new QuarryError({ code: 'BAD_REQUEST', message, field: 'messages' });
}

function outOfTime(): QuarryError {
  const message = 'An answer may take a millisecond to an hour.';
  return new QuarryError({ code: 'BAD_REQUEST', message, field: 'timeoutMs' });
}
