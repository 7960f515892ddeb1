import type { Logger } from 'pino';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { TaskSet } from '../../base/task-set.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import type { WorkerCredits } from '../../credits/credits.ts';
import { costOf } from '../../credits/price.ts';
import type { PledgeMessage } from '../inference/messages.ts';
import { QuietLog } from '../transport/guards/refusals.ts';
import type { MeshJob } from './mesh-job.ts';

/** Answers that a client may let stand without pledging, at once, and how many of them are forgiven a second. */
const LET_STAND = { burst: 2, perSecond: 2 / 600 };
/** Milliseconds for which an answer must have stood for that, if its client ends it itself, and if it was answered in the end. */
const LONG_STANDING_MS = 3_000;
const LONG_STANDING_ANSWERED_MS = 10_000;
/** Clients of which that is remembered. */
const CLIENTS = 4_096;
/** Milliseconds in which one kind of trouble with a client's pledges is logged once. */
const QUIET_MS = 60_000;

export interface PledgeDeskOptions {
  credits: Pick<WorkerCredits, 'keepPledge'>;
  now: () => number;
  log: Logger;
}

/** Takes what clients sign for while their answers come to the books, and remembers who lets answers stand instead. */
export class PledgeDesk {
  readonly #options: PledgeDeskOptions;
  readonly #tasks = new TaskSet();
  readonly #letStand = new BucketMap(CLIENTS);
  readonly #quiet: QuietLog;

  constructor(options: PledgeDeskOptions) {
    this.#options = options;
    this.#quiet = new QuietLog(QUIET_MS, options.now);
  }

  /** A client has signed for what its answer has cost so far: it may go on as soon as that is kept. */
  bring(job: MeshJob, pledge: PledgeMessage): void {
    // Looked at before its signature, which costs more. Nobody honest signs for what has not come: it would be believed to owe it.
    if (pledge.credits > costOf({ completionTokens: job.streamed }))
      job.peer.offend('false claim', 'pledged more than has been sent');
    else if (job.pledges.bring(pledge)) void this.#tasks.add(this.#keepAll(job));
  }

  /**
   * A request has ended. An engine that waits for a client's pledge waits for nothing: one that lets it again and again does so on
   * purpose.
   *
   * @param code how it failed; undefined when it was answered
   */
  ended({ peer, started, window }: MeshJob, code: ErrorCode | undefined): void {
    const patience = code === undefined ? LONG_STANDING_ANSWERED_MS : LONG_STANDING_MS;
    if (!started || (code !== 'NO_CREDIT' && window.stoodMs < patience)) return;
    const now = this.#options.now();
    const forgiven = this.#letStand.get(peer.id, LET_STAND.perSecond, LET_STAND.burst, now)?.take(1, now);
    if (forgiven === false) peer.blame('false claim', 'asked, and did not pledge');
  }

  /** Resolves when the books have let go. */
  async close(): Promise<void> {
    await this.#tasks.ended();
  }

  /** One pledge of a request is at the books at a time. */
  async #keepAll(job: MeshJob): Promise<void> {
    for (let next = job.pledges.take(); next; next = job.pledges.take()) await this.#keep(job, next);
  }

  async #keep(job: MeshJob, { credits, sig }: PledgeMessage): Promise<void> {
    const { requestId, peer, promptHash } = job;
    try {
      await this.#options.credits.keepPledge({ requestId, client: peer.id, promptHash, credits, sig });
      job.window.open(credits);
    } catch (error) {
      const { code, field, message } = QuarryError.from(error);
      // What is pledged for a request that has just ended comes too late, and is no offence.
      if (field === 'sig') peer.offend('wrong signature', 'pledge');
      else this.#tellLog(peer.id, { requestId, code, why: message });
    }
  }

  #tellLog(peer: string, context: { requestId: string; code: string; why: string }): void {
    const suppressed = this.#quiet.due(`${peer} ${context.code}`);
    if (suppressed !== undefined) this.#options.log.warn({ peer, ...context, suppressed }, 'a pledge was not kept');
  }
}
