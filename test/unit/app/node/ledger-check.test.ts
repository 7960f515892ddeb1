import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { LedgerCheck, type LedgerCheckOptions } from '../../../../src-main/app/node/ledger-check.ts';
import { databaseDamaged } from '../../../../src-main/base/sqlite-error.ts';
import { checkLedger } from '../../../../src-main/hardware/doctor/ledger.ts';
import { say, sentence } from '../../../../src-preload/contract/saying.ts';
import { until } from '../../../support/until.ts';

const SOUND = { ok: true, entries: 5, receipts: 2, openReservations: 0, problems: [] };
const problem = say('ledger.entryMissing', { seq: '3' });
const DAMAGED = { ...SOUND, ok: false, problems: [sentence(problem), 'another'], said: { 0: problem } };

async function look(over: Partial<LedgerCheckOptions>): Promise<{ check: LedgerCheck; onSound: () => void }> {
  const onSound = vi.fn();
  const check = new LedgerCheck({
    unclean: true,
    checkFile: async () => {},
    prove: async () => SOUND,
    onSound,
    log: pino({ level: 'silent' }),
    ...over,
  });
  check.open();
  await until(() => expect(check.current().state).not.toMatch(/waiting|running/));
  await check.close();
  return { check, onSound };
}

it('a sound ledger is said to be sound, and what was left behind is settled', async () => {
  const { check, onSound } = await look({});
  expect(check.current()).toMatchObject({ state: 'sound', read: 5, entries: 5, problems: [] });
  expect(onSound).toHaveBeenCalledOnce();
  expect(checkLedger(check.current())).toMatchObject({ status: 'ok', found: expect.stringContaining('5 entries') });
});

it('damage is told with its first words, and nothing is settled', async () => {
  const { check, onSound } = await look({ prove: async () => DAMAGED });
  expect(check.current()).toMatchObject({ state: 'damaged', problems: ['entry 3 is missing', 'another'] });
  expect(onSound).not.toHaveBeenCalled();
  expect(checkLedger(check.current())).toMatchObject({
    status: 'fail',
    found: 'The ledger is damaged: entry 3 is missing (and 1 more problem).',
    said: { found: { params: { problem } } },
  });
});

it('a damaged file is told before the ledger is read', async () => {
  const prove = vi.fn(async () => SOUND);
  const checkFile = async () => {
    throw databaseDamaged('quarry.db', 'broken page 7');
  };
  const { check, onSound } = await look({ checkFile, prove });
  expect(check.current()).toMatchObject({ state: 'damaged', problems: [expect.stringContaining('broken page 7')] });
  expect([prove, onSound].map((mock) => vi.mocked(mock).mock.calls.length)).toEqual([0, 0]);
});

it('a look that could not be taken is no damage', async () => {
  const { check } = await look({ prove: () => Promise.reject(new Error('no memory')) });
  expect(check.current()).toMatchObject({ state: 'failed', problems: ['no memory'] });
  expect(checkLedger(check.current()).status).toBe('warn');
});

it('a node that ended well waits with it; one that did not says what it is at', async () => {
  const begun = Promise.withResolvers<void>();
  const prove: LedgerCheckOptions['prove'] = async (signal, onRead) => {
    onRead(2, 9);
    begun.resolve();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return SOUND;
  };
  const options = { checkFile: async () => {}, prove, onSound: vi.fn(), log: pino({ level: 'silent' }) };
  const late = new LedgerCheck({ ...options, unclean: false });
  late.open();
  const atOnce = new LedgerCheck({ ...options, unclean: true });
  atOnce.open();
  await begun.promise;
  expect([late.current().state, atOnce.current()]).toMatchObject([
    'waiting',
    { state: 'running', read: 2, entries: 9 },
  ]);
  expect(checkLedger(atOnce.current())).toMatchObject({ status: 'warn', found: expect.stringContaining('2 of 9') });
  await Promise.all([late.close(), atOnce.close()]); // and nothing goes on
  expect(checkLedger(null).status).toBe('skip');
});
