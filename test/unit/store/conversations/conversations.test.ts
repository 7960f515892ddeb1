import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerTurn,
  ConversationStore,
  type NewTurn,
  type StoredTurn,
} from '../../../../src-main/store/conversations/conversations.ts';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import type { Conversation } from '../../../../src-preload/contract/conversations.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let store: ConversationStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ConversationStore(db);
});
afterEach(() => db.destroy());

const conversation = (number: number, changes: Partial<Conversation> = {}): Conversation => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  title: `Number ${number}`,
  createdAt: number,
  updatedAt: number,
  options: { target: 'mesh', model: 'm', temperature: 0.5 },
  ...changes,
});

const question: NewTurn = { role: 'user', text: 'Why?', at: 5, answer: null };
const answer: NewTurn = {
  role: 'assistant',
  text: 'Because.',
  at: 6,
  answer: {
    state: 'answering',
    target: 'mesh',
    model: 'm',
    worker: 'f'.repeat(64),
    tokens: 2,
    firstTokenMs: 1.5,
    totalMs: 9,
    tokensPerSecond: 20.25,
    paid: [{ worker: 'f'.repeat(64), credits: 2, from: 'vouchers' }],
    error: { code: 'DEADLINE', message: 'Too late.' },
  },
};

describe('the store of conversations', () => {
  it('gives back what it was given', async () => {
    const one = conversation(1);
    await store.insert(one);
    expect(await store.advance(one.id, { at: 7, title: 'Other', added: [question, answer] })).toBe(true);
    expect(await store.find(one.id)).toEqual({ ...one, updatedAt: 7 });
    expect(await store.turns(one.id)).toMatchObject([question, answer]);
    expect(await store.count()).toBe(1);
  });

  it('takes a title from a step only where there is none', async () => {
    await store.insert(conversation(1, { title: '' }));
    await store.advance(conversation(1).id, { at: 7, title: 'First', added: [] });
    await store.advance(conversation(1).id, { at: 8, title: 'Second', added: [] });
    expect((await store.find(conversation(1).id))?.title).toBe('First');
  });

  it('does nothing of a step when the conversation is gone', async () => {
    expect(await store.advance(conversation(1).id, { at: 7, title: '', added: [question] })).toBe(false);
    expect(await db.selectFrom('turns').selectAll().execute()).toEqual([]);
  });

  it('does nothing of a step when a part of it fails', async () => {
    await store.insert(conversation(1));
    const bad = { ...question, role: 'assistant' as const };
    const step = { at: 9, title: '', added: [question, bad] };
    await expect(store.advance(conversation(1).id, step)).rejects.toThrow(/CHECK/);
    expect(await store.turns(conversation(1).id)).toEqual([]);
    expect((await store.find(conversation(1).id))?.updatedAt).toBe(1);
  });

  it('forgets the turns of what it removes', async () => {
    for (const number of [1, 2]) {
      await store.insert(conversation(number));
      await store.advance(conversation(number).id, { at: 7, title: '', added: [question] });
    }
    await store.remove(conversation(1).id);
    expect(await db.selectFrom('turns').select('conversation').execute()).toEqual([
      { conversation: conversation(2).id },
    ]);
    await store.removeAll();
    expect(await db.selectFrom('turns').selectAll().execute()).toEqual([]);
  });

  it('marks answers that were coming, and no others, as interrupted', async () => {
    await store.insert(conversation(1));
    const finished = { ...answer, answer: { ...answer.answer, state: 'done' } } as NewTurn;
    await store.advance(conversation(1).id, { at: 7, title: '', added: [question, answer, question, finished] });
    expect(await store.interruptAll()).toBe(1);
    const states = (await store.turns(conversation(1).id)).map((turn) => turn.answer?.state);
    expect(states).toEqual([undefined, 'interrupted', undefined, 'done']);
  });

  it('writes answers over, and leaves those alone that are gone', async () => {
    await store.insert(conversation(1));
    await store.advance(conversation(1).id, { at: 7, title: '', added: [answer] });
    const [kept] = (await store.turns(conversation(1).id)) as [StoredTurn & AnswerTurn];
    const changed = { ...kept, text: 'Therefore.', answer: { ...kept.answer, tokens: 3, error: null } };
    await store.saveAnswer(changed);
    await store.saveAnswer({ ...changed, id: kept.id + 1 });
    expect(await store.turns(conversation(1).id)).toEqual([changed]);
  });
});

it('conversations of before there were branches are one branch each', async () => {
  const old = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')) });
  const book = { table: 'done', lockTable: 'done_lock' };
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0514'));
  await migrate(old, { migrations: before, book, place: 'memory' });
  for (const id of ['a', 'b', 'c']) {
    await sql`INSERT INTO conversations VALUES (${id}, '', '{}', 1, 1)`.execute(old);
  }
  for (const id of ['a', 'b', 'a', 'a']) {
    await sql`INSERT INTO turns (conversation, role, text, at) VALUES (${id}, 'user', '', 1)`.execute(old);
  }
  await migrate(old, { migrations, book, place: 'memory' });
  const kept = new ConversationStore(old);
  expect((await kept.turns('a')).map(({ id, parent }) => [id, parent])).toEqual([
    [1, null],
    [3, 1],
    [4, 3],
  ]);
  expect([await kept.leaf('a'), await kept.leaf('b'), await kept.leaf('c')]).toEqual([4, 2, null]);
  await old.destroy();
});

describe('searching', () => {
  beforeEach(async () => {
    await store.insert(conversation(1, { title: '100% sure' }));
    await store.insert(conversation(2, { title: '100 sures' }));
    await store.insert(conversation(3));
    await store.advance(conversation(3).id, { at: 3, title: '', added: [{ ...question, text: 'a_b\\c' }] });
  });

  const found = async (search: string) => (await store.list({ limit: 10, search })).map(({ createdAt }) => createdAt);

  it.each([
    ['SURE', [2, 1]],
    ['100%', [1]],
    ['a_b', [3]],
    ['aXb', []],
    ['b\\c', [3]],
    ['', [3, 2, 1]],
  ])('%j finds %j', async (search, numbers) => expect(await found(search)).toEqual(numbers));

  it('lists as many as are wanted', async () => {
    expect(await store.list({ limit: 2 })).toHaveLength(2);
  });

  it('reads the newest by index', async () => {
    const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN
      SELECT * FROM conversations ORDER BY updated_at DESC, id LIMIT 10`.execute(db);
    expect(rows.map(({ detail }) => detail).join()).toMatch(/conversations_by_update/);
  });
});
