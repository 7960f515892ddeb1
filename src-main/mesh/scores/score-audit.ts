import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import { receiptFault } from '../../credits/books/receipt-check.ts';
import type { Receipt } from '../../credits/receipt.ts';
import { dayOf, type ScoreState, scoreFailure, scoreReceipt } from '../../credits/score/score.ts';
import type { ScoreEntryRow, ScoreStore } from '../../store/mesh/scores.ts';
import { verify } from '../transport/identity.ts';
import { FalseLog, type OpenLog } from './log-shelf.ts';
import { decodeEntry, type ScoreEntry } from './score-entry.ts';

/** Receipts at a log's beginning whose signatures are all checked. */
const ALL_CHECKED = 256;
/** Of those after them, one in so many is: which one, the worker cannot know. */
const CHECKED_ONE_IN = 8;
/** Entries checked in one go: between two of them the node does other things. */
const SLICE = 128;
/** A receipt may be so far ahead of our clock, in milliseconds, before it has to wait. */
const FUTURE_MS = 600_000;

/** How far a log has been checked, and what it has proven so far. */
export interface Proven {
  seq: number;
  state: ScoreState;
}

/** Why a worker is not believed. `model`: it computes with another one than it declares. */
export type Falsehood = 'inflated' | 'forged' | 'duplicate' | 'rewritten' | 'malformed' | 'model';

export type AuditStep =
  /** The log was checked up to here. */
  | { outcome: 'checked'; proven: Proven; entries: ScoreEntryRow[] }
  /** The rest is not here yet, or from the future by our clock. What was checked until then stands. */
  | { outcome: 'waiting'; proven: Proven; entries: ScoreEntryRow[]; why: string }
  | { outcome: 'false'; reason: Falsehood; detail: Saying };

const found = (reason: Falsehood, detail: Saying): AuditStep => ({ outcome: 'false', reason, detail });
const REWRITTEN = found('rewritten', say('score.rewritten'));

/**
 * Checks the next entries of a worker's log, at most a slice of them: each must be a receipt of this worker with both
 * signatures and the points and cost of the formulas, for a request that the log did not have before; or a failure. The
 * score is then worked out by the same rules as the worker's own ledger. Of a long log the signatures are checked by sample: a worker that
 * forges a hundred receipts stays unseen once in 600,000 times, and when it is found out, all of its score is gone.
 *
 * @param upTo place of the last entry that is claimed
 * @param tools.now Unix milliseconds
 * @param tools.pace asked between two entries: signatures and look-ups of a slice take longer than everything else should wait
 */
export async function auditSlice(
  subject: { worker: string; log: OpenLog; proven: Proven },
  upTo: number,
  tools: { store: ScoreStore; now: number; timeoutMs: number; pace: Pick<Pace, 'breathe'>; random?: () => number },
): Promise<AuditStep> {
  const { worker, log, proven } = subject;
  const audit = new SliceAudit(worker, proven, tools.store, tools.random ?? Math.random);
  const last = Math.min(upTo, proven.seq + SLICE);
  try {
    for await (const raw of log.read(proven.seq + 1, last, tools.timeoutMs)) {
      await tools.pace.breathe();
      if (log.rewritten) return REWRITTEN;
      const entry = decodeEntry(raw, audit.next);
      if (!entry) return found('malformed', say('score.notOurs', { entry: audit.next }));
      if (entry.type === 'receipt' && entry.receipt.body.servedAt > tools.now + FUTURE_MS) {
        return audit.waiting(`entry ${audit.next} is from the future`);
      }
      const fault = await audit.add(entry);
      if (fault) return fault;
    }
  } catch (error) {
    if (log.rewritten) return REWRITTEN;
    if (error instanceof FalseLog) return found('malformed', error.fault);
    return audit.waiting(error instanceof Error ? error.message : String(error));
  }
  return audit.checked();
}

class SliceAudit {
  readonly #worker: string;
  readonly #store: ScoreStore;
  readonly #entries: ScoreEntryRow[] = [];
  readonly #random: () => number;
  #proven: Proven;

  constructor(worker: string, proven: Proven, store: ScoreStore, random: () => number) {
    this.#worker = worker;
    this.#random = random;
    this.#proven = proven;
    this.#store = store;
  }

  /** Place of the entry that comes next. */
  get next(): number {
    return this.#proven.seq + 1;
  }

  async add(entry: ScoreEntry): Promise<AuditStep | undefined> {
    if (entry.type === 'failure') {
      this.#advance(scoreFailure(this.#proven.state), { request_id: null, client: null, day: null, counted: 0 });
      return undefined;
    }
    const fault = await this.#fault(entry.receipt);
    if (fault) return fault;
    const { requestId, client, servedAt } = entry.receipt.body;
    const day = dayOf(servedAt);
    const step = scoreReceipt(this.#proven.state, entry.receipt.body, await this.#countPair(client, day));
    this.#advance(step.state, { request_id: requestId, client, day, counted: step.counted });
    return undefined;
  }

  checked(): AuditStep {
    return { outcome: 'checked', proven: this.#proven, entries: this.#entries };
  }

  waiting(why: string): AuditStep {
    return { outcome: 'waiting', proven: this.#proven, entries: this.#entries, why };
  }

  #advance(state: ScoreState, row: Pick<ScoreEntryRow, 'request_id' | 'client' | 'day' | 'counted'>): void {
    this.#proven = { seq: this.next, state };
    this.#entries.push({ worker: this.#worker, seq: this.#proven.seq, total: state.total, ...row });
  }

  async #fault(receipt: Receipt): Promise<AuditStep | undefined> {
    const forged = (why: Saying) => found('forged', say('score.forged', { entry: this.next, why }));
    if (receipt.body.worker !== this.#worker) return forged(say('score.otherWorker'));
    const fault = receiptFault(receipt, this.#isChecked() ? verify : () => true);
    if (fault) return forged(fault);
    const { requestId } = receipt.body;
    const twice =
      this.#entries.some(({ request_id }) => request_id === requestId) ||
      (await this.#store.hasReceipt(this.#worker, requestId));
    return twice ? found('duplicate', say('score.duplicate', { entry: this.next })) : undefined;
  }

  #isChecked(): boolean {
    return this.next <= ALL_CHECKED || this.#random() * CHECKED_ONE_IN < 1;
  }

  async #countPair(client: string, day: number): Promise<number> {
    const here = this.#entries.filter((row) => row.client === client && row.day === day && row.counted > 0).length;
    return here + (await this.#store.countPair(this.#worker, client, day));
  }
}
