import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Side } from '../../../src-preload/contract/mesh.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Db, Tables } from '../../store/database.ts';
import { appendEntry, balanceOf, keysUnder, type Postings } from '../../store/ledger.ts';
import { dropPledge, pledgedByKey, pledgedUnder } from '../../store/pledges.ts';
import type { Trx, WriteOptions, Writer } from '../../store/writer.ts';
import { isGivenBack } from '../score/points.ts';
import { available, clientHolder, type Holder, OWN, reserved, spent } from './accounts.ts';
import { type Allowance, noCredit } from './allowance.ts';

/** Stale reservations given back in one transaction: requests wait for it. */
const STALE_BATCH = 500;

/** Credits set aside for a request that has not ended yet. */
export type Reservation = Tables['reservations'];

/** Who pays for a request: this node itself, or the client that asked it. */
export function payer({ role, peer }: Pick<Reservation, 'role' | 'peer'>): Holder {
  return role === 'client' ? OWN : clientHolder(peer);
}

export async function findReservation(db: Db, side: Side, requestId: string): Promise<Reservation | undefined> {
  return await db
    .selectFrom('reservations')
    .selectAll()
    .where('role', '=', side)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
}

/** A reservation need not survive a power cut: the next start gives every open one back. */
export const UNTIL_RESTART: WriteOptions = { flush: false };

/**
 * Sets credits aside. A request id holds one reservation at a time, or one payment would buy two answers; after a release
 * it may reserve anew.
 *
 * @throws NO_CREDIT; BAD_REQUEST when the request id holds a reservation
 */
export async function openReservation(
  trx: Trx,
  request: { side: Side; requestId: string; peer: string; amount: number },
  allowance: Allowance,
  now: number,
): Promise<{ cost: number }> {
  const { side, requestId, peer, amount } = request;
  if (await findReservation(trx, side, requestId)) throw idTaken();
  const holder = payer({ role: side, peer });
  if ((await balanceOf(trx, available(holder))) < amount) throw await noCredit(trx, holder, allowance, amount, now);
  const prefix = reserveKeys(side, requestId);
  const { count } = await keysUnder(trx, prefix);
  // Part of an answer was paid under this id: it is used up, as by a receipt.
  if (count > 0 && (await pledgedByKey(trx, prefix)) > 0) throw idTaken();
  const entry = await appendEntry(trx, {
    at: now,
    kind: 'reserve',
    key: prefix + String(count + 1).padStart(9, '0'),
    requestId,
    memo: peer,
    postings: { [available(holder)]: -amount, [reserved(holder)]: amount },
  });
  await trx.insertInto('reservations').values({ role: side, request_id: requestId, peer, amount, entry }).execute();
  return { cost: amount };
}

/** What the keys of a request's `reserve` entries begin with. */
const reserveKeys = (side: Side, requestId: string) => `reserve:${side}:${requestId}:`;

/** What was charged for parts of an answer before its receipt came. */
export async function chargedForParts(db: Db, side: Side, requestId: string): Promise<number> {
  return await pledgedByKey(db, reserveKeys(side, requestId));
}

/**
 * Ends a reservation without a receipt: what was signed for while the answer streamed is paid, the rest comes back. All of it
 * does where the worker says that it failed.
 *
 * @param reason an error's code, or words
 */
export async function releaseReservation(trx: Trx, open: Reservation, reason: string, now: number): Promise<void> {
  const holder = payer(open);
  const charged = isGivenBack(reason) ? 0 : await pledgedUnder(trx, open.entry);
  if (charged === 0) await dropPledge(trx, open.entry);
  await appendEntry(trx, {
    at: now,
    kind: 'release',
    key: `release:${open.entry}`,
    requestId: open.request_id,
    closes: open.entry,
    memo: reason.slice(0, 200),
    postings: settlementPostings(holder, open.amount, charged),
  });
  await forget(trx, open);
}

/** What a settled request costs its holder: out of what was set aside, then out of what is there. Nothing left, nothing paid. */
export async function settlement(
  db: Db,
  holder: Holder,
  setAside: number,
  cost: number,
): Promise<{ charged: number; postings: Postings }> {
  const free = await balanceOf(db, available(holder));
  const charged = Math.min(cost, setAside + free);
  return { charged, postings: settlementPostings(holder, setAside, charged) };
}

/** Ends a reservation: what is charged is spent, the rest of what was set aside comes back. */
export function settlementPostings(holder: Holder, setAside: number, charged: number): Postings {
  return {
    [reserved(holder)]: -setAside,
    [available(holder)]: setAside - charged,
    [spent(holder)]: charged,
  };
}

/** Takes a reservation that an entry has closed off the list of open ones. */
export async function forget(trx: Trx, { role, request_id }: Reservation): Promise<void> {
  await trx.deleteFrom('reservations').where('role', '=', role).where('request_id', '=', request_id).execute();
}

/** Ends what a process that died had set aside. @returns how many reservations that were */
export async function releaseOrphans(trx: Trx, now: number): Promise<number> {
  const orphans = await trx.selectFrom('reservations').selectAll().execute();
  for (const orphan of orphans) await releaseReservation(trx, orphan, 'the node stopped', now);
  return orphans.length;
}

/** Ends the oldest of what was set aside before `before` and does not run, at most {@link STALE_BATCH}. @returns how many that were */
async function releaseStale(trx: Trx, runs: Runs, before: number, now: number): Promise<number> {
  const stale = await trx
    .selectFrom('reservations')
    .innerJoin('ledger_entries', 'ledger_entries.seq', 'reservations.entry')
    .selectAll('reservations')
    .where('ledger_entries.at', '<', before)
    .orderBy('reservations.entry')
    .limit(STALE_BATCH)
    .execute();
  const over = stale.filter((open) => !runs(open));
  for (const open of over) await releaseReservation(trx, open, 'never signed for', now);
  return over.length;
}

export function idTaken(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('credits.idTaken'),
    hint: say('credits.newId'),
    field: 'requestId',
  });
}

/** Whether a request has neither been answered nor failed yet. */
export type Runs = (request: Pick<Reservation, 'role' | 'request_id'>) => boolean;

/** Milliseconds that a client has to sign for a whole answer; from then on, what it signed for while it streamed is what it pays. */
export const UNSIGNED_MS = 600_000;
/** Milliseconds from one look for stale reservations to the next. */
export const LOOK_EVERY_MS = 60_000;

/**
 * Ends, every minute, what was set aside longer ago than {@link UNSIGNED_MS} and does not run any more: nobody is going to sign
 * for it. (At a start everything is ended.) A receipt that comes later still is booked without a reservation.
 *
 * @returns how to stop it
 */
export function releaseStaleReservations(options: {
  writer: Writer;
  runs: Runs;
  now: () => number;
  log: Logger;
}): () => void {
  const { writer, runs, now, log } = options;
  const look = async () => {
    try {
      const released = await writer.run((trx) => releaseStale(trx, runs, now() - UNSIGNED_MS, now()));
      if (released > 0) log.info({ released }, 'gave back credits for answers that nobody signed for');
    } catch (error) {
      log.error({ err: error }, 'stale reservations could not be given back');
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref(); // a node that has nothing else to do may end
  return () => clearInterval(timer);
}
