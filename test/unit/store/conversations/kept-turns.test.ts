import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConversationStore } from '../../../../src-main/store/conversations/conversations.ts';
import { PresetStore } from '../../../../src-main/store/conversations/presets.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

/**
 * Columns as the first version with them wrote them, letter by letter. They stand on people's disks: a schema that refuses one of them
 * closes their conversations. Lines are added here, never edited.
 */
const KEPT = {
  options: '{"target":"mesh","model":"m","system":"Be brief.","tools":["calculator"],"temperature":0.5}',
  files: '[{"name":"a.txt","text":"A"},{"name":"long.pdf","chars":900000,"long":1}]',
  paid: '[{"worker":"ab","credits":2,"from":"vouchers"}]',
  uses: '[{"number":0,"round":1,"tool":"calculator","arguments":"{}","result":null,"failed":false,"at":0}]',
  sources: '{"by":"meaning","passages":[{"file":"long.pdf","page":null,"text":"T"}]}',
  error: '{"code":"DEADLINE","message":"Too late."}',
};

let db: Db;
let store: ConversationStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ConversationStore(db);
});
afterEach(() => db.destroy());

async function keep({ options, files, ...answer }: typeof KEPT): Promise<void> {
  await sql`INSERT INTO conversations (id, title, options, created_at, updated_at)
    VALUES ('c', 'Title', ${options}, 1, 1)`.execute(db);
  await sql`INSERT INTO turns (conversation, role, text, at, files) VALUES ('c', 'user', 'Why?', 1, ${files})`.execute(
    db,
  );
  const { paid, uses, sources, error } = answer;
  await sql`INSERT INTO turns (conversation, role, text, at, state, target, tokens, paid, uses, sources, error, parent)
    VALUES ('c', 'assistant', 'So.', 2, 'failed', 'mesh', 1, ${paid}, ${uses}, ${sources}, ${error}, 1)`.execute(db);
}

it('what was kept once still opens, with all that it said', async () => {
  await keep(KEPT);
  expect((await store.find('c'))?.options).toEqual(JSON.parse(KEPT.options));
  const [question, answer] = await store.turns('c');
  expect(question?.files).toEqual(JSON.parse(KEPT.files));
  const { paid, uses, sources, error } = KEPT;
  expect(answer?.answer).toMatchObject({
    paid: JSON.parse(paid),
    uses: JSON.parse(uses),
    sources: JSON.parse(sources),
    error: JSON.parse(error),
  });
});

it('options and errors that are no longer known do not close a conversation', async () => {
  const options = '{"target":"moon","model":"m","tools":["gone"],"temperature":1e9,"topP":0.5}';
  await keep({ ...KEPT, options, error: '{"code":"OF_OLD","message":"It was so.","said":{"message":5}}' });
  expect(await store.list({ limit: 1 })).toMatchObject([{ title: 'Title', options: { target: 'local', model: 'm' } }]);
  expect((await store.find('c'))?.options).toEqual({ target: 'local', model: 'm', topP: 0.5 });
  expect((await store.turns('c'))[1]?.answer?.error).toEqual({ code: 'INTERNAL', message: 'It was so.' });
  await sql`INSERT INTO presets VALUES ('mine', ${options})`.execute(db);
  expect(await new PresetStore(db).list()).toEqual([{ name: 'mine', options: { topP: 0.5 } }]);
});
