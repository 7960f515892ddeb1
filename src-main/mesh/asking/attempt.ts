import { randomBytes } from 'node:crypto';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult, Paid } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { EventQueue } from '../../base/event-queue.ts';
import { Turns } from '../../base/turns.ts';
import type { Funds, Observed } from '../../credits/credits.ts';
import type { Ending } from '../../credits/ending.ts';
import type { Pledge } from '../../credits/pledge.ts';
import { costOf, PROMPT_COST } from '../../credits/price.ts';
import type { WorkerReceipt } from '../../credits/receipt.ts';
import type { Voucher } from '../../credits/voucher.ts';
import type { GenerateEvent } from '../../inference/backend.ts';
import { checkRequest } from '../../inference/request-schema.ts';
import {
  type Chunk,
  type EvidenceMessage,
  hashText,
  type InferenceError,
  type InferenceMessage,
  type InferenceResult,
  inputLength,
  MAX_INFERENCE_FRAME,
  MAX_MS,
  type Prompt,
  promptSchema,
  type QueueStatus,
} from '../inference/messages.ts';
import { mostTokens, SILENT_TOKENS } from '../inference/shown-tokens.ts';
import { PROTOCOL_VERSION, signAndHash } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { Peer } from '../transport/peer.ts';
import { MAX_JSON_DEPTH } from '../transport/wire.ts';
import { type ClaimedAnswer, EvidenceInbox } from './claimed-answer.ts';
import { brokeProtocol, lost, refusedBy } from './lost.ts';

/** Longest answer taken in, in UTF-16 code units and per token: memory is bounded whatever a worker sends. */
const MAX_ANSWER = 8 * 1024 * 1024;
const MAX_TOKEN = 512;
/** Tokens whose probabilities may come before their text: it is held back while it may be the beginning of a stop text. */
const HELD_TOKENS = 32;

/**
 * Memory that the texts and bytes of probabilities may take: of one on the average, where an English token takes 50 and sixteen spaces 150,
 * and of all of an answer.
 */
const PROBABILITY_BYTES = 256;
const PROBABILITIES_BYTES = 64 * 1024 * 1024;

/** How long a worker may be silent before the request goes elsewhere, in milliseconds. */
export interface Patience {
  /** Until it says that it took the request. Default 10,000. */
  acceptMs: number;
  /** Until its first token, beyond the wait in its queue. Default 60,000. */
  firstTokenMs: number;
  /** Between two pieces of the answer. Default 15,000. */
  stallMs: number;
}

export const DEFAULT_PATIENCE: Patience = { acceptMs: 10_000, firstTokenMs: 60_000, stallMs: 15_000 };

/** What one attempt yields: places in the queue, pieces, and at last the result with the worker's bill. */
export type AttemptEvent =
  | { type: 'queued'; position: number; etaMs: number; tier: QueueStatus['tier'] }
  | Extract<GenerateEvent, { type: 'chunk' }>
  /** `claimed`: where its worker has told how it came about. */
  | { type: 'result'; result: GenerateResult; bill: WorkerReceipt; observed: Observed; claimed?: ClaimedAnswer };

export interface AttemptOptions {
  peer: Peer<InferenceMessage>;
  identity: Identity;
  request: GenerateRequest;
  /** Whether the answer is to come with evidence: then the request has a seed. Default false. */
  verified?: boolean;
  maxTokens: number;
  model: string | undefined;
  /** Milliseconds that the worker has. */
  deadlineMs: number;
  /** What others have signed for this node at the worker. Default: nothing. */
  vouchers?: readonly Voucher[];
  patience: Patience;
  /** Milliseconds that the worker's queue may take, by the place that it tells. */
  longestQueueMs: (told: { position: number; etaMs: number }) => number;
  /** Signs for what the answer has cost so far, once that is on the books. */
  pledge: (pledge: Omit<Pledge, 'client'> & { funds: Funds }) => Promise<string>;
  now: () => number;
}

