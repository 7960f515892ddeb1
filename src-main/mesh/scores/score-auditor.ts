import type { Logger } from 'pino';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { Pace } from '../../base/pace.ts';
import { Turns } from '../../base/turns.ts';
import type { ScoreStore } from '../../store/mesh/scores.ts';
import { AuditQueue, type Turn } from './audit-queue.ts';
import type { LogShelf } from './log-shelf.ts';
import { type AuditStep, auditSlice, type Falsehood } from './score-audit.ts';
import { type Followed, type ScoreBoard, saysNoMore } from './score-board.ts';
import { ScoreInbox, sameClaim } from './score-inbox.ts';
import type { ScoreUpdate, ScoreVerify } from './score-messages.ts';

/** Milliseconds of checking, all logs together, after which everything else has its turn. */
const SLICE_MS = 4;

export interface ScoreAuditorOptions {
  board: ScoreBoard;
  store: ScoreStore;
  shelf: LogShelf;
  now: () => number;
  /** Milliseconds to wait for a block of a log. */
  blockTimeoutMs: number;
  /** A log bore out a claim that is newer than the one before. */
  onProven: (followed: Followed, claim: ScoreUpdate) => void;
  /** A statement of a witness turned out to be about the log as it is. */
  onWitnessed: (statement: ScoreVerify) => void;
  log: Logger;
}

/** Holds what workers and witnesses say against the workers' logs. A resource: close it. */
export class ScoreAuditor {
  readonly #options: ScoreAuditorOptions;
  readonly #inboxes = new Map<string, ScoreInbox>();
  readonly #queue: AuditQueue;
  readonly #pace = new Pace({ sliceMs: SLICE_MS });
  /** Steps of each log: this node proves its own while witnesses speak of it, and no entry may be booked twice. */
  readonly #steps = new WeakMap<Followed, Turns>();
  #closed = false;

  constructor(options: ScoreAuditorOptions) {
    this.#options = options;
    const { now } = options;
    this.#queue = new AuditQueue((worker) => this.#turn(worker), { onDrop: (worker) => this.#giveUp(worker), now });
  }

  /**
   * Whether a message says anything that this node does not know; asked before its signatures are looked at.
   * @param sender the peer that brought it: what waits here already is its word, too
   */
  isNews(message: ScoreUpdate | ScoreVerify, sender: string): boolean {
    const claim = message.type === 'score-update' ? message : message.claim;
    const { board } = this.#options;
    if (board.mark(claim.workerId)) return false;
    const followed = board.find(claim.workerId);
    const inbox = this.#inboxes.get(claim.workerId);
    this.#queue.heard(claim.workerId, sender);
    if (!isOld(claim, followed) && !inbox?.hasClaim(claim)) return true;
    return message.type === 'score-verify' && !isOldWord(message, followed) && !inbox?.hasStatement(message);
  }

