import { sql } from 'kysely';
import type { Db } from '../../store/database.ts';
import { type Achievement, FAST_MS } from '../score/achievements.ts';
import type { ScoreState } from '../score/score.ts';

/**
 * Ids of the receipts that brought an achievement, newest first. Each kind of evidence is found by index: however much was served, no
 * more is read than is shown (of a run of serving, no more than was booked since it began).
 */
export async function collectEvidence(db: Db, { evidence }: Achievement, state: ScoreState): Promise<string[]> {
  const entries = await entriesOf(db, evidence, state);
  if (entries.length === 0) return [];
  const rows = await db
    .selectFrom('ledger_entries')
    .select('receipt_id')
    .where('seq', 'in', sql<number>`(SELECT value FROM json_each(${JSON.stringify(entries)}))`)
    .orderBy('seq', 'desc')
    .execute();
  return rows.flatMap(({ receipt_id }) => receipt_id ?? []);
}

async function entriesOf(db: Db, { of, limit }: Achievement['evidence'], state: ScoreState): Promise<number[]> {
  const newest = db.selectFrom('counted_receipts').select('seq').orderBy('seq', 'desc');
  if (of === 'models') {
    const last = (model: string) => newest.where('model', '=', model).limit(1).execute();
    return numbers((await Promise.all(state.models.slice(0, limit).map(last))).flat());
  }
  if (of === 'fast') return await newestFast(db, limit);
  if (of === 'newest') return numbers(await newest.limit(limit).execute());
  // Whatever was booked before a run began was served before it.
  const began = await db
    .selectFrom('counted_receipts')
    .select(({ fn }) => fn.min('seq').as('seq'))
    .where('served_at', '=', state.runStart)
    .executeTakeFirstOrThrow();
  const ofRun = newest.where('seq', '>=', began.seq ?? 0).where(sql<number>`+served_at`, '>=', state.runStart);
  return numbers(await ofRun.limit(limit).execute());
}

/** The limit stands in the text as it stands in the index: else SQLite would not take it. */
async function newestFast(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    SELECT seq FROM counted_receipts INDEXED BY counted_receipts_fast
    WHERE processing_ms < ${sql.lit(FAST_MS)} ORDER BY seq DESC LIMIT ${limit}`.execute(db);
  return numbers(rows);
}

const numbers = (rows: { seq: number }[]) => rows.map(({ seq }) => seq);
