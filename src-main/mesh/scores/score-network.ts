import type { Logger } from 'pino';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import { closeAll } from '../../base/close-all.ts';
import { dataPath } from '../../base/data-folder.ts';
import { Pace } from '../../base/pace.ts';
import { ignoring } from '../../base/swallowed.ts';
import { TaskSet } from '../../base/task-set.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import type { Standing } from '../../credits/credits.ts';
import type { Db } from '../../store/database.ts';
import { ScoreStore } from '../../store/mesh/scores.ts';
import { isAuthentic, signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { LogBudget } from './log-budget.ts';
import { LogShelf } from './log-shelf.ts';
import { LogStore } from './log-store.ts';
import { HISTORY_TIMING, type HistoryTiming, OwnHistory, type PastEvents } from './own-history.ts';
import { ScoreAuditor } from './score-auditor.ts';
import { ScoreBoard } from './score-board.ts';
import { type ScoredEvents, ScoreLog } from './score-log.ts';
import type { Mark } from './score-marks.ts';
import type { ScoreMessage, ScoreRequestMessage, ScoreUpdate, ScoreVerify } from './score-messages.ts';
import { ScorePublisher, type ScorePublisherOptions } from './score-publisher.ts';
import { ScoreWitness } from './score-witness.ts';

/** Claims and statements of others are passed on to so many peers: enough to reach everyone in a few steps. */
const FANOUT = 8;
/** Messages that one peer may send per second, and at once. What is more is not read. */
const MESSAGES_PER_SECOND = 100;
const MESSAGE_BURST = 2_000;
/** Messages in answer to one request; requests of one peer that are answered per second, and at once. */
const ANSWER_MESSAGES = 1_000;
const ANSWERS_PER_SECOND = 0.1;
const ANSWER_BURST = 3;
/** What the logs of others may take on the disk. */
const MAX_LOG_BYTES = 512_000_000;
/** Milliseconds of answering, all peers together, after which everything else has its turn. */
const ANSWER_SLICE_MS = 4;
/** A message may be so far ahead of our clock, in milliseconds. */
const FUTURE_MS = 600_000;

export interface ScoreNetworkOptions {
  /** The scores network, not open yet; it opens and closes with this. */
  network: MeshNetwork<ScoreMessage>;
  identity: Identity;
  credits: ScorePublisherOptions['events'] & ScoredEvents & PastEvents;
  db: Db;
  /** The logs are kept in a folder of it. */
  dataDir: string;
  /** Bytes that the logs of others may take there. Default 512 MB. */
  maxLogBytes?: number;
  /** This node was restored from a backup, or somebody else was it, and it has not caught up since. */
  catchUp?: { /** Unix milliseconds. */ at: number } | undefined;
  /** Whether this node may serve has changed: see {@link ScoreNetwork.hindrance}. */
  onOwn?: (state: 'live' | 'split') => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** 0 to below 1. Default Math.random. */
  random?: () => number;
  timing?: Partial<ScoreTiming>;
  log: Logger;
}

/** All in milliseconds. */
export interface ScoreTiming extends HistoryTiming {
  /** Shortest time between two claims of this node. Default 30,000. */
  publishEveryMs: number;
  /** A proven claim is witnessed at a random moment within this. Default 2,000. */
  witnessWithinMs: number;
  /** How long to wait for a block of another's log. Default 5,000. */
  blockTimeoutMs: number;
  /** Time from one question about a worker whose total does not count here to the next. Default 10,000. */
  askEveryMs: number;
}

const DEFAULT_TIMING: ScoreTiming = {
  ...HISTORY_TIMING,
  publishEveryMs: 30_000,
  witnessWithinMs: 2_000,
  blockTimeoutMs: 5_000,
  askEveryMs: 10_000,
};

/** Points by how sure they are: what the worker says, what its log proves, what witnesses confirm too. */
export interface KnownScore {
  claimed: number;
  proven: number;
  confirmed: number;
  /** Ids of those who bear witness. */
  witnesses: string[];
}

/**
 * This node's part in the score network: it publishes its own score log and claims its total, reads the logs of others,
 * bears witness to what they prove, and knows what everyone's total is worth. A resource.
 */
export class ScoreNetwork {
  readonly #options: ScoreNetworkOptions;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #timing: ScoreTiming;
  readonly #store: LogStore;
  readonly #shelf: LogShelf;
  readonly #budget: LogBudget;
  readonly #board: ScoreBoard;
  readonly #auditor: ScoreAuditor;
  readonly #witness: ScoreWitness;
  readonly #pace = new Pace({ sliceMs: ANSWER_SLICE_MS });
  /** What each peer may send, whether or not it connects anew. */
  readonly #budgets = new BucketMap();
  readonly #answers = new BucketMap();
  readonly #answering = new TaskSet();
  #ownLog: ScoreLog | undefined;
  #history: OwnHistory | undefined;
  #publisher: ScorePublisher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ScoreNetworkOptions) {
    const { db, identity, dataDir, log } = options;
    const now = options.now ?? Date.now;
    const random = options.random ?? Math.random;
    const timing = { ...DEFAULT_TIMING, ...options.timing };
    const store = new ScoreStore(db);
    this.#options = options;
    this.#now = now;
    this.#random = random;
    this.#timing = timing;
    this.#store = new LogStore(dataPath(dataDir, 'scoreLogs'));
    this.#shelf = new LogShelf(this.#store, { onBlock: (key, bytes) => this.#budget.came(key, bytes) });
    this.#board = new ScoreBoard({ store, self: identity.id, now, log });
    this.#auditor = new ScoreAuditor({
      board: this.#board,
      store,
      shelf: this.#shelf,
      now,
      blockTimeoutMs: timing.blockTimeoutMs,
      onProven: (followed, claim) => {
        this.#passOn(claim, claim.workerId);
        this.#witness.proven(followed);
      },
      onWitnessed: (statement) => this.#passOn(statement, statement.claim.workerId),
      log,
    });
    this.#budget = new LogBudget({
      store: this.#store,
      shelf: this.#shelf,
      own: () => this.#ownLog?.key,
      followed: () => this.#board.leastUseful(),
      maxBytes: options.maxLogBytes ?? MAX_LOG_BYTES,
      log,
    });
    const onStatement = (statement: ScoreVerify) => this.#tellAll(statement);
    const withinMs = timing.witnessWithinMs;
    this.#witness = new ScoreWitness({ identity, board: this.#board, withinMs, now, random, onStatement, log });
  }

  /** Loads what was proven before, and joins the network. Idempotent. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Leaves the network and waits for what is being written. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Points and tier of a node that count here. From memory. */
  standing(id: string): Standing {
    return this.#board.standing(id);
  }

  /** What is known of a worker's score; undefined when nothing is. */
  score(id: string): KnownScore | undefined {
    const followed = this.#board.find(id);
    if (!followed) return undefined;
    const { claim, proven, witnesses } = followed;
    const confirmed = this.#board.confirmed(followed);
    return { claimed: claim?.total ?? 0, proven: proven.state.total, confirmed, witnesses: [...witnesses.keys()] };
  }

  /** Workers that were found out, with reason and expiry. */
  marks(): Mark[] {
    return this.#board.marks();
  }

  /** A worker computes with another model than it declares: it is a newcomer for thirty days. @param detail as a clause */
  condemn(worker: string, detail: Saying, evidence: object): void {
    this.#board.condemn(worker, 'model', detail, evidence);
  }

  /** Whether it was found to use another model than it declares, in the last thirty days. */
  isOfAnotherModel(worker: string): boolean {
    return this.#board.mark(worker)?.reason === 'model';
  }

  /** Why this node serves nobody now, for what others know of it; undefined when nothing is in its way. */
  get hindrance(): Saying | undefined {
    return this.#history?.hindrance;
  }

  async #open(): Promise<void> {
    const { network, identity, credits, log } = this.#options;
    await this.#store.ready();
    await this.#board.open();
    const ownLog = await ScoreLog.open({ store: this.#store, identity, events: credits });
    this.#ownLog = ownLog;
    const history = this.#openHistory(ownLog);
    this.#history = history;
    await history.open(); // what others say of it is heard from the first moment on
    network.follow(
      (peer) => this.#welcome(peer),
      (peer) => this.#auditor.left(peer.id),
    );
    await network.open();
    this.#publisher = new ScorePublisher({
      identity,
      ownLog,
      isLive: () => history.isLive,
      shelf: this.#shelf,
      board: this.#board,
      auditor: this.#auditor,
      events: credits,
      everyMs: this.#timing.publishEveryMs,
      now: this.#now,
      onClaim: (claim) => this.#tellAll(claim),
      log,
    });
    this.#timer = setInterval(() => this.#askAgain(), this.#timing.askEveryMs).unref();
    this.#budget.open(); // only now is it known which log is this node's own
  }

  #openHistory(ownLog: ScoreLog): OwnHistory {
    const { network, identity, credits, catchUp, onOwn, log } = this.#options;
    return new OwnHistory({
      worker: identity.id,
      ownLog,
      shelf: this.#shelf,
      events: credits,
      catchUpSince: catchUp?.at,
      timing: this.#timing,
      blockTimeoutMs: this.#timing.blockTimeoutMs,
      peers: () => network.peers.size,
      onLive: () => {
        onOwn?.('live');
        this.#publisher?.publishSoon();
      },
      onSplit: () => onOwn?.('split'),
      log,
    });
  }

  async #close(): Promise<void> {
    await this.#opening?.catch(ignoring('whoever opened it was told'));
    clearInterval(this.#timer);
    await closeAll(
      () => this.#options.network.close(),
      () => this.#answering.ended(),
      () => this.#budget.close(),
      // Closing the shelf ends the waits for blocks that will not come any more.
      () =>
        Promise.all([
          this.#history?.close(),
          this.#publisher?.close(),
          this.#witness.close(),
          this.#auditor.close(),
          this.#shelf.close(),
        ]),
      () => this.#ownLog?.close(),
      () => this.#board.close(),
      () => this.#store.close(),
    );
  }

  #welcome(peer: Peer<ScoreMessage>): void {
    this.#store.replicate(peer.connection.stream);
    peer.onMessage((message) => {
      const now = this.#now();
      const budget = this.#budgets.get(peer.id, MESSAGES_PER_SECOND, MESSAGE_BURST, now);
      if (budget?.take(1, now)) this.#receive(peer, message);
    });
    this.#ask(peer, null);
    if (!this.#history?.isLive) this.#ask(peer, this.#options.identity.id);
    this.#auditor.retry();
  }

  #ask(peer: Peer<ScoreMessage>, workerId: string | null): void {
    const question = { type: 'score-request' as const, workerId, since: 0 };
    peer.send(signEvidence<ScoreRequestMessage>(question, this.#options.identity, this.#now()));
  }

  /** Witnesses for whom there was no room, because nobody had dealt with them then, may be fit by now: one of the peers knows what they say. */
  #askAgain(): void {
    const peers = [...this.#options.network.peers.values()];
    const peer = peers[Math.floor(this.#random() * peers.length)];
    const worker = peer && this.#board.nextUnconfirmed();
    if (worker) this.#ask(peer, worker);
  }

  #receive(peer: Peer<ScoreMessage>, message: ScoreMessage): void {
    if (message.ts > this.#now() + FUTURE_MS) return;
    const beyond = this.#beyond(message);
    if (!beyond && !this.#isNews(peer, message)) return;
    const forged = forgery(message);
    if (forged) peer.offend('wrong signature', forged);
    else if (beyond) this.#history?.heard(beyond);
    else if (message.type === 'score-update') this.#auditor.claim(message, peer.id);
    else if (message.type === 'score-verify') this.#auditor.statement(message, peer.id);
    else void this.#answering.add(this.#answer(peer, message));
  }

  /** A claim in this node's name that its own log does not bear out. */
  #beyond(message: ScoreMessage): ScoreUpdate | undefined {
    if (message.type === 'score-request') return undefined;
    const claim = message.type === 'score-update' ? message : message.claim;
    return claim.workerId === this.#options.identity.id && this.#history?.isBeyond(claim) ? claim : undefined;
  }

  /** Whether it is worth to check a message's signatures: the same things are said by many, and again and again. */
  #isNews(peer: Peer<ScoreMessage>, message: ScoreMessage): boolean {
    if (message.type !== 'score-request') return this.#auditor.isNews(message, peer.id);
    const now = this.#now();
    return (
      message.from === peer.id &&
      (this.#answers.get(peer.id, ANSWERS_PER_SECOND, ANSWER_BURST, now)?.take(1, now) ?? false)
    );
  }

  /** Sends claims and statements made after the moment asked about, as many as the peer takes at once; a few at a time. */
  async #answer(peer: Peer<ScoreMessage>, { workerId, since }: ScoreRequestMessage): Promise<void> {
    const one = workerId === null ? undefined : this.#board.find(workerId);
    let sent = 0;
    for (const { worker, claim, witnesses } of workerId === null ? this.#board.followed : one ? [one] : []) {
      await this.#pace.breathe();
      if (peer.closed || this.#closing) return;
      if (this.#board.mark(worker)) continue;
      for (const message of claim ? [claim, ...witnesses.values()] : []) {
        if (message.ts <= since) continue;
        if (sent++ >= ANSWER_MESSAGES || !peer.send(message)) return;
      }
    }
  }

  #tellAll(message: ScoreUpdate | ScoreVerify): void {
    for (const peer of this.#options.network.peers.values()) peer.send(message);
  }

  /** Sends what was said about a worker to a few others; the worker itself knows. */
  #passOn(message: ScoreUpdate | ScoreVerify, worker: string): void {
    const peers = [...this.#options.network.peers.values()];
    const others = peers.filter(({ id }) => id !== worker && id !== message.from);
    for (let count = 0; count < FANOUT && others.length > 0; count++) {
      const [peer] = others.splice(Math.floor(this.#random() * others.length), 1);
      peer?.send(message);
    }
  }
}

/** What is wrong with a message's signatures, as a clause; undefined when nothing is. */
function forgery(message: ScoreMessage): string | undefined {
  if (!isAuthentic(message)) return 'the author did not sign this';
  if (message.type === 'score-request') return undefined;
  const claim = message.type === 'score-update' ? message : message.claim;
  if (claim.from !== claim.workerId) return 'the claim is not the worker’s own';
  if (message.type === 'score-update') return undefined;
  if (message.from === claim.workerId) return 'a worker is not its own witness';
  return isAuthentic(claim) ? undefined : 'the worker did not sign the claim';
}