  /**
   * A worker's claim, its signature checked.
   * @param sender the peer that brought it: what it may have waiting here is limited
   */
  claim(claim: ScoreUpdate, sender: string): void {
    const inbox = isOld(claim, this.#options.board.find(claim.workerId)) ? undefined : this.#open(claim, sender);
    if (!inbox) return;
    inbox.addClaim(claim);
    this.#queue.push(claim.workerId, sender, this.#isProven(claim.workerId));
  }

  /** A witness's statement, both signatures checked. @param sender as in {@link claim} */
  statement(statement: ScoreVerify, sender: string): void {
    const { claim } = statement;
    const followed = this.#options.board.find(claim.workerId);
    const inbox = isOld(claim, followed) && isOldWord(statement, followed) ? undefined : this.#open(claim, sender);
    if (!inbox) return;
    if (!isOld(claim, followed)) inbox.addClaim(claim);
    if (!isOldWord(statement, followed)) inbox.addStatement(statement);
    this.#queue.push(claim.workerId, sender, this.#isProven(claim.workerId));
  }

  /** Logs that could not be read may be readable now. */
  retry(): void {
    this.#queue.retryAll();
  }

  /** A peer is gone: what it alone spoke of is not waited for any more. */
  left(sender: string): void {
    this.#queue.left(sender);
  }

  /** Workers of whom something was said that has not been held against their logs yet. */
  get waiting(): number {
    return this.#inboxes.size;
  }

  /** Checks a log up to an entry, here and now. @returns why it stopped short, if it did */
  async prove(followed: Followed, upTo: number): Promise<string | undefined> {
    while (followed.proven.seq < upTo) {
      const step = await this.#step(followed, upTo);
      if (step.outcome === 'false') return sentence(step.detail);
      if (step.outcome === 'waiting') return step.why;
    }
    return undefined;
  }

  /** Waits for the checks under way; those that wait for a block end when the shelf closes. Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#queue.close();
  }

  /** The worker's inbox, if there is room for what the sender brings. */
  #open({ workerId, logKey }: ScoreUpdate, sender: string): ScoreInbox | undefined {
    const { board } = this.#options;
    if (board.mark(workerId) || !this.#queue.admits(workerId, sender, this.#isProven(workerId))) return undefined;
    board.follow(workerId, logKey);
    const inbox = this.#inboxes.get(workerId) ?? new ScoreInbox();
    this.#inboxes.set(workerId, inbox);
    return inbox;
  }

  #isProven(worker: string): boolean {
    return (this.#options.board.find(worker)?.proven.seq ?? 0) > 0;
  }

  /** What was said of a worker cannot be checked: it is forgotten, and what was proven before stays. */
  #giveUp(worker: string): void {
    const { board, shelf, log } = this.#options;
    this.#inboxes.delete(worker);
    const logKey = this.#isProven(worker) ? undefined : board.forget(worker);
    // A liar may have named the log of another, which is being read.
    if (logKey !== undefined && !board.follows(logKey))
      shelf.drop(logKey).catch((err: unknown) => log.debug({ err }, 'a log could not be closed'));
  }

  async #turn(worker: string): Promise<Turn> {
    const followed = this.#options.board.find(worker);
    const inbox = this.#inboxes.get(worker);
    if (!followed) this.#inboxes.delete(worker); // too many others are followed
    if (!followed || !inbox) return 'done';
    try {
      const turn = await this.#audit(followed, inbox);
      if (inbox.empty && this.#isProven(worker)) this.#inboxes.delete(worker);
      else if (inbox.empty) this.#giveUp(worker); // nothing came of it: it takes no place
      return turn;
    } catch (error) {
      if (!this.#closed) this.#options.log.error({ err: error, worker }, 'a score log could not be checked');
      return 'waiting';
    }
  }

  async #audit(followed: Followed, inbox: ScoreInbox): Promise<Turn> {
    const { log } = this.#options;
    const second = inbox.contradiction(followed.logKey);
    if (second && !this.#isProven(followed.worker)) return this.#passOver(inbox);
    if (second) {
      return this.#condemn(followed, inbox, { reason: 'rewritten', detail: say('score.secondLog') }, second);
    }
    const upTo = inbox.next(followed.proven.seq);
    let waiting = false;
    if (upTo !== undefined) {
      const step = await this.#step(followed, upTo);
      if (step.outcome === 'false') return this.#condemn(followed, inbox, step);
      waiting = step.outcome === 'waiting';
      if (waiting) log.debug({ worker: followed.worker, upTo, at: step.proven.seq }, 'a score log is not all here yet');
    }
    const verdict = await this.#judge(followed, inbox);
    if (verdict) return this.#condemn(followed, inbox, verdict, verdict.claim);
    if (waiting) return 'waiting';
    return inbox.next(followed.proven.seq) === undefined ? 'done' : 'more';
  }

  /** Checks the next entries of a log and keeps what they prove, from where the step before has left off. */
  #step(followed: Followed, upTo: number): Promise<AuditStep> {
    const steps = this.#steps.get(followed) ?? new Turns();
    this.#steps.set(followed, steps);
    return steps.take(async () => {
      const step = await this.#read(followed, upTo);
      if (step.outcome === 'false' || step.entries.length === 0) return step;
      await this.#options.board.advance(followed, step.proven, step.entries);
      return step;
    });
  }

