import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { LongFileStore } from '../../src-main/store/conversations/long-files.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { startChild } from '../support/killed-child.ts';
import { longFilesIn } from '../support/long-files.ts';
import { ROUNDS } from '../support/rounds.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('../support/long-files-child.ts', import.meta.url));
const DROPPING = fileURLToPath(new URL('../support/long-files-drop-child.ts', import.meta.url));
const ID = '00000000-0000-4000-8000-000000000000';
const PASSAGES = 400;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-long-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a child read until it has shown so many passages as read, and a little longer. @returns the most that it showed */
async function readUntilKilled(path: string, atPassage: number, afterMs: number): Promise<number> {
  const child = startChild(CHILD, [path, ID]);
  let read = 0;
  let killing = false;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    read = Math.max(read, JSON.parse(line).done ?? 0);
    if (!killing && read >= atPassage) setTimeout(() => child.kill('SIGKILL'), afterMs);
    killing ||= read >= atPassage;
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return read;
}

it('a process killed while it reads a long file loses no passage that it showed as read, and goes on from there', async () => {
  const path = join(dir, 'quarry.db');
  let before = 0;
  for (let kill = 1; kill <= 2 * ROUNDS; kill++) {
    const read = await readUntilKilled(path, before + 32, kill * 7);
    expect(read).toBeGreaterThanOrEqual(Math.min(PASSAGES, before + 32));
    const db = await openDatabase(path);
    const store = new LongFileStore(db);
    const [file] = await store.of(ID);
    const vectors = await store.vectors(file?.id ?? 0, 'lengths', { after: 0, limit: PASSAGES });
    const texts = new Map((await store.passages(vectors.map(({ id }) => id))).map(({ id, text }) => [id, text]));
    expect(await store.counted(file?.id ?? 0, 'lengths')).toEqual({ total: PASSAGES, done: vectors.length });
    expect(vectors.length).toBeGreaterThanOrEqual(read);
    expect(vectors.filter(({ id, vector }) => vector[1] !== texts.get(id)?.length)).toEqual([]);
    before = vectors.length;
    await db.destroy();
    if (before === PASSAGES) break;
  }
  expect(before).toBeGreaterThan(0);
});

/** Lets a child delete until it has said so many times how much is left. @returns what it said last */
async function dropUntilKilled(path: string, reports: number): Promise<number> {
  const child = startChild(DROPPING, [path, ID]);
  let left = Number.NaN;
  let heard = 0;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    left = JSON.parse(line).left;
    if (++heard === reports) child.kill('SIGKILL');
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return left;
}

it('a process killed while it deletes a long file leaves nothing of it to read, once it has gone on, and loses nothing else', async () => {
  const path = join(dir, 'deleted.db');
  const kept = '11111111-1111-4111-8111-111111111111';
  const before = await openDatabase(path);
  const options = { target: 'local' } as const;
  await new ConversationStore(before).insert({ id: kept, title: '', createdAt: 1, updatedAt: 1, options });
  const other = await longFilesIn(before).add(kept, { name: 'kept.txt', text: 'What stays. '.repeat(1_000) });
  await new LongFileStore(before).addPassages(other, [{ page: null, text: 'What stays.' }], false);
  await before.destroy();
  const left: number[] = [];
  for (let kill = 1; kill <= 2 * ROUNDS; kill++) left.push(await dropUntilKilled(path, kill));
  expect(Math.max(...left)).toBeGreaterThan(0); // or they were too late

  const db = await openDatabase(path);
  const files = longFilesIn(db);
  files.dropGone();
  const texts = async () => (await db.selectFrom('passages').select('text').execute()).map(({ text }) => text);
  await until(async () => expect(await texts()).toEqual(['What stays.']));
  for (const file of [path, `${path}-wal`]) {
    await until(async () => expect((await readFile(file)).includes('quetzalcoatl')).toBe(false));
  }
  expect(await new LongFileStore(db).text(other)).toBe('What stays. '.repeat(1_000));
  await files.close();
  await db.destroy();
});
