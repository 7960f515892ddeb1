import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectEvidence } from '../../../../src-main/credits/books/evidence.ts';
import { toRow } from '../../../../src-main/credits/books/receipt-row.ts';
import type { ReceiptBody } from '../../../../src-main/credits/receipt.ts';
import { ACHIEVEMENTS, type Achievement, FAST_MS } from '../../../../src-main/credits/score/achievements.ts';
import { ScoreReplay, type ScoreState } from '../../../../src-main/credits/score/score.ts';
import { appendEntry } from '../../../../src-main/store/credits/ledger.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { NOON, nextRequestId, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const MINUTE = 60_000;
const worker = testIdentity(1);
const receipt = signedReceipt(worker, testIdentity(2));

/** A receipt of a ledger: when it was served, by minutes after the one before; how fast; by which model; for whom. */
const event = fc.record({
  minutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }) },
    { weight: 1, arbitrary: fc.integer({ min: -90, max: 90 }) },
    { weight: 1, arbitrary: fc.integer({ min: -12_000, max: -9_000 }) }, // about a week: some of these are too late
  ),
  processingMs: fc.integer({ min: 1_500, max: 4_000 }),
  model: fc.constantFrom('a', 'b', 'c'),
  client: fc.integer({ min: 3, max: 4 }),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** As it was found before: by reading the ledger from its end. */
async function byReadingAll(db: Db, { evidence: { of, limit } }: Achievement, state: ScoreState): Promise<string[]> {
  const found: ReceiptBody[] = [];
  const ids: string[] = [];
  const rows = await db
    .selectFrom('ledger_entries')
    .innerJoin('receipts', 'receipts.id', 'ledger_entries.receipt_id')
    .select(['receipts.id', 'receipts.body'])
    .where('kind', '=', 'earn')
    .where('counted', '>', 0)
    .orderBy('seq', 'desc')
    .execute();
  const matches = {
    newest: () => true,
    fast: ({ processingMs }: ReceiptBody) => processingMs < FAST_MS,
    run: ({ servedAt }: ReceiptBody) => servedAt >= state.runStart && servedAt <= state.runLast,
    models: ({ model }: ReceiptBody) => !found.some((other) => other.model === model),
  }[of];
  for (const { id, body } of rows) {
    const read = JSON.parse(body) as ReceiptBody;
    if (!matches(read)) continue;
    found.push(read);
    ids.push(id);
    if (ids.length === limit) break;
  }
  return ids;
}

async function book(db: Db, replay: ScoreReplay, { processingMs, model, client }: Event, at: number): Promise<void> {
  const body = { ...receipt.body, client: testIdentity(client).id, processingMs, model, servedAt: at };
  body.requestId = nextRequestId();
  const { counted, reason = null } = replay.receipt(body);
  const row = toRow({ ...receipt, body }, 'worker', { counted, reason, charged: 0 });
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('receipts').values(row).execute();
    await appendEntry(trx, { at, kind: 'earn', key: `earn:${row.id}`, receiptId: row.id, postings: {} });
  });
}

it('on any ledger, achievements are shown by the very receipts that reading all of it gives', async () => {
  const ledger = fc.array(event, { minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(ledger, async (events) => {
      const db = await memoryDatabase();
      const replay = new ScoreReplay();
      let at = NOON;
      for (const [place, one] of events.entries()) {
        at = Math.max(at + one.minutes * MINUTE, NOON - 9 * 1_440 * MINUTE);
        await book(db, replay, one, at);
        if (place % 10 !== 9 && place < events.length - 1) continue;
        for (const achievement of ACHIEVEMENTS) {
          const few = {
            ...achievement,
            evidence: { ...achievement.evidence, limit: Math.min(15, achievement.evidence.limit) },
          };
          for (const which of [achievement, few]) {
            expect(await collectEvidence(db, which, replay.state)).toEqual(await byReadingAll(db, which, replay.state));
          }
        }
      }
      await db.destroy();
    }),
    { numRuns: 40 },
  );
});
