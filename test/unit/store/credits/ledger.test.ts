import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendEntry, balanceOf, type NewEntry, nextKey } from '../../../../src-main/store/credits/ledger.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
beforeEach(async () => {
  db = await memoryDatabase();
});
afterEach(() => db.destroy());

const append = (entry: Partial<NewEntry> & Pick<NewEntry, 'key' | 'postings'>) =>
  db.transaction().execute((trx) => appendEntry(trx, { at: 1, kind: 'allowance', ...entry }));

const grant = (key: string, amount = 20) =>
  append({ key, postings: { 'own:available': amount, 'issue:allowance': -amount } });

describe('the ledger', () => {
  it('keeps a balance for every account', async () => {
    await grant('a');
    await grant('b', 5);
    await append({ key: 'c', kind: 'reserve', postings: { 'own:available': -3, 'own:reserved': 3 } });
    expect(await balanceOf(db, 'own:available')).toBe(22);
    expect(await balanceOf(db, 'own:reserved')).toBe(3);
    expect(await balanceOf(db, 'never heard of')).toBe(0);
  });

  it('numbers entries without a gap and chains their hashes', async () => {
    await grant('a');
    await grant('b');
    const rows = await db.selectFrom('ledger_entries').selectAll().orderBy('seq').execute();
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(rows[1]?.prev).toBe(rows[0]?.hash);
    expect(rows[0]?.prev).toBe('0'.repeat(64));
  });

  it('gives a key that goes on after the last one under its prefix', async () => {
    for (const key of ['x:000000001', 'x:000000010', 'x:000000002', 'y:000000030']) {
      await append({ key, at: 10, postings: { 'own:available': 1, 'issue:allowance': -1 } });
    }
    expect(await nextKey(db, 'x:')).toBe('x:000000011');
    expect(await nextKey(db, 'z:')).toBe('z:000000001');
  });
});

describe('the database itself refuses', () => {
  it('an entry that does not balance', async () => {
    await expect(append({ key: 'a', postings: { 'own:available': 20, 'issue:allowance': -19 } })).rejects.toThrow(
      'does not balance',
    );
    expect(await balanceOf(db, 'own:available')).toBe(0);
  });

  it('an entry that pays credits with score', async () => {
    await expect(append({ key: 'a', postings: { 'own:available': 5, 'score:issued': -5 } })).rejects.toThrow(
      'does not balance',
    );
  });

  it('a key that was used before', async () => {
    await grant('a');
    await expect(grant('a')).rejects.toThrow('UNIQUE');
    expect(await balanceOf(db, 'own:available')).toBe(20);
  });

  it('an overdraft', async () => {
    await grant('a');
    const overdraft = append({ key: 'b', kind: 'reserve', postings: { 'own:available': -21, 'own:reserved': 21 } });
    await expect(overdraft).rejects.toThrow('no_overdraft');
    expect(await balanceOf(db, 'own:available')).toBe(20);
  });

  it.each([
    ['changing an entry', sql`UPDATE ledger_entries SET at = 2`],
    ['removing an entry', sql`DELETE FROM ledger_entries`],
    ['changing a posting', sql`UPDATE postings SET amount = amount * 2`],
    ['removing a posting', sql`DELETE FROM postings`],
    ['adding to an entry', sql`INSERT INTO postings VALUES (1, 'own:spent', 1)`],
    ['postings without an entry', sql`INSERT INTO postings VALUES (2, 'own:spent', 1)`],
    [
      'a gap in the numbers',
      sql`INSERT INTO ledger_entries SELECT 3, at, kind, 'other', NULL, NULL, NULL, '', hash, hash FROM ledger_entries`,
    ],
    [
      'an entry that does not carry on the chain',
      sql`INSERT INTO ledger_entries SELECT 2, at, kind, 'other', NULL, NULL, NULL, '', prev, hash FROM ledger_entries`,
    ],
  ])('%s', async (_, statement) => {
    await grant('a');
    await expect(statement.execute(db)).rejects.toThrow();
    expect(await balanceOf(db, 'own:available')).toBe(20);
  });
});
