import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { networkPrefix } from '../../base/network-prefix.ts';
import type { Verify } from '../../base/signing.ts';
import type { Db } from '../../store/database.ts';
import { appendEntry } from '../../store/ledger.ts';
import { dropPledge, savePledge } from '../../store/pledges.ts';
import { findReceipt } from '../../store/receipts.ts';
import type { Trx, Writer } from '../../store/writer.ts';
import type { Booking, Funding, Served, Standing, Terms, WorkerCredits } from '../credits.ts';
import { type Pledge, pledgeBytes } from '../pledge.ts';
import {
  type Receipt,
  type ReceiptBody,
  receiptBytes,
  receiptId,
  receiptSchema,
  type WorkerReceipt,
} from '../receipt.ts';
import { costOf, isWorkerFault, pointsFor } from '../score/points.ts';
import type { ScoreStep } from '../score/score.ts';
import { clientHolder, ISSUE_POINTS } from './accounts.ts';
import { type Allowance, creditStanding, hasGrant, payAllowance } from './allowance.ts';
import { Newcomers } from './newcomers.ts';
import { bookAchievement, issuePoints, penalise, saveScore, scoreNext } from './own-score.ts';
import { CLOCK_SKEW_MS, receiptFault } from './receipt-check.ts';
import { toRow } from './receipt-row.ts';
import {
  chargedForParts,
  findReservation,
  forget,
  idTaken,
  openReservation,
  type Reservation,
  releaseReservation,
  settlement,
  UNTIL_RESTART,
} from './reservations.ts';

/** A node's name and its signature (128 hex) under what it says. */
export interface Signer {
  /** 64 hex. */
  id: string;
  sign(bytes: Uint8Array): string;
}

export interface BookOptions {
  db: Db;
  writer: Writer;
  identity: Signer;
  verify: Verify;
  allowance: Allowance;
  /** Unix milliseconds. */
  now: () => number;
}

export interface WorkerBookOptions extends BookOptions {
  /** Confirmed points of another node, from memory. */
  standing: (id: string) => Standing;
  /** Called after a receipt or a failure has been booked: the score log has something to publish. */
  onScored: () => void;
}

/** The books of a node that serves: its clients' accounts, and its own points. */
export class WorkerBook implements WorkerCredits {
  readonly #options: WorkerBookOptions;
  readonly #newcomers = new Newcomers();
  readonly #running = new Set<string>();

  constructor(options: WorkerBookOptions) {
    this.#options = options;
  }

