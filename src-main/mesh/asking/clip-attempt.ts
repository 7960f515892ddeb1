import { randomBytes } from 'node:crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { checkRequest } from '../../inference/request-schema.ts';
import {
  type ClipEnd,
  type ClipPiece,
  type ClipQuestion,
  clipDeadline,
  clipQuestionSchema,
} from '../inference/clip-messages.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION, signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import { ClipText } from './clip-text.ts';
import type { KnownWorker } from './known-worker.ts';
import { brokeProtocol, lost, refusedBy } from './lost.ts';

/** What is wanted of a worker. */
export type WantedOfMesh = Pick<ClipQuestion, 'of' | 'topic' | 'count'>;

export interface ClipAttemptOptions {
  worker: KnownWorker;
  identity: Identity;
  wanted: WantedOfMesh;
  /** Milliseconds for all of it: ten minutes at the most. */
  deadlineMs: number;
  /** Ends it with CANCELLED. */
  signal: AbortSignal;
  /** Told when the worker has been sent the question. */
  onSent?: (() => void) | undefined;
  /** Told when the first piece is there. */
  onFirstByte?: (() => void) | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

/** One question for clips to one worker. Nothing is paid, and what is known of how it answers prompts stays as it is. */
export class ClipAttempt {
  readonly #requestId = randomBytes(16).toString('hex');
  readonly #options: ClipAttemptOptions;
  readonly #came = new ClipText();
  readonly #answer = Promise.withResolvers<string>();
  readonly #onMessage = (message: InferenceMessage) => this.#receive(message);
  readonly #onClose = (reason: string) => this.#fail(lost(say('mesh.connectionEnded', { reason })));
  #hasBegun = false;
  #isOver = false;

  constructor(options: ClipAttemptOptions) {
    this.#options = options;
  }

  /**
   * Asks, and waits for all of the answer. Call it once.
   * @returns a stranger’s text of 1 MiB at the most
   * @throws BAD_REQUEST for what the mesh does not carry, or a worker that has not said that it takes such questions; CANCELLED, DEADLINE, WORKER_LOST, PROTOCOL; what the worker refuses with
   */
  async ask(): Promise<string> {
    const { worker, deadlineMs, signal, onSent } = this.#options;
    if (!worker.handsInClips) throw new QuarryError({ code: 'BAD_REQUEST', message: say('mesh.noClips') });
    const question = this.#question();
    const { peer } = worker;
    const onAbort = () => this.#fail(new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }));
    const late = () =>
      this.#fail(new QuarryError({ code: 'DEADLINE', message: say('mesh.deadline'), retryable: true }));
    const timer = setTimeout(late, clipDeadline(deadlineMs)); // no longer than the worker is told
    using _ = worker.expects(this.#requestId);
    peer.on('message', this.#onMessage);
    peer.once('close', this.#onClose);
    signal.addEventListener('abort', onAbort);
    try {
      if (signal.aborted) onAbort();
      else if (peer.closed) this.#onClose('it was closed');
      else {
        peer.send(question);
        onSent?.();
      }
      return await this.#answer.promise;
    } finally {
      clearTimeout(timer);
      peer.off('message', this.#onMessage);
      peer.off('close', this.#onClose);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #question(): ClipQuestion {
    const { worker, identity, wanted, deadlineMs, now } = this.#options;
    const about = { requestId: this.#requestId, worker: worker.id, ...wanted, deadlineMs: clipDeadline(deadlineMs) };
    return checkRequest(
      clipQuestionSchema,
      signEvidence<ClipQuestion>({ type: 'clip-question', ...about }, identity, now()),
    );
  }

  #receive(message: InferenceMessage): void {
    if (!('requestId' in message) || message.requestId !== this.#requestId || this.#isOver) return;
    if (message.type === 'clip-piece') this.#piece(message);
    else if (message.type === 'clip-end') this.#end(message);
    else if (message.type === 'inference_error') this.#over(() => this.#answer.reject(refusedBy(message)));
  }

  #piece(piece: ClipPiece): void {
    if (!this.#hasBegun) this.#options.onFirstByte?.();
    this.#hasBegun = true;
    const fault = this.#came.take(piece);
    if (fault !== undefined) this.#cheat(fault);
  }

  #end(end: ClipEnd): void {
    const text = this.#came.whole(end);
    if (text === undefined) this.#cheat('a piece of what is handed in is missing');
    else this.#over(() => this.#answer.resolve(text));
  }

  #cheat(detail: string): void {
    this.#fail(brokeProtocol(detail));
    this.#options.worker.peer.offend('protocol error', detail);
  }

  /** Whoever is still at it is told that nobody waits for it. */
  #fail(error: QuarryError): void {
    if (this.#isOver) return;
    const { peer } = this.#options.worker;
    if (!peer.closed) peer.send({ v: PROTOCOL_VERSION, type: 'cancel', requestId: this.#requestId });
    this.#over(() => this.#answer.reject(error));
  }

  #over(tell: () => void): void {
    this.#isOver = true;
    tell();
  }
}
