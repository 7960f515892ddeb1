import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { TaskSet } from '../../base/task-set.ts';
import { type ClipQuestion, clipDeadline, MAX_CLIP_PIECE_CHARS, MAX_CLIPS_BYTES } from '../inference/clip-messages.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { Intake } from './intake.ts';
import { type Paced, PacedClients } from './paced-clients.ts';
import { cancelled, shuttingDown, tooLate } from './queue/job.ts';
import { sendRefusal } from './send-refusal.ts';

/** Questions of one asker that are looked at a second, and at once: each takes a model of clips its time, and a write to the disk. */
const PACE = { perSecond: 1 / 6, burst: 10 };
/** What it asks beyond that, and is refused: so much is forgiven a second, and at once. */
const EXCESS = { perSecond: 5, burst: 50 };

/** What is asked, of whoever has clips. */
export interface AskedClips extends Pick<ClipQuestion, 'of' | 'topic' | 'count'> {
  /** Id of the node that asks. */
  asker: string;
  signal: AbortSignal;
}

export interface ClipDoorOptions {
  /** The inference network, in mode `server` or `both`. */
  network: MeshNetwork<InferenceMessage>;
  /** This node's id. */
  worker: string;
  /** Whether a node gets any: clips that a stranger has are handed in by him elsewhere, and then they are new nowhere. Asked anew for each question. */
  trusts: (node: string) => boolean;
  /** Makes what is handed in: a text that the mesh does not read, of 1 MiB at the most. @throws QuarryError why there is none now */
  handIn: (asked: AskedClips) => Promise<string>;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** A question that is being answered. */
interface Asked {
  peer: Peer<InferenceMessage>;
  requestId: string;
  /** Ends it, with why. */
  controller: AbortController;
}

/**
 * By this door clips are handed in to nodes of the mesh that this one trusts: one question of each at a time. Nothing is paid for it, and neither the
 * engine nor its queue hears of it. A resource.
 */
export class ClipDoor {
  readonly #options: ClipDoorOptions;
  readonly #now: () => number;
  readonly #intake: Intake;
  readonly #clients: PacedClients<Paced>;
  /** By who asks. */
  readonly #asked = new Map<string, Asked>();
  readonly #answering = new TaskSet();
  #unfollow = () => {};
  #isClosing = false;

  constructor(options: ClipDoorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#intake = new Intake(options.worker);
    this.#clients = new PacedClients({ pace: PACE, excess: EXCESS, now: this.#now, begin: (paced) => paced });
  }

  open(): void {
    this.#unfollow = this.#options.network.follow(
      (peer) => this.#attach(peer),
      (peer) => this.#end(peer, cancelled(say('mesh.clientLeft'))),
    );
  }

  /** Takes nothing more; resolves when what is being answered has been. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await this.#answering.ended();
  }

  /** Ends what is being answered with NOT_RUNNING, and waits for that. Idempotent. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { controller } of this.#asked.values()) controller.abort(shuttingDown());
    await this.#answering.ended();
    this.#unfollow();
  }

  #attach(peer: Peer<InferenceMessage>): void {
    peer.onMessage((message) => {
      if (message.type === 'clip-question') this.#receive(peer, message);
      else if (message.type === 'cancel') this.#end(peer, cancelled(say('mesh.clientCancelled')), message.requestId);
    });
  }

  /** A question came in. Every way on ends in an answer, an `inference_error`, or the end of the connection. */
  #receive(peer: Peer<InferenceMessage>, question: ClipQuestion): void {
    try {
      if (this.#mayAsk(peer, question)) void this.#answering.add(this.#answer(peer, question));
    } catch (error) {
      this.#refuse(peer, question, error);
    }
  }

