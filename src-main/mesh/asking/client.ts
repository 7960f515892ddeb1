import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { ClientCredits } from '../../credits/credits.ts';
import type { AnswerEvent } from '../../inference/backend.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import { readCalls } from '../../inference/tools/answer-calls.ts';
import { carried } from '../inference/carried.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import type { Identity } from '../transport/identity.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { Ask } from './ask.ts';
import { Attempt, DEFAULT_PATIENCE, type Patience } from './attempt.ts';
import { BroughtVouchers } from './brought-vouchers.ts';
import type { ClaimedAnswer } from './claimed-answer.ts';
import { ClipAttempt, type ClipAttemptOptions } from './clip-attempt.ts';
import { Experience } from './experience.ts';
import { hedged, type Lane } from './hedge.ts';
import type { KnownWorker } from './known-worker.ts';
import { Lessons } from './lessons.ts';
import { OwnClaims } from './own-claims.ts';
import { Payments } from './payments.ts';
import { EmptyAnswer } from './retry-policy.ts';
import { type Claimed, claimedOf, isIdle, lateAfterMs, loadMsOf } from './selection.ts';
import { WorkerChoice } from './worker-choice.ts';

export interface MeshClientOptions {
  /** The inference network, in mode `client` or `both`. */
  network: MeshNetwork<InferenceMessage>;
  identity: Identity;
  credits: ClientCredits;
  /**
   * Workers that may take a request and fail, one after the other. Default 8. Those that refuse it count only when there
   * is nobody else to ask.
   */
  attempts?: number;
  /** Milliseconds to wait for a worker that can serve, when there is none. Default 10,000. */
  findWorkerMs?: number;
  /** Read anew for each worker that is asked. */
  patience?: Partial<Patience>;
  /** Milliseconds that a request waits for what others sign for this node. Default 1,000. */
  vouchersMs?: number;
  /**
   * Milliseconds after which a second worker is asked too if the first has not begun to answer; the faster one is taken,
   * the other cancelled. Default: never, because the other's work is wasted; but a worker that has never answered here is
   * overtaken when it is late.
   */
  hedgeAfterMs?: number;
  /** An answer came whose worker has signed how it came about. Never throws. */
  onClaimed?: (answer: ClaimedAnswer) => void;
  /** Whether a worker was found out, so that it is not asked. Default: none was. */
  isShunned?: (worker: string) => boolean;
  /** 0 ≤ x < 1. Default Math.random. */
  random?: () => number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

export interface MeshGenerateOptions {
  /** Name of the model. Default: whatever the chosen worker serves. */
  model?: string;
  /** Asks this worker alone, and once. Default: the best, and others after it. */
  worker?: string;
  signal?: AbortSignal;
  /** Milliseconds for everything, failover included. Default 600,000. */
  deadlineMs?: number;
  /** Told when a worker has been sent the prompt: what failed before has told nobody anything. */
  onSent?: () => void;
}

const DEFAULT_DEADLINE_MS = 600_000;
/** See {@link MeshClientOptions.attempts}. */
export const DEFAULT_ATTEMPTS = 8;
/** Workers that are asked, one after the other, while a stranger is late. */
export const MOST_OVERTAKING = 3;
/** Milliseconds before a worker that failed is asked again because there is no other; a longer wait is the caller's. */
const RETRY_DELAY_MS = 1_000;
const LONGEST_RETRY_DELAY_MS = 10_000;

/**
 * Asks the mesh. Chooses a worker, streams its answer, goes elsewhere when it fails, and pays with a receipt.
 *
 * @example
 * ```ts
 * const bans = new BanList({ log });
 * const swarm = new MeshSwarm({ identity, bans, log });
 * const network = new MeshNetwork({
 *   ...INFERENCE_NETWORK, swarm, mode: 'client', describe: () => ({ sides: ['client'] }), log,
 * });
 * const client = new MeshClient({ network, identity, credits, log });
 * await swarm.open();
 * await network.open();
 * client.open();
 * let text = '';
 * for await (const event of client.generate({ input: { prompt: 'Once upon a time' } })) {
 *   if (event.type === 'restart') text = '';
 *   if (event.type === 'chunk') text += event.text;
 * }
 * await client.close();
 * await network.close();
 * await swarm.close();
 * ```
 */
export class MeshClient {
  readonly #options: MeshClientOptions;
  readonly #now: () => number;
  readonly #experience = new Experience();
  readonly #claims: OwnClaims;
  readonly #vouchers: BroughtVouchers;
  readonly #lessons: Lessons;
  readonly #choice: WorkerChoice;
  readonly #payments: Payments;
  readonly #closing = new AbortController();
  #opened = false;

