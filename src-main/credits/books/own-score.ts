import { appendEntry, balanceOf, nextKey } from '../../store/credits/ledger.ts';
import { countPair } from '../../store/credits/receipts.ts';
import type { Db } from '../../store/database.ts';
import type { Trx } from '../../store/writer.ts';
import type { ReceiptBody } from '../receipt.ts';
import type { Achievement } from '../score/achievements.ts';
import { FAILURE_PENALTY } from '../score/points.ts';
import {
  dayOf,
  NO_SCORE,
  type ScoreState,
  type ScoreStep,
  scoreFailure,
  scoreReceipt,
  scoreStateSchema,
} from '../score/score.ts';
import { SCORE_EARNED } from './accounts.ts';
import { bonusKey, penaltyKeys, recoveredPenaltyKey } from './entry-keys.ts';
import { collectEvidence } from './evidence.ts';
import { RECOVERED } from './memos.ts';
import { scorePostings } from './postings.ts';

/** This node's own score as booked so far. */
export async function loadScore(db: Db): Promise<ScoreState> {
  const row = await db.selectFrom('own_score').select('state').executeTakeFirst();
  return row ? scoreStateSchema.parse(JSON.parse(row.state)) : NO_SCORE;
}

/** Keeps this node's own score in place of the one before. */
export async function saveScore(trx: Trx, state: ScoreState): Promise<void> {
  const text = JSON.stringify(state);
  await trx
    .insertInto('own_score')
    .values({ id: 1, state: text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: text }))
    .execute();
}

/** What the next receipt of this node does to its score. */
export async function scoreNext(db: Db, body: ReceiptBody): Promise<ScoreStep> {
  const pairCount = await countPair(db, body.worker, body.client, dayOf(body.servedAt));
  return scoreReceipt(await loadScore(db), body, pairCount);
}

/** Takes a point for a failure, as an entry of its own that names the request. A total of 0 stays as it is. */
export async function penalise(
  trx: Trx,
  { peer, requestId }: { peer: string; requestId: string },
  reason: string,
  now: number,
): Promise<void> {
  // A request that failed may be asked again under its id, and fail again.
  const key = await nextKey(trx, penaltyKeys(peer, requestId));
  await takePoint(trx, { key, requestId, memo: reason.slice(0, 200), at: now });
}

/** Books a failure that the ledger does not know and the score log does, as it was. @param failure.place in the log */
export async function penaliseAgain(
  trx: Trx,
  { place, requestId, at }: { place: number; requestId: string; at: number },
): Promise<void> {
  await takePoint(trx, { key: recoveredPenaltyKey(place), requestId, memo: RECOVERED, at });
}

async function takePoint(trx: Trx, entry: { key: string; requestId: string; memo: string; at: number }): Promise<void> {
  if ((await balanceOf(trx, SCORE_EARNED)) === 0) return;
  await appendEntry(trx, { ...entry, kind: 'penalty', postings: scorePostings(-FAILURE_PENALTY) });
  await saveScore(trx, scoreFailure(await loadScore(trx)));
}

/**
 * Books an achievement once: its bonus in points, and the receipts that prove it.
 *
 * @param state the score with which it was earned
 * @throws when it was booked before
 */
export async function bookAchievement(trx: Trx, earned: Achievement, state: ScoreState, now: number): Promise<void> {
  const { id, title, bonus } = earned;
  const entry = await appendEntry(trx, {
    at: now,
    kind: 'bonus',
    key: bonusKey(id),
    memo: title,
    postings: scorePostings(bonus),
  });
  const evidence = JSON.stringify(await collectEvidence(trx, earned, state));
  await trx.insertInto('achievements').values({ id, at: now, bonus, entry, evidence }).execute();
}
