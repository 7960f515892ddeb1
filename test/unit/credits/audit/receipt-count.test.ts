import { expect, it } from 'vitest';
import { Pace } from '../../../../src-main/base/pace.ts';
import { countReceipts, lastReceipt } from '../../../../src-main/credits/audit/receipt-count.ts';
import { toRow } from '../../../../src-main/credits/books/receipt-row.ts';
import { signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

it('every receipt is counted once, in one go or in shares, whatever its id looks like', async () => {
  const db = await memoryDatabase();
  const row = toRow(signedReceipt(testIdentity(1), testIdentity(2)), 'worker', {
    counted: 0,
    reason: null,
    charged: 0,
  });
  const ids = ['', '0', '000', '0010', '7fff', 'ffe', 'fff', 'ffff', 'x', 'ü', row.id];
  for (const id of ids)
    await db
      .insertInto('receipts')
      .values({ ...row, id, request_id: `request ${id}` })
      .execute();
  expect(await lastReceipt(db)).toBe(ids.length);
  expect(await countReceipts(db, ids.length, new Pace())).toBe(ids.length);
  expect(await countReceipts(db, ids.length - 1, new Pace())).toBe(ids.length - 1);
  expect(await countReceipts(db, 1_000_000, new Pace())).toBe(ids.length);
  await db.destroy();
});
