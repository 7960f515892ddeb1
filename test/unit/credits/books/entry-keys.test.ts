import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  bonusKey,
  broughtKeys,
  correctedKeys,
  earnKey,
  KIND_OF,
  parseKey,
  partKey,
  payKey,
  penaltyKeys,
  releaseKey,
  takenKey,
  unpledgedKey,
  voucherKey,
} from '../../../../src-main/credits/books/entry-keys.ts';

const [peer, id, serial] = ['a'.repeat(64), 'b'.repeat(32), 'c'.repeat(32)];
const NEXT = '000000007';

describe('keys of entries', () => {
  it.each([
    [earnKey(peer), { what: 'earn', receipt: peer }],
    [payKey(peer), { what: 'pay', receipt: peer }],
    [partKey('worker', peer, id), { what: 'part', side: 'worker', peer, requestId: id }],
    [partKey('client', peer, id), { what: 'part', side: 'client', peer, requestId: id }],
    [unpledgedKey(peer, id), { what: 'unpledged', client: peer, requestId: id }],
    [voucherKey({ serial }), { what: 'voucher', serial }],
    [takenKey({ by: peer, serial }), { what: 'taken', by: peer, serial }],
    [broughtKeys(peer) + NEXT, { what: 'brought', by: peer }],
    [correctedKeys(peer) + NEXT, { what: 'corrected', peer }],
    [bonusKey('first-light'), { what: 'bonus', achievement: 'first-light' }],
    [penaltyKeys(peer, id) + NEXT, { what: 'penalty', client: peer, requestId: id }],
    ['penalty:32', { what: 'penalty', client: undefined, requestId: undefined }],
    [releaseKey(3), { what: 'release' }],
    [`allowance:own:${NEXT}`, { what: 'allowance', holder: 'own' }],
    [`allowance:client:${peer}:${NEXT}`, { what: 'allowance', holder: `client:${peer}` }],
    [`standing:${peer}:500`, { what: 'standing', client: peer }],
    [`reserve:client:${id}:${NEXT}`, { what: 'reserve', side: 'client', requestId: id }],
  ])('%s says what it was made of', (key, said) => {
    expect(parseKey(key)).toEqual(said);
  });

  it.each([
    '',
    'gift',
    'gift:1',
    'earn:',
    'part:both:a:b',
    'part:worker:a',
    'taken:a:b:c',
    'allowance:me:1',
    'toString:1',
  ])('«%s» says nothing', (key) => {
    expect(parseKey(key)).toBeUndefined();
  });

  it.each(['0500-conversations', '0506-claims'])(
    'all of the stored database %s are known, each under its kind',
    async (name) => {
      const file = await readFile(new URL(`../../../fixtures/databases/${name}.db.gz`, import.meta.url));
      const sqlite = new SQLite(gunzipSync(file));
      const entries = sqlite.prepare('SELECT key, kind FROM ledger_entries').all() as { key: string; kind: string }[];
      sqlite.close();
      expect(entries.length).toBeGreaterThan(20);
      for (const { key, kind } of entries) expect(KIND_OF[parseKey(key)?.what ?? 'earn'], key).toBe(kind);
    },
  );
});
