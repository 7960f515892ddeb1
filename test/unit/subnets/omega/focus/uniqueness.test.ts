import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../../../../src-main/store/focus/focus-recordings.ts';
import { FocusVectorStore } from '../../../../../src-main/store/focus/focus-vectors.ts';
import { placeText, type TextSpace } from '../../../../../src-main/subnets/omega/focus/uniqueness.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';

const SIGNAL = new AbortController().signal;
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

let db: Db;
let store: FocusVectorStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new FocusVectorStore(db);
  const about = { title: 'Work', description: '', surface: 'tab', width: 64, height: 64 } as const;
  const sound = { microphone: false, system: false };
  for (const number of [1, 2, 3])
    await new FocusRecordingStore(db).begin(
      idOf(number),
      { ...about, sound },
      { startedAt: number, signer: '0'.repeat(64) },
    );
});
afterEach(() => db.destroy());

/** Each text is as many steps around a circle as it has characters. */
const space = (id: string): TextSpace => ({
  id,
  embed: async (text) => Float32Array.of(Math.cos(text.length), Math.sin(text.length)),
});
const SPACE = space('model@hash#omega-text-1');

const place = (recording: number, text: string, where = SPACE) =>
  placeText(store, where, { recording: idOf(recording), kind: 'task', text }, SIGNAL);
const keep = async (recording: number, text: string, where = SPACE) => {
  const { vector } = await place(recording, text, where);
  await store.keep({ recording: idOf(recording), kind: 'task', space: where.id }, vector);
};

const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

describe('how new a text is', () => {
  it('is 1 where there is none to compare, also not with its own from before', async () => {
    expect((await place(1, 'a')).uniqueness).toBe(1);
    await keep(1, 'a');
    expect((await place(1, 'a')).uniqueness).toBe(1);
  });

  it('is 1 less how near the nearest comes, and never below 0 or above 1', async () => {
    await keep(1, 'a');
    await keep(2, 'abc');
    expect((await place(3, 'ab')).uniqueness).toBeCloseTo(1 - Math.cos(1), 6);
    expect((await place(3, 'a')).uniqueness).toBeCloseTo(0, 6);
    expect((await place(3, 'abcde')).uniqueness).toBe(1);
  });

  it('compares nothing of another space or kind', async () => {
    await keep(1, 'a', space('other@hash#omega-text-1'));
    await store.keep({ recording: idOf(2), kind: 'description', space: SPACE.id }, (await place(2, 'a')).vector);
    expect((await place(3, 'a')).uniqueness).toBe(1);
  });

  it('goes by how a text reads, not by how it is spaced', async () => {
    await keep(1, 'ab cd');
    expect((await place(2, '  ab \n\n cd ')).uniqueness).toBeCloseTo(0, 6);
  });

  it('forgets what was deleted, and takes the newest of a recording', async () => {
    await keep(1, 'a');
    await keep(1, 'abcd');
    expect((await place(2, 'a')).uniqueness).toBeGreaterThan(0.9);
    await new FocusRecordingStore(db).remove(idOf(1));
    expect((await place(2, 'abcd')).uniqueness).toBe(1);
  });

  it('holds nobody up with many thousands to compare', async () => {
    const vector = Float32Array.from({ length: 768 }, (_, at) => Math.sin(at) / 20);
    const recordings = new FocusRecordingStore(db);
    const about = { title: 'Work', description: '', surface: 'tab', width: 64, height: 64 } as const;
    for (let number = 10; number < 3_010; number++) {
      await recordings.begin(
        idOf(number),
        { ...about, sound: { microphone: false, system: false } },
        { startedAt: number, signer: '0'.repeat(64) },
      );
      await store.keep({ recording: idOf(number), kind: 'task', space: SPACE.id }, vector);
    }
    // What this thread works between two pages: others take none of that, however busy the computer is.
    const worked: number[] = [];
    let before: NodeJS.CpuUsage | undefined;
    const page: typeof store.page = async (...asked) => {
      if (before) worked.push(msOf(process.threadCpuUsage(before)));
      before = process.threadCpuUsage();
      return await store.page(...asked);
    };
    await placeText(
      { page },
      { id: SPACE.id, embed: async () => vector },
      { recording: idOf(1), kind: 'task', text: 'a' },
      SIGNAL,
    );
    expect(worked.length).toBeGreaterThan(25);
    expect(worked.sort((a, b) => a - b)[Math.floor(0.9 * worked.length)]).toBeLessThan(20);
  });

  it('ends when it is called off', async () => {
    await keep(1, 'a');
    const off = new AbortController();
    off.abort(new Error('called off'));
    await expect(placeText(store, SPACE, { recording: idOf(2), kind: 'task', text: 'a' }, off.signal)).rejects.toThrow(
      'called off',
    );
  });
});