/** One request to one worker, under an id of its own. Iterate it once; {@link Attempt.cancel} ends it early. */
export class Attempt implements AsyncIterable<AttemptEvent> {
  readonly requestId = randomBytes(16).toString('hex');
  readonly peer: Peer<InferenceMessage>;
  readonly #options: AttemptOptions;
  readonly #events = new EventQueue<AttemptEvent>();
  readonly #onMessage = (message: InferenceMessage) => this.#receive(message);
  readonly #onClose = (reason: string) => this.#fail(lost(say('mesh.connectionEnded', { reason })));
  #watchdog: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #accepted = false;
  /** Where the worker says that the credits come from. */
  #funds: Funds = 'gift';
  #beginBy = Number.POSITIVE_INFINITY;
  #firstAt: number | undefined;
  #text = '';
  #chunks = 0;
  #bytes = 0;
  #tokens = 0;
  /** Tokens whose probabilities have come. */
  #weighed = 0;
  #weight = 0;
  #prompt: Prompt | undefined;
  #promptHash = '';
  readonly #evidence: EvidenceInbox;
  #pledged = 0;
  readonly #pledges = new Turns();
  #over = false;
  #refusal: ErrorCode | undefined;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.peer = options.peer;
    this.#evidence = new EvidenceInbox(options.verified ? options.maxTokens : 0);
  }

  /**
   * Sends the prompt.
   *
   * @throws BAD_REQUEST when the mesh does not carry it: a peer would take it for an attack
   */
  start(): void {
    const { peer, now, patience } = this.#options;
    const { message, hash } = this.#compose();
    const prompt = checkRequest(promptSchema, message);
    this.#prompt = prompt;
    this.#promptHash = hash;
    this.#sentAt = now();
    sendPrompt(peer, prompt);
    peer.on('message', this.#onMessage);
    peer.once('close', this.#onClose);
    this.#wait(patience.acceptMs, 'mesh.notTaken');
    if (peer.closed) this.#onClose('it was closed');
  }

  /** What was brought along. */
  get vouchers(): readonly Voucher[] {
    return this.#options.vouchers ?? [];
  }

  /** From what the worker says that it is paid. */
  get paidFrom(): Paid['from'] {
    const brought = this.vouchers.some(({ body }) => body.kind === 'claim');
    return this.#funds === 'claim' && brought ? 'vouchers' : this.#funds;
  }

  /** Whether the worker took the request. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /** Whether anything of the answer has come. */
  get begun(): boolean {
    return this.#firstAt !== undefined;
  }

  /** Milliseconds since the prompt was sent; 0 before. */
  get ageMs(): number {
    return this.#sentAt ? Math.max(0, this.#options.now() - this.#sentAt) : 0;
  }

  /** How it ended: as its worker said, or by this node itself. @param own the code, where this node ended it */
  ending(own: ErrorCode): Ending {
    const by = this.#refusal ? 'worker' : 'client';
    return { by, code: this.#refusal ?? own, sent: this.#text.length };
  }

  /** Tells the worker to stop, unless it is done. Idempotent. */
  cancel(why: QuarryError): void {
    if (!this.#over) this.#fail(why);
  }

  [Symbol.asyncIterator](): AsyncIterator<AttemptEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #compose(): { message: Prompt; hash: string } {
    const { identity, peer, request, verified, maxTokens, model, deadlineMs, vouchers = [], now } = this.#options;
    const { input, maxTokens: _, ...sampling } = request;
    const params = { ...sampling, ...(verified && { verified }) };
    const { requestId } = this;
    return signAndHash<Prompt>(
      {
        type: 'prompt',
        requestId,
        worker: peer.id,
        model,
        input,
        params,
        maxTokens,
        deadlineMs: Math.min(MAX_MS, Math.max(1, Math.ceil(deadlineMs))),
        vouchers: vouchers.length > 0 ? [...vouchers] : undefined,
      },
      identity,
      now(),
    );
  }

  #receive(message: InferenceMessage): void {
    if (!('requestId' in message) || message.requestId !== this.requestId) return;
    if (message.type === 'queue-status') this.#queued(message);
    else if (message.type === 'chunk') this.#chunk(message);
    else if (message.type === 'evidence') this.#explained(message);
    else if (message.type === 'inference_result') this.#finish(message);
    else if (message.type === 'inference_error') this.#refused(message);
  }

  #refused(refusal: InferenceError): void {
    this.#end(() => {
      this.#refusal = refusal.code;
      this.#events.fail(refusedBy(refusal));
    });
  }

  /** A place that grows buys no time. It may be true: a higher tier goes first. */
  #queued({ position, etaMs, tier, funds }: QueueStatus): void {
    if (this.#firstAt !== undefined) return;
    const { patience, longestQueueMs, now } = this.#options;
    if (!this.#accepted) this.#funds = funds;
    this.#accepted = true;
    this.#beginBy = Math.min(this.#beginBy, now() + longestQueueMs({ position, etaMs }) + patience.firstTokenMs);
    this.#wait(this.#beginBy - now(), 'mesh.notBegun');
    this.#pledge(PROMPT_COST);
    this.#events.push({ type: 'queued', position, etaMs, tier });
  }

  #chunk({ seq, text, tokens, logprobs }: Chunk): void {
    this.#accepted = true;
    if (seq !== this.#chunks++) this.#cheat('protocol error', 'a piece of the answer is missing');
    this.#text += text;
    this.#bytes += Buffer.byteLength(text);
    const { maxTokens } = this.#options;
    const tooLong = this.#text.length > Math.min(MAX_ANSWER, maxTokens * MAX_TOKEN);
    if (tooLong || this.#chunks > 2 * maxTokens + SILENT_TOKENS) this.#cheat('false claim', 'the answer has no end');
    this.#weigh(logprobs);
    if (this.#over) return;
    // Pieces without text are no sign that there will be any.
    if (text !== '' || this.#firstAt === undefined) this.#wait(this.#options.patience.stallMs, 'mesh.stalled');
    this.#firstAt ??= this.#options.now();
    this.#tokens += tokens;
    if (this.#bytes > 0) this.#pledge(costOf({ completionTokens: Math.min(this.#tokens, this.#mostTokens) }));
    this.#events.push({ type: 'chunk', text, tokens, logprobs });
  }

  /** Probabilities are kept until the answer is whole: no more than were asked for, of no more tokens than there can be, and of their size. */
  #weigh(logprobs: Chunk['logprobs'] = []): void {
    const { topLogprobs = 0 } = this.#options.request;
    this.#weighed += logprobs.length;
    for (const { top, ...chosen } of logprobs) this.#weight += weightOf([chosen, ...top]);
    const most = this.#mostTokens + HELD_TOKENS;
    const mostBytes = Math.min(PROBABILITIES_BYTES, PROBABILITY_BYTES * most * (topLogprobs + 2));
    const tooMany = this.#weighed > most || this.#weight > mostBytes;
    // Some backends give the chosen token as well where it is none of the most likely.
    const notAsked = logprobs.some(({ top }) => top.length > topLogprobs + 1);
    if (tooMany || notAsked) this.#cheat('false claim', 'more probabilities than were asked for');
  }

  /** It comes when the answer is whole, so that its worker is still at it. */
  #explained(message: EvidenceMessage): void {
    const isTooMuch = message.start + message.tokens.length > this.#mostTokens + HELD_TOKENS;
    if (isTooMuch || !this.#evidence.take(message)) this.#cheat('false claim', 'evidence that nobody asked for');
    else this.#wait(this.#options.patience.stallMs, 'mesh.stalled');
  }

  /** @returns undefined where the worker does not tell; a claim that is false ends it */
  #claimed({ claim, completionTokens }: InferenceResult): ClaimedAnswer | undefined {
    const prompt = this.#prompt;
    if (!claim || !prompt) return undefined;
    const { requestId, worker, from: client } = prompt;
    const hashes = { promptHash: this.#promptHash, resultHash: hashText(this.#text) };
    const tokens = this.#evidence.claimed(claim, { requestId, worker, client, ...hashes });
    // Who tells of few tokens would be looked at for as few.
    const isAll = tokens !== undefined && tokens.length >= completionTokens;
    if (isAll) return { prompt, text: this.#text, tokens, claim };
    this.#cheat('false claim', tokens ? 'evidence of fewer tokens than are billed' : 'what is signed is not what came');
    return undefined;
  }

  #finish(message: InferenceResult): void {
    const { receipt: bill, completionTokens } = message;
    if (completionTokens > this.#mostTokens) this.#cheat('false claim', 'more tokens than there are in the answer');
    const claimed = this.#claimed(message);
    const endedAt = this.#options.now();
    const result = this.#result(message, endedAt);
    const observed = this.#observed(completionTokens, endedAt);
    this.#end(() => {
      this.#events.push({ type: 'result', result, bill, observed, ...(claimed && { claimed }) });
      this.#events.end();
    });
  }

  /** The tokens that may be in what has come, whatever the worker counts. */
  get #mostTokens(): number {
    return mostTokens(this.#bytes, this.#options.maxTokens);
  }

  /**
   * Signs for so many credits in all: one from the moment the worker has taken the request, more only once there is text. So whoever has
   * signed for one has had nothing, and owes nothing unless something comes.
   */
  #pledge(credits: number): void {
    if (credits <= this.#pledged) return;
    this.#pledged = credits;
    const { requestId, peer } = this;
    const pledge = async () => {
      if (this.#over) return;
      const said = { requestId, worker: peer.id, promptHash: this.#promptHash, credits, funds: this.#funds };
      const sig = await this.#options.pledge(said);
      if (!this.#over) peer.send({ v: PROTOCOL_VERSION, type: 'pledge', requestId, credits, sig });
    };
    this.#pledges.take(pledge).catch((error: unknown) => this.#fail(QuarryError.from(error)));
  }

  /** The worker's counts, and times by this node's own clock. */
  #result({ finish, promptTokens, cachedTokens, completionTokens, queuedMs }: InferenceResult, endedAt: number) {
    const firstAt = this.#firstAt ?? endedAt;
    const streamSeconds = (endedAt - firstAt) / 1000;
    return {
      text: this.#text,
      finish,
      promptTokens,
      cachedTokens,
      completionTokens,
      queuedMs: Math.min(queuedMs, firstAt - this.#sentAt),
      firstTokenMs: firstAt - this.#sentAt,
      totalMs: endedAt - this.#sentAt,
      tokensPerSecond: completionTokens > 1 && streamSeconds > 0 ? (completionTokens - 1) / streamSeconds : 0,
    };
  }

  #observed(completionTokens: number, endedAt: number): Observed {
    const { peer, request } = this.#options;
    return {
      requestId: this.requestId,
      worker: peer.id,
      promptHash: this.#promptHash,
      resultHash: hashText(this.#text),
      promptChars: inputLength(request),
      resultChars: this.#text.length,
      elapsedMs: Math.ceil(endedAt - this.#sentAt),
      streamMs: Math.floor(endedAt - (this.#firstAt ?? endedAt)),
      completionTokens,
      funds: this.#funds,
    };
  }

  #wait(ms: number, missed: 'mesh.notTaken' | 'mesh.notBegun' | 'mesh.stalled'): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(lost(say(missed, { ms: Math.round(ms) }))), ms);
  }

  #cheat(offence: 'false claim' | 'protocol error', detail: string): void {
    this.#fail(brokeProtocol(detail));
    this.peer.offend(offence, detail);
  }

  #fail(error: QuarryError): void {
    if (this.#over) return;
    this.peer.send({ v: PROTOCOL_VERSION, type: 'cancel', requestId: this.requestId });
    this.#end(() => this.#events.fail(error));
  }

  #end(tell: () => void): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#watchdog);
    this.peer.off('message', this.#onMessage);
    this.peer.off('close', this.#onClose);
    tell();
  }
}

function sendPrompt(peer: Peer<InferenceMessage>, prompt: Prompt): void {
  try {
    peer.send(prompt);
  } catch (cause) {
    const message = say('mesh.tooLarge', { bytes: MAX_INFERENCE_FRAME, levels: MAX_JSON_DEPTH });
    throw new QuarryError({ code: 'BAD_REQUEST', message, field: 'input' }, { cause });
  }
}

/** Bytes of memory: a number in an array takes eight. */
function weightOf(some: { token: string; bytes: number[] }[]): number {
  return some.reduce((sum, { token, bytes }) => sum + token.length + 8 * bytes.length, 0);
}
