import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HappenedRow, happened } from '../../../../src-main/credits/ledger/happened.ts';
import { historyCsv, listEntries } from '../../../../src-main/credits/ledger/history.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';
import type { CreditEntry } from '../../../../src-preload/contract/credits.ts';
import { formsIn, phrase } from '../../../../src-preload/contract/saying.ts';
import { GERMAN as german } from '../../../../src-preload/contract/sayings/german.ts';
import { testIdentity } from '../../../support/credit-nodes.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-happened-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const short = (number: number) => testIdentity(number).id.slice(0, 8);
const [client, debtor, bank, friend] = [2, 5, 6, 8].map(short);

/** The history of a database as it lies in the fixtures, oldest first. */
async function historyOf(name: string): Promise<{ entries: CreditEntry[]; csv: string }> {
  const stored = new URL(`../../../fixtures/databases/${name}.db.gz`, import.meta.url);
  const path = join(dir, 'quarry.db');
  await writeFile(path, gunzipSync(await readFile(stored)));
  const db = await openDatabase(path);
  const entries = await listEntries(db, { limit: 1_000 });
  const csv = (await Array.fromAsync(historyCsv(db, {}))).join('');
  await db.destroy();
  return { entries: entries.toReversed(), csv };
}

/** What is said, and what changed of what others owe; each once. */
const told = (entries: CreditEntry[]) => [...new Set(entries.map(({ happened, amount }) => `${happened} | ${amount}`))];

describe.each(['0506-claims', '0509-vouchers'])('the history of the stored database %s', (name) => {
  it('says of every entry what happened, whom it names and why', async () => {
    const { entries, csv } = await historyOf(name);
    expect(told(entries)).toEqual([
      `Served ${client} on trust | 2`,
      'First Light | 0',
      'Speed Demon | 0',
      `A request of ${client} failed here: the engine crashed | 0`,
      `Had an answer from ${short(7)} on trust | 0`,
      `Served ${debtor} on trust | 12`,
      `Had an answer from ${bank} on trust | 0`,
      `Had an answer from ${friend} on trust | 0`,
      `Vouched for ${friend} at ${debtor}, which now owes this node that much less | -2`,
      `Brought a voucher of ${debtor} to ${bank}: ${debtor} owes 2 less, ${bank} 2 more | 0`,
      `Corrected: ${debtor} says that it owes this node less | -1`,
      `Served ${client} a part of an answer: the request was cancelled | 1`,
      ...(PARTS_ASKED[name] ?? []),
    ]);
    expect(csv).toContain(`,"Vouched for ${friend} at ${debtor}`);
    expect(csv + JSON.stringify(entries)).not.toMatch(/\\?"sig|\\?"serial/);
  });
});

/** Where nothing but the prompt was pledged, an older Quarry paid for it. */
const PARTS_ASKED: Record<string, string[]> = {
  '0506-claims': [`Had a part of an answer from ${bank}: the worker went away | 0`],
};

it('the history of before the claims is told, too', async () => {
  const { entries } = await historyOf('0500-conversations');
  expect(told(entries)).toEqual([
    'Credits to begin with | 20',
    `Served ${client} | 10`,
    'First Light | 5',
    'Speed Demon | 20',
    'A request failed here: the engine crashed | 0',
    `Set aside for a request to ${short(7)} | -2`,
    `Had an answer from ${short(7)} | 0`,
  ]);
});

describe('an entry', () => {
  const [peer, id] = ['ab'.repeat(32), 'c'.repeat(32)];
  const [worker, asker] = [`beef${'0'.repeat(60)}`, `cafe${'0'.repeat(60)}`];
  const row: HappenedRow = {
    key: '',
    memo: '',
    amount: 0,
    worker,
    client: asker,
    voucher: null,
    moved: null,
    given: 0,
  };

  it.each<[Partial<HappenedRow>, string]>([
    [
      { key: `earn:${id}`, memo: 'pair-cap', given: 1 },
      'Served cafe0000 on trust; its points did not count: too many from one asker that day',
    ],
    [{ key: `earn:${id}`, memo: 'too-old' }, 'Served cafe0000; its points did not count: signed too late'],
    [{ key: `pay:${id}`, given: 1, amount: -1 }, 'Had an answer from beef0000'],
    [
      { key: `part:client:${peer}:${id}`, memo: 'never signed for' },
      'Had a part of an answer from abababab: it was never signed for',
    ],
    [
      { key: `part:client:${peer}:${id}`, memo: 'bill refused: it is malformed' },
      'Had a part of an answer from abababab: the bill was refused, it is malformed',
    ],
    [{ key: `part:client:${peer}:${id}`, memo: 'DISK_FULL' }, 'Had a part of an answer from abababab: DISK_FULL'],
    [
      { key: `unpledged:${peer}:${id}`, memo: 'WORKER_LOST' },
      'abababab had more of an answer than it signed for: the worker went away',
    ],
    [{ key: `voucher:${id}`, voucher: 'word' }, 'Gave beef0000 a good word for cafe0000'],
    [{ key: `taken:${peer}:${id}`, voucher: 'claim' }, 'Took the voucher of abababab for cafe0000'],
    [{ key: `taken:${peer}:${id}`, voucher: 'word' }, 'Took the good word of abababab for cafe0000'],
    [{ key: 'allowance:own:000000002', memo: 'daily refill' }, 'Daily refill of credits'],
    [{ key: `standing:${peer}:500` }, 'Credits of abababab, for points that others confirmed'],
    [{ key: `reserve:worker:${id}:000000001`, memo: peer }, 'Set aside for a request of abababab'],
    [{ key: 'release:32', memo: 'the node stopped' }, 'Came back when a request ended: the node was stopped'],
    [{ key: 'bonus:of-tomorrow', memo: 'Of Tomorrow' }, 'Of Tomorrow'],
    [{ key: 'of tomorrow', memo: '=1+1' }, '=1+1'],
    [{ key: 'release:32', memo: 'constructor' }, 'Came back when a request ended: constructor'],
  ])('%j says what happened', (given, sentence) => {
    expect(happened({ ...row, ...given }).happened).toBe(sentence);
  });

  it('is told in German by the screens, with the whole id behind the short one', () => {
    const { said } = happened({ ...row, key: `part:worker:${peer}:${id}`, memo: 'CANCELLED' });
    const saying = said?.happened ?? { key: '' };
    expect(saying.params).toMatchObject({ peer });
    expect(phrase(saying, german, formsIn('de'))).toBe(
      'abababab mit einem Teil einer Antwort bedient: die Anfrage wurde abgebrochen',
    );
    const bonus = happened({ ...row, key: 'bonus:night-owl', memo: 'Night Owl' });
    expect(phrase(bonus.said?.happened ?? { key: '' }, german, formsIn('de'))).toBe('Nachteule');
  });
});
