import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConsentLog, type Leaving } from '../../../../src-main/focus/consent/consent-log.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { FocusSentStore } from '../../../../src-main/store/focus-tasks.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const LEAVING: Leaving = { recording: 'one', what: 'stills', to: 'https://judge.example/v1', bytes: 90_000 };
const { signal } = new AbortController();

let db: Db;
let log: ConsentLog;
beforeEach(async () => {
  db = await memoryDatabase();
  log = new ConsentLog(new FocusSentStore(db), () => 5);
});
afterEach(() => db.destroy());

it('has every line, the newest first, of one recording or of all', async () => {
  await log.note(LEAVING, signal);
  await log.note({ ...LEAVING, recording: 'two', what: 'video', by: 'setting' }, signal);
  expect(await log.list({ limit: 10 })).toEqual([
    { ...LEAVING, recording: 'two', what: 'video', by: 'setting', at: 5 },
    { ...LEAVING, by: 'click', at: 5 },
  ]);
  expect(await log.list({ recording: 'one', limit: 10 })).toHaveLength(1);
});

it('takes no line of a sending that is over already: then nothing goes', async () => {
  const over = AbortSignal.abort(new Error('over'));
  await expect(log.note(LEAVING, over)).rejects.toThrow('over');
  expect(await log.list({ limit: 10 })).toEqual([]);
});

it('keeps an address from steering a terminal, and takes no nonsense', async () => {
  await log.note({ ...LEAVING, to: `https://x\u001b[2J${'y'.repeat(900)}` }, signal);
  const [line] = await log.list({ limit: 1 });
  expect(line?.to).toMatch(/^https:\/\/x \[2Jy+$/);
  expect(line?.to).toHaveLength(500);
  await expect(log.note({ ...LEAVING, bytes: Number.NaN }, signal)).rejects.toThrow();
});

it('cannot be changed, nor can a line be taken away', async () => {
  await log.note(LEAVING, signal);
  await expect(db.updateTable('focus_sent').set({ bytes: 1 }).execute()).rejects.toThrow(/stays written down/);
  await expect(db.deleteFrom('focus_sent').execute()).rejects.toThrow(/stays written down/);
});