  /** From the cheapest check to the dearest. @returns false when the peer was dropped for what it sent @throws why it gets nothing */
  #mayAsk(peer: Peer<InferenceMessage>, question: ClipQuestion): boolean {
    const { pace, excess } = this.#clients.of(peer.id);
    const now = this.#now();
    if (!pace.take(1, now)) {
      if (excess.take(1, now)) throw tooOften(pace.waitMs(1, now));
      peer.offend('too many frames', 'clips, asked for without end');
      return false;
    }
    if (this.#isClosing) throw shuttingDown();
    if (!this.#options.trusts(peer.id)) throw stranger(peer.id);
    const verdict = this.#intake.check(question, peer.id, now);
    if ('offence' in verdict) {
      peer.offend(verdict.offence, verdict.detail);
      return false;
    }
    if ('refusal' in verdict) throw verdict.refusal;
    if (this.#asked.has(peer.id)) throw oneAtATime();
    return true;
  }

  /** Never rejects. */
  async #answer(peer: Peer<InferenceMessage>, question: ClipQuestion): Promise<void> {
    const { requestId, of, topic, count } = question;
    const [controller, deadlineMs] = [new AbortController(), clipDeadline(question.deadlineMs)];
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(tooLate(deadlineMs)), deadlineMs);
    this.#asked.set(peer.id, { peer, requestId, controller });
    try {
      const text = await this.#options.handIn({ of, topic, count, asker: peer.id, signal });
      signal.throwIfAborted();
      send(peer, requestId, text, this.#now());
    } catch (error) {
      this.#refuse(peer, question, signal.aborted ? signal.reason : error);
    } finally {
      clearTimeout(timer);
      this.#asked.delete(peer.id);
    }
  }

  /** @param requestId undefined: whatever it has asked */
  #end(peer: Peer<InferenceMessage>, why: QuarryError, requestId?: string): void {
    const asked = this.#asked.get(peer.id);
    if (asked?.peer === peer && (requestId ?? asked.requestId) === asked.requestId) asked.controller.abort(why);
  }

  #refuse(peer: Peer<InferenceMessage>, { requestId }: ClipQuestion, error: unknown): void {
    const { network, log } = this.#options;
    sendRefusal({ refusals: network.swarm.refusals, log }, peer, requestId, QuarryError.from(error));
  }
}

/** All at once: it is less than what may wait for a peer that reads slowly. @throws Error for more than may be handed in, which is a fault of this node’s own */
function send(peer: Peer<InferenceMessage>, requestId: string, text: string, now: number): void {
  if (Buffer.byteLength(text) > MAX_CLIPS_BYTES) throw new Error(`${text.length} characters of clips are too many`);
  const pieces = piecesOf(text);
  peer.pace.spend(pieces.length + 1, now);
  for (const [seq, piece] of pieces.entries())
    peer.send({ v: PROTOCOL_VERSION, type: 'clip-piece', requestId, seq, text: piece });
  peer.send({ v: PROTOCOL_VERSION, type: 'clip-end', requestId, pieces: pieces.length });
}

/** No character is cut in two: its halves have more bytes than it has, and whoever counts them piece by piece would take all of it for too much. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 0) {
    const to = from + MAX_CLIP_PIECE_CHARS;
    const isCut = to < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(to - 1, to + 1));
    pieces.push(text.slice(from, isCut ? to - 1 : to));
  }
  return pieces;
}

function tooOften(retryAfterMs: number): QuarryError {
  return new QuarryError({ code: 'RATE_LIMIT', message: say('mesh.clipsTooOften'), retryable: true, retryAfterMs });
}

function stranger(id: string): QuarryError {
  const [message, hint] = [say('mesh.clipsForOthers'), say('mesh.clipsForOthers.hint', { id })];
  return new QuarryError({ code: 'BAD_REQUEST', message, hint });
}

function oneAtATime(): QuarryError {
  const message = say('mesh.clipsOneAtATime');
  return new QuarryError({ code: 'RATE_LIMIT', message, hint: say('mesh.waitForOne'), retryable: true });
}
