import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Db } from '../../store/database.ts';
import { appendEntry, balanceOf, keysUnder } from '../../store/ledger.ts';
import type { Trx } from '../../store/writer.ts';
import { tokensFor } from '../score/points.ts';
import { available, clientHolder, type Holder, ISSUE_ALLOWANCE, issueStanding } from './accounts.ts';

/** What a holder gets without having worked for it. */
export interface Allowance {
  /** Credits at first sight. */
  grant: number;
  /** Credits added once a day to a holder that has fewer than the grant. */
  refill: number;
}

/** Enough to try things out, never enough to live on (QMesh, §C6). */
export const DEFAULT_ALLOWANCE: Allowance = { grant: 20, refill: 10 };
/** Milliseconds from one refill to the next. */
export const REFILL_EVERY_MS = 86_400_000;

/** Books what a holder is due: the grant at first sight, or the refills of the days since the last one. */
export async function payAllowance(trx: Trx, holder: Holder, allowance: Allowance, now: number): Promise<void> {
  const past = await pastAllowances(trx, holder);
  if (past.lastAt === undefined) return await book(trx, holder, past.count, allowance.grant, now);
  const balance = await balanceOf(trx, available(holder));
  const days = Math.floor((now - past.lastAt) / REFILL_EVERY_MS);
  const refills = Math.min(days, refillsUntilFull(allowance, balance));
  if (refills > 0) await book(trx, holder, past.count, refills * allowance.refill, now);
}

/** Whether a holder has had its grant. */
export async function hasGrant(db: Db, holder: Holder): Promise<boolean> {
  return (await pastAllowances(db, holder)).count > 0;
}

/** Lets a client spend here what it has earned elsewhere, as far as the mesh confirms it. Never taken back. */
export async function creditStanding(trx: Trx, client: string, points: number, now: number): Promise<void> {
  const credited = -(await balanceOf(trx, issueStanding(client)));
  if (points <= credited) return;
  await appendEntry(trx, {
    at: now,
    kind: 'standing',
    key: `standing:${client}:${points}`,
    memo: `${points} points confirmed`,
    postings: { [available(clientHolder(client))]: points - credited, [issueStanding(client)]: credited - points },
  });
}

/** NO_CREDIT, with the time until the holder's refills reach `cost`; without it when they never will. */
export async function noCredit(
  db: Db,
  holder: Holder,
  allowance: Allowance,
  cost: number,
  now: number,
): Promise<QuarryError> {
  const balance = await balanceOf(db, available(holder));
  const refills = Math.ceil((cost - balance) / allowance.refill);
  if (refills > refillsUntilFull(allowance, balance)) {
    const most = tokensFor(Math.max(balance, allowance.grant));
    return new QuarryError({
      code: 'NO_CREDIT',
      message: say('credits.short', { cost, balance }),
      hint: say('credits.askLess', { most }),
      retryable: false,
    });
  }
  const { lastAt = now } = await pastAllowances(db, holder);
  return new QuarryError({
    code: 'NO_CREDIT',
    message: say('credits.short', { cost, balance }),
    hint: say('credits.refill', { refill: allowance.refill }),
    retryable: true,
    retryAfterMs: Math.max(0, lastAt + refills * REFILL_EVERY_MS - now),
  });
}

/** None with a refill of 0: then nothing is ever added. */
function refillsUntilFull({ grant, refill }: Allowance, balance: number): number {
  return refill > 0 ? Math.max(0, Math.ceil((grant - balance) / refill)) : 0;
}

const keyPrefix = (holder: Holder) => `allowance:${holder}:`;

async function pastAllowances(db: Db, holder: Holder) {
  return await keysUnder(db, keyPrefix(holder));
}

async function book(trx: Trx, holder: Holder, past: number, amount: number, now: number): Promise<void> {
  await appendEntry(trx, {
    at: now,
    kind: 'allowance',
    key: keyPrefix(holder) + String(past + 1).padStart(9, '0'),
    memo: past === 0 ? 'welcome' : 'daily refill',
    postings: { [available(holder)]: amount, [ISSUE_ALLOWANCE]: -amount },
  });
}