  async #read({ worker, logKey, proven }: Followed, upTo: number): Promise<AuditStep> {
    const { shelf, store, now, blockTimeoutMs } = this.#options;
    const log = await shelf.take(logKey);
    const tools = { store, now: now(), timeoutMs: blockTimeoutMs, pace: this.#pace };
    return await auditSlice({ worker, log, proven }, upTo, tools);
  }

  /** Judges everything that was said about entries which have been checked by now. */
  async #judge(followed: Followed, inbox: ScoreInbox): Promise<Verdict | undefined> {
    const { board, onProven, onWitnessed } = this.#options;
    const { claims, statements } = inbox.take(followed.proven.seq);
    const seqBefore = followed.claim?.seq ?? -1;
    for (const claim of claims) {
      const verdict = await this.#weigh(followed, claim);
      if (verdict === 'true') board.accept(followed, claim);
      else if (verdict) return verdict;
    }
    for (const statement of statements) {
      const said = claims.some((claim) => sameClaim(claim, statement.claim));
      const verdict = said ? 'true' : await this.#weigh(followed, statement.claim);
      if (verdict === 'true' && (await board.witness(followed, statement))) onWitnessed(statement);
    }
    if (followed.claim && followed.claim.seq > seqBefore) onProven(followed, followed.claim);
    return undefined;
  }

  /** Holds one claim of a worker against its log: `true` when the log bears it out, undefined when it claims too little or is too old. */
  async #weigh(followed: Followed, claim: ScoreUpdate): Promise<'true' | Verdict | undefined> {
    const log = await this.#options.shelf.take(followed.logKey);
    if (!log.rewritten && isOld(claim, followed)) return 'true';
    const root = await log.root(claim.seq);
    if (root === undefined && !log.rewritten) return undefined; // too old: its part of the log is not here any more
    if (log.rewritten || root !== claim.receiptsRoot) {
      return { reason: 'rewritten', detail: say('score.otherLog', { entry: claim.seq }), claim };
    }
    const total = await this.#options.store.totalAt(followed.worker, claim.seq);
    if (total === undefined || claim.total < total) return undefined;
    if (claim.total === total) return 'true';
    return inflated(claim, total);
  }

  #condemn(
    { worker, claim: believed }: Followed,
    inbox: ScoreInbox,
    { reason, detail }: { reason: Falsehood; detail: Saying },
    claim?: ScoreUpdate,
  ): Turn {
    const said = inbox.take(Number.POSITIVE_INFINITY);
    const evidence = { claims: claim ? [claim, ...said.claims] : said.claims, believed };
    this.#options.board.condemn(worker, reason, detail, evidence);
    return 'false';
  }

  /** A worker contradicts itself before anything of its log was read: it is a newcomer as it is, and to keep that would cost more than to say it. */
  #passOver(inbox: ScoreInbox): Turn {
    inbox.take(Number.POSITIVE_INFINITY);
    return 'false';
  }
}

interface Verdict {
  reason: Falsehood;
  detail: Saying;
  /** The worker's own word that proves it. */
  claim: ScoreUpdate;
}

function inflated(claim: ScoreUpdate, proven: number): Verdict {
  return { reason: 'inflated', detail: say('score.inflated', { claimed: claim.total, proven }), claim };
}

/** Whether a claim says nothing that was not proven before. One that contradicts what was proven is never old. */
function isOld(claim: ScoreUpdate, followed: Followed | undefined): boolean {
  return followed?.claim !== undefined && sameClaim(followed.claim, claim);
}

function isOldWord(statement: ScoreVerify, followed: Followed | undefined): boolean {
  return followed !== undefined && saysNoMore(followed, statement);
}
