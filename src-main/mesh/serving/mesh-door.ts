import type { Logger } from 'pino';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Funding, WorkerCredits } from '../../credits/credits.ts';
import type { InferenceMessage, PledgeMessage, Prompt } from '../inference/messages.ts';
import type { Refusals } from '../transport/guards/refusals.ts';
import type { Identity } from '../transport/identity.ts';
import type { Peer } from '../transport/peer.ts';
import { Intake } from './intake.ts';
import { jobKey, type MeshCounter, MeshJob } from './mesh-job.ts';
import { PledgeDesk } from './pledge-desk.ts';
import type { Dispatcher } from './queue/dispatcher.ts';
import { cancelled } from './queue/job.ts';
import { sendRefusal } from './send-refusal.ts';

export interface MeshDoorOptions {
  dispatcher: Pick<Dispatcher, 'count' | 'take' | 'stop'>;
  /** Of this node. */
  identity: Identity;
  credits: WorkerCredits;
  /** Milliseconds. */
  maxDeadlineMs: number;
  refusals: Refusals;
  /** A client has brought vouchers, or is owed too little: what it knows of its standing here is no longer true. */
  onTerms?: (client: Peer<InferenceMessage>) => void;
  now: () => number;
  log: Logger;
}

/** By this door clients of the mesh come, who sign what they ask and pay with credits. */
export class MeshDoor implements MeshCounter {
  readonly #options: MeshDoorOptions;
  readonly #intake: Intake;
  readonly #pledges: PledgeDesk;
  /** Those that have not ended, by client and request id. */
  readonly #jobs = new Map<string, MeshJob>();

  constructor(options: MeshDoorOptions) {
    this.#options = options;
    this.#intake = new Intake(options.identity.id);
    this.#pledges = new PledgeDesk(options);
  }

  get credits(): WorkerCredits {
    return this.#options.credits;
  }

  get identity(): Identity {
    return this.#options.identity;
  }

  get now(): () => number {
    return this.#options.now;
  }

  /** A prompt came in. Every way on ends in an answer, an `inference_error`, or the end of the connection. */
  receive(peer: Peer<InferenceMessage>, prompt: Prompt): void {
    try {
      const job = this.#read(peer, prompt);
      if (!job) return;
      this.#options.dispatcher.take(job);
      this.#jobs.set(job.key, job);
    } catch (error) {
      this.refuse(peer, prompt.requestId, QuarryError.from(error));
    }
  }

  cancel(peer: Peer<InferenceMessage>, requestId: string): void {
    const job = this.#jobs.get(jobKey(peer, requestId));
    if (job) this.#options.dispatcher.stop(job, cancelled(say('mesh.clientCancelled')));
  }

  /** A client has signed for what its answer has cost so far: it may go on as soon as that is kept. */
  pledged(peer: Peer<InferenceMessage>, pledge: PledgeMessage): void {
    const job = this.#jobs.get(jobKey(peer, pledge.requestId));
    if (job) this.#pledges.bring(job, pledge);
  }

  /** A client that is gone wants no answers. */
  abandon(peer: Peer<InferenceMessage>): void {
    const { dispatcher } = this.#options;
    for (const job of this.#jobs.values()) {
      if (job.peer === peer) dispatcher.stop(job, cancelled(say('mesh.clientLeft')));
    }
  }

  /** Resolves when the books have let go of what clients have signed for. */
  async booksRest(): Promise<void> {
    await this.#pledges.close();
  }

  /** A client that is owed too little hears first what it is owed: that it may know better next time. */
  async fund({ requestId, prompt, peer }: MeshJob): Promise<Funding> {
    const { credits, onTerms } = this.#options;
    const { maxTokens, vouchers = [], from: client } = prompt;
    try {
      return await credits.fund({ requestId, client, host: peer.host, maxTokens, vouchers });
    } catch (error) {
      if (QuarryError.from(error).code === 'NO_CREDIT') onTerms?.(peer);
      throw error;
    } finally {
      if (vouchers.length > 0) onTerms?.(peer);
    }
  }

  ended(job: MeshJob, code: ErrorCode | undefined): void {
    this.#jobs.delete(job.key);
    this.#pledges.ended(job, code);
  }

  refuse(peer: Peer<InferenceMessage>, requestId: string, error: QuarryError): void {
    sendRefusal(this.#options, peer, requestId, error);
  }

  /** From the cheapest check to the dearest. Undefined when the peer was dropped for what it sent. */
  #read(peer: Peer<InferenceMessage>, prompt: Prompt): MeshJob | undefined {
    const { dispatcher, credits, maxDeadlineMs, now } = this.#options;
    const { tier } = credits.standing(peer.id);
    dispatcher.count(peer.id, tier);
    const verdict = this.#intake.check(prompt, peer.id, now());
    if ('offence' in verdict) {
      peer.offend(verdict.offence, verdict.detail);
      return undefined;
    }
    if ('refusal' in verdict) throw verdict.refusal;
    const deadlineMs = Math.min(prompt.deadlineMs, maxDeadlineMs);
    return new MeshJob({ prompt, promptHash: verdict.hash, peer, tier, deadlineMs, counter: this });
  }
}