  /** Ids of the requests that credits are set aside for, and that have neither been answered nor failed yet. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  standing(client: string): Standing {
    return this.#options.standing(client);
  }

  async fund(request: Parameters<WorkerCredits['fund']>[0]): Promise<Funding> {
    const { writer, identity, allowance, now } = this.#options;
    const { requestId, client, host } = request;
    const reservation = await writer.run(async (trx) => {
      if (await findReceipt(trx, identity.id, requestId)) throw idTaken();
      const holder = clientHolder(client);
      if (!(await hasGrant(trx, holder))) this.#newcomers.admit(client, host, now());
      await payAllowance(trx, holder, allowance, now());
      await creditStanding(trx, client, this.standing(client).points, now());
      const amount = costOf(request.maxTokens);
      return await openReservation(trx, { side: 'worker', requestId, peer: client, amount }, allowance, now());
    }, UNTIL_RESTART);
    this.#running.add(requestId);
    const { tier } = this.standing(client);
    return { funds: 'claim', tier, client, network: networkPrefix(host), credits: reservation.cost };
  }

  async keepPledge({ sig, ...said }: Omit<Pledge, 'worker'> & { sig: string }): Promise<void> {
    const { writer, identity, verify } = this.#options;
    const { requestId, client, promptHash, credits } = said;
    if (!verify(client, pledgeBytes({ ...said, worker: identity.id }), sig)) throw notPledged();
    await writer.run(async (trx) => {
      const open = await findReservation(trx, 'worker', requestId);
      if (open?.peer !== client || credits > open.amount) throw tooMuch();
      await savePledge(trx, { entry: open.entry, prompt_hash: promptHash, credits, sig });
    }, UNTIL_RESTART);
  }

  bill(served: Served): WorkerReceipt {
    const { identity } = this.#options;
    this.#running.delete(served.requestId);
    const body: ReceiptBody = {
      v: 2,
      ...served,
      worker: identity.id,
      points: pointsFor(served),
      cost: costOf(served.completionTokens),
    };
    return { body, workerSig: identity.sign(receiptBytes(body)) };
  }

  async settle(receipt: Receipt): Promise<Booking> {
    const { writer, onScored } = this.#options;
    this.#check(receipt);
    const booked = await writer.run((trx) => this.#book(trx, receipt));
    onScored();
    return booked;
  }

  async release({ client, requestId }: { client: string; requestId: string }, reason: string): Promise<void> {
    const { writer, now, onScored } = this.#options;
    const fault = isWorkerFault(reason);
    this.#running.delete(requestId);
    await writer.run(async (trx) => {
      const open = await findReservation(trx, 'worker', requestId);
      if (open?.peer !== client) return;
      await releaseReservation(trx, open, reason, now());
      if (fault) await penalise(trx, open, reason, now());
    });
    if (fault) onScored();
  }

  terms(client: string): Terms {
    const { points } = this.standing(client);
    return { owed: points, gift: 0, salt: '0'.repeat(32), voices: [] };
  }

  given(): number {
    return 0;
  }

  async vouch(): Promise<undefined> {
    return undefined;
  }

  #check(receipt: Receipt): void {
    const { identity, verify, now } = this.#options;
    const shape = receiptSchema.safeParse(receipt);
    if (!shape.success) throw voidReceipt(say('receipt.malformed'));
    if (receipt.body.worker !== identity.id) throw voidReceipt(say('receipt.otherWorker'));
    if (receipt.body.servedAt > now() + CLOCK_SKEW_MS) throw voidReceipt(say('receipt.future'), 'receipt.servedAt');
    const fault = receiptFault(receipt, verify);
    if (fault) throw voidReceipt(fault);
  }

  async #book(trx: Trx, receipt: Receipt): Promise<Booking> {
    const { identity, now } = this.#options;
    const { body } = receipt;
    const earlier = await findReceipt(trx, identity.id, body.requestId);
    if (earlier && earlier.id !== receiptId(body)) throw idTaken();
    if (earlier) return { points: earlier.counted, achievements: [], repeated: true };
    const open = await findReservation(trx, 'worker', body.requestId);
    if (open && open.peer !== body.client) throw idTaken();
    const step = await scoreNext(trx, body);
    await this.#bookReceipt(trx, receipt, open, step);
    for (const achievement of step.achievements) await bookAchievement(trx, achievement, step.state, now());
    await saveScore(trx, step.state);
    return { points: step.counted, achievements: step.achievements.map(({ id }) => id), repeated: false };
  }

  async #bookReceipt(trx: Trx, receipt: Receipt, open: Reservation | undefined, step: ScoreStep): Promise<void> {
    const { body } = receipt;
    const client = clientHolder(body.client);
    // An id for which a part was paid gets no further reservation: what is open has no such part before it.
    const parts = open ? 0 : await chargedForParts(trx, 'worker', body.requestId);
    const { charged, postings } = await settlement(trx, client, open?.amount ?? 0, Math.max(0, body.cost - parts));
    if (open) await dropPledge(trx, open.entry);
    const row = toRow(receipt, 'worker', { counted: step.counted, reason: step.reason ?? null, charged });
    await trx.insertInto('receipts').values(row).execute();
    await appendEntry(trx, {
      at: this.#options.now(),
      kind: 'earn',
      key: `earn:${row.id}`,
      requestId: body.requestId,
      receiptId: row.id,
      closes: open?.entry,
      memo: step.reason ?? '',
      postings: { ...postings, ...issuePoints(ISSUE_POINTS, step.counted) },
    });
    if (open) await forget(trx, open);
  }
}

function notPledged(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.notPledged'), field: 'sig' });
}

function tooMuch(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.pledgedTooMuch'), field: 'credits' });
}

function voidReceipt(why: Saying, field = 'receipt'): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.void', { why }), field });
}
