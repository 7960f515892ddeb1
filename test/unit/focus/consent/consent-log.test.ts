import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConsentLog, type Leaving, staysHere } from '../../../../src-main/focus/consent/consent-log.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { FocusSentStore } from '../../../../src-main/store/focus/focus-tasks.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const LEAVING: Leaving = { recording: 'one', what: 'stills', to: 'judge.example:8443', bytes: 90_000 };
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
  await log.note({ ...LEAVING, to: `x\u001b[2J${'y'.repeat(900)}` }, signal);
  const [line] = await log.list({ limit: 1 });
  expect(line?.to).toMatch(/^x \[2Jy+$/);
  expect(line?.to).toHaveLength(500);
  await expect(log.note({ ...LEAVING, bytes: Number.NaN }, signal)).rejects.toThrow();
});

it('cannot be changed, nor can a line be taken away', async () => {
  await log.note(LEAVING, signal);
  await expect(db.updateTable('focus_sent').set({ bytes: 1 }).execute()).rejects.toThrow(/stays written down/);
  await expect(db.deleteFrom('focus_sent').execute()).rejects.toThrow(/stays written down/);
});

it.each([
  ['127.0.0.1:8000', true],
  ['localhost', true],
  ['[::1]:443', true],
  ['judge.example', false],
  ['127.0.0.1.judge.example:80', false],
  ['192.168.1.9:8000', false],
  ['no host at all', false],
])('what goes to %s stays on this computer: %s, and what stays is no line', async (to, stays) => {
  expect(staysHere(to)).toBe(stays);
  await log.note({ ...LEAVING, to }, signal);
  await log.note({ ...LEAVING, to, what: 'video' }, signal);
  expect(await log.list({ limit: 10 })).toHaveLength(stays ? 0 : 2);
});