  constructor(options: MeshClientOptions) {
    const { network, identity, credits, findWorkerMs = 10_000, random = Math.random, now = Date.now, log } = options;
    this.#options = options;
    this.#now = now;
    this.#claims = new OwnClaims({ credits, there: () => network.peers.keys(), now, log });
    const [claims, experience] = [this.#claims, this.#experience];
    const { vouchersMs: patienceMs } = options;
    this.#vouchers = new BroughtVouchers({ network, client: identity.id, credits, claims, patienceMs, now, log });
    this.#lessons = new Lessons({ experience, claims, now, log });
    this.#choice = new WorkerChoice({ network, known: experience, claims, findWorkerMs, random, now });
    this.#payments = new Payments({ network, credits, log });
  }

  /** Idempotent. */
  open(): void {
    if (this.#opened || this.#closing.signal.aborted) return;
    this.#opened = true;
    this.#choice.open();
    this.#vouchers.open();
    this.#payments.open();
  }

  /** Ends requests in flight with CANCELLED, and waits for the books. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#choice.close();
    // One turn, in which those who read an answer hear that it is over and what was set aside for it is given back.
    await new Promise(setImmediate);
    await this.#vouchers.close();
    await this.#claims.close();
    await this.#payments.close();
  }

  /** Workers in reach, and the last each said of itself. */
  workers(): readonly KnownWorker[] {
    return this.#choice.list();
  }

  /**
   * Streams an answer from the mesh: at last one `done`, when the receipt for it is on this node's books. Times in its
   * result are by this node's clock. Returning early from the iterator cancels.
   *
   * @throws NO_WORKER, MODEL_NOT_FOUND, NO_CREDIT, BAD_REQUEST, CONTEXT_TOO_LONG, CANCELLED, DEADLINE, WORKER_LOST, or
   * what the last worker refused with
   */
  async *generate(
    input: GenerateRequest,
    options: MeshGenerateOptions = {},
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const ask = new Ask({
      request: carried(checkGenerate(input)),
      model: options.model,
      worker: options.worker,
      isShunned: this.#options.isShunned,
      deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      attempts: options.worker === undefined ? (this.#options.attempts ?? DEFAULT_ATTEMPTS) : 1,
      signals: options.signal ? [this.#closing.signal, options.signal] : [this.#closing.signal],
      now: this.#now,
      onSent: options.onSent,
    });
    try {
      yield* readCalls(this.#tryWorkers(ask), ask.request);
    } finally {
      ask.end();
    }
  }

  /**
   * Asks a worker for clips, once and nobody else; nothing is paid for it.
   * @throws what {@link ClipAttempt.ask} throws
   */
  clips(worker: KnownWorker, asked: Omit<ClipAttemptOptions, 'worker' | 'identity' | 'now'>): Promise<string> {
    const signal = AbortSignal.any([this.#closing.signal, asked.signal]);
    return new ClipAttempt({ ...asked, worker, signal, identity: this.#options.identity, now: this.#now }).ask();
  }

  async *#tryWorkers(ask: Ask): AsyncGenerator<AnswerEvent, void, undefined> {
    for (;;) {
      const worker = await this.#choice.wait(ask);
      try {
        yield* this.#askHedged(worker, ask);
        return;
      } catch (error) {
        const failure = QuarryError.from(error);
        if (ask.isOwn(failure) || ask.signal.aborted) throw failure;
        const othersLeft = this.#choice.hasUntried(ask);
        if (ask.tries.enough(othersLeft)) throw this.#asTold(ask, failure);
        if (!othersLeft) await this.#waitForTheSame(ask, failure);
        yield { type: 'restart', worker: worker.id, ...told({ reason: wordsOf(failure, 'message') }) };
      }
    }
  }

  /** A stranger that claims to be free has no reason to be late, beyond the loading that it spoke of: nobody waits for it while others are free. */
  #askHedged(worker: KnownWorker, ask: Ask): AsyncGenerator<AnswerEvent, void, undefined> {
    const { hedgeAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    const doubtful = isIdle(worker.selfReport.queue) && !this.#experience.works(worker.id);
    const patienceMs = doubtful ? Math.min(hedgeAfterMs, this.#experience.lateMs) : hedgeAfterMs;
    const loadMs = loadMsOf(worker.selfReport, ask.model);
    const afterMs = lateAfterMs(patienceMs, loadMs, ask.leftMs);
    const first = this.#lane(worker, ask);
    if (afterMs === Number.POSITIVE_INFINITY) return first.events;
    const asked = [worker.id];
    const another = () => {
      const other = doubtful ? this.#choice.otherFree(ask, asked, loadMs > 0) : this.#choice.other(ask, asked);
      if (other) asked.push(other.id);
      return other && this.#lane(other, ask);
    };
    const isAnswer = ({ type }: AnswerEvent) => type === 'chunk' || type === 'done';
    return hedged(first, another, afterMs, isAnswer, doubtful ? MOST_OVERTAKING : 1);
  }

  #lane(worker: KnownWorker, ask: Ask): Lane<AnswerEvent> {
    const controller = new AbortController();
    return { events: this.#ask(worker, ask, controller.signal), cancel: () => controller.abort() };
  }

  /** One worker's try. */
  async *#ask(worker: KnownWorker, ask: Ask, dropped: AbortSignal): AsyncGenerator<AnswerEvent, void, undefined> {
    const { identity } = this.#options;
    const { peer } = worker;
    const { request, model, maxTokens } = ask;
    const claimed = claimedOf(worker.selfReport, model);
    const asking = worker.begin();
    const signal = AbortSignal.any([ask.signal, dropped]);
    const vouchers = await this.#vouchers.gather(worker, ask.cost, signal);
    const attempt = new Attempt({
      ...{ peer, identity, ...ask.verified },
      maxTokens,
      model,
      deadlineMs: ask.leftMs,
      vouchers,
      patience: { ...DEFAULT_PATIENCE, ...this.#options.patience },
      longestQueueMs: (told) => this.#experience.longestQueueMs(peer.id, claimed, told),
      pledge: (pledge) => ask.ownPart(() => this.#payments.pledge(pledge)),
      now: this.#now,
    });
    asking.sent(attempt.requestId, { logprobs: request.topLogprobs !== undefined });
    try {
      const opened = { requestId: attempt.requestId, worker: peer.id, maxTokens };
      await ask.ownPart(() => this.#payments.begin(opened));
      yield* this.#follow(attempt, { worker, claimed }, ask, signal);
    } catch (error) {
      const unpaid = QuarryError.from(error).code === 'NO_CREDIT';
      // What it has taken, or turned down, is not brought again.
      if (!attempt.accepted && !unpaid) this.#vouchers.keep(worker.id, vouchers);
      asking.end();
      if (unpaid) this.#claims.heard(worker);
      throw error;
    } finally {
      asking.end();
    }
  }

  /** From the prompt to the answer's end; whatever happens, the books hear how it ended. */
  async *#follow(
    attempt: Attempt,
    { worker, claimed }: { worker: KnownWorker; claimed: Claimed },
    ask: Ask,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const { id } = worker;
    const declared = [declaredBy(worker, ask)];
    const onAbort = () => attempt.cancel(ask.why());
    let outcome: QuarryError['code'] | 'SERVED' = 'CANCELLED';
    let ended = false;
    const release = async () => {
      if (ended || outcome === 'SERVED') return 0;
      ended = true;
      attempt.cancel(ask.why());
      return await this.#payments.release(attempt.requestId, attempt.ending(outcome));
    };
    try {
      signal.addEventListener('abort', onAbort);
      ask.throwIfOver();
      yield { type: 'worker', worker: id, model: ask.model ?? worker.status?.models[0]?.name };
      await ask.ownPart(() => attempt.start());
      if (!attempt.peer.closed) ask.onSent();
      for await (const event of attempt) {
        if (event.type === 'queued') yield { ...event, worker: id };
        else if (event.type === 'chunk') yield event;
        else {
          const { result } = event;
          if (result.text === '' && !this.#isBelievedEmpty(id, ask)) throw new EmptyAnswer();
          // Nothing is paid for nothing.
          outcome = result.text === '' ? 'WORKER_LOST' : 'SERVED';
          this.#lessons.answered(attempt, claimed, ask, result);
          if (outcome === 'SERVED') yield* paid(attempt, await this.#payments.pay(worker.peer, event));
          this.#hold(attempt.peer, [...declared, declaredBy(worker, ask)], event.claimed);
          yield { type: 'done', result };
        }
      }
    } catch (error) {
      const failure = QuarryError.from(error);
      outcome = failure.code;
      if (!ask.isOwn(failure)) this.#lessons.failed(attempt, claimed, ask, failure);
      yield* paid(attempt, await release());
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      await release();
    }
  }

  /**
   * Who declares the file of his model tells how his answers came about, and by that file: else nobody could hold him to it.
   * @param declared before the answer and after it: a worker may change its model meanwhile
   */
  #hold(peer: Peer<InferenceMessage>, declared: (string | undefined)[], claimed?: ClaimedAnswer): void {
    if (claimed) this.#options.onClaimed?.(claimed);
    if (declared.some((file) => file === undefined || file === claimed?.claim.body.model)) return;
    peer.blame('false claim', claimed ? 'another file than it declares' : 'an answer without evidence');
  }

  /** An answer may be empty, and to say so costs a liar nothing: it counts when three say it, or two of whom one has answered before, or when there is nobody else to ask. */
  #isBelievedEmpty(worker: string, ask: Ask): boolean {
    return ask.tries.empty(worker, this.#experience.works(worker)) || !this.#choice.other(ask, [worker]);
  }

  #asTold(ask: Ask, failure: QuarryError): QuarryError {
    const affordable = this.#choice.list().reduce((most, each) => Math.max(most, this.#claims.affordable(each)), 0);
    return ask.tries.asTold(failure, { tokens: ask.maxTokens, credits: ask.cost, affordable });
  }

  /** Nobody else is there: leaves the worker the time that it asked for, if that is short and the deadline allows it. */
  async #waitForTheSame(ask: Ask, failure: QuarryError): Promise<void> {
    const wait = Math.max(RETRY_DELAY_MS, failure.retryAfterMs ?? 0);
    if (!failure.retryable || wait > LONGEST_RETRY_DELAY_MS || wait > ask.leftMs) throw this.#asTold(ask, failure);
    await ask.pause(wait);
  }
}

/** SHA-256 of the file that a worker says it answers with; undefined where it says nothing, or the answer could not be checked. */
function declaredBy({ status }: KnownWorker, { model, verified }: Ask): string | undefined {
  const models = status?.models ?? [];
  const served = models.find(({ name }) => name === model) ?? models[0];
  return verified.verified ? served?.sha256 : undefined;
}

function* paid({ peer, paidFrom: from }: Attempt, credits: number): Generator<AnswerEvent> {
  if (credits > 0) yield { type: 'paid', worker: peer.id, credits, from };
}
