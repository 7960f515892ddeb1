import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Conversations } from '../../../src-main/conversations/conversations.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import type { Db } from '../../../src-main/store/database.ts';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import type { AskEvent, AskRequest } from '../../../src-preload/contract/inference.ts';
import type { KeepAs } from '../../../src-preload/contract/kept-answers.ts';
import { longFilesIn } from '../../support/long-files.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { done, ScriptedAsk } from '../../support/scripted-ask.ts';

let db: Db;
let script: ScriptedAsk;
let conversations: Conversations;
/** As what answers may be kept, in the order in which they were asked; and what was to be forgotten, and when. */
let keepAs: (KeepAs | undefined)[];
let forgotten: unknown[];

beforeEach(async () => {
  db = await memoryDatabase();
  script = new ScriptedAsk();
  keepAs = [];
  forgotten = [];
  const store = new ConversationStore(db);
  conversations = new Conversations({
    ...{ store, longFiles: longFilesIn(db), log: pino({ level: 'silent' }) },
    ask(request: AskRequest, signal: AbortSignal, as?: KeepAs): AsyncIterable<AskEvent> {
      keepAs.push(as);
      return script.ask(request, signal);
    },
    kept: {
      forget: async (ids) => void forgotten.push(ids, (await conversations.list({ limit: 9 })).length),
      makePrivate: async (ids) => void forgotten.push('private', ids),
      forgetConversations: async () => void forgotten.push('all', (await conversations.list({ limit: 9 })).length),
    },
  });
  await conversations.open();
});
afterEach(async () => {
  await conversations.close();
  await db.destroy();
});

async function talk(options: Partial<AskOptions> = {}): Promise<string> {
  const { id } = await conversations.create({ target: 'local', ...options });
  await Array.fromAsync(conversations.ask(id, { text: 'One?' }));
  return id;
}

it('each answer may be kept under an id of its own, which no other gets', async () => {
  const id = await talk();
  await Array.fromAsync(conversations.ask(id, { text: 'Two?', door: 'terminal' }));
  await Array.fromAsync(conversations.regenerate(id));
  expect(keepAs).toEqual([
    { id: 'turn-2', door: 'playground' },
    { id: 'turn-4', door: 'terminal' },
    { id: 'turn-5', door: 'playground' },
  ]);
  expect((await conversations.get(id)).turns.map((turn) => turn.id)).toEqual([1, 2, 3, 5]);
});

it('nothing of a private conversation may be kept, and what was is forgotten when it becomes one', async () => {
  await talk({ private: true });
  expect([keepAs, script.requests[0]]).toEqual([[undefined], expect.not.objectContaining({ private: true })]);
  const id = await talk();
  await conversations.update(id, { title: 'Another' });
  await conversations.update(id, { options: { target: 'local', temperature: 0 } });
  expect(forgotten).toEqual([]);
  await conversations.update(id, { options: { target: 'local', private: true } });
  expect(forgotten).toEqual(['private', ['turn-4']]);
});

it.each([
  ['becomes private', (id: string) => conversations.update(id, { options: { target: 'local', private: true } })],
  ['is removed', (id: string) => conversations.remove(id)],
])('an answer that comes while its conversation %s is forgotten once it has come', async (_, change) => {
  const { id } = await conversations.create({ target: 'local' });
  for await (const { type } of conversations.ask(id, { text: 'One?' })) if (type === 'turns') await change(id);
  expect(forgotten.filter(Array.isArray).at(-1)).toEqual(['turn-2']);
  expect(forgotten.filter(Array.isArray)).toHaveLength(2);
});

it('they are forgotten before their conversation is; those of others were never kept', async () => {
  const id = await talk();
  await Array.fromAsync(conversations.ask(id, { text: 'Two?' }));
  await conversations.update(id, { options: { target: 'mesh' } });
  await Array.fromAsync(conversations.ask(id, { text: 'Three?' }));
  await conversations.remove(id);
  await talk();
  await conversations.removeAll();
  expect(forgotten).toEqual([['turn-2', 'turn-4'], 1, 'all', 1]);
});

it('an answer without words that is asked for again is forgotten with its turn; another version stays', async () => {
  const id = await talk();
  await Array.fromAsync(conversations.regenerate(id));
  expect(forgotten).toEqual([]);
  script.scripts.push([done('')]);
  await Array.fromAsync(conversations.ask(id, { text: 'Two?' }));
  const { turns } = await conversations.get(id);
  await Array.fromAsync(conversations.regenerate(id));
  expect(turns.at(-1)).toMatchObject({ text: '', answer: { state: 'done' } });
  expect(forgotten).toEqual([[`turn-${turns.at(-1)?.id}`], 1]);
});

it('an answer that is cut after one of its rounds is forgotten', async () => {
  const call = { id: 'c', name: 'calculator', arguments: '{"expression":"1+1"}' };
  const first = done('') as Extract<AskEvent, { type: 'done' }>;
  script.scripts.push([{ ...first, result: { ...first.result, toolCalls: [call], finish: 'tool_calls' } }]);
  script.scripts.push([new Error('The engine died.')]);
  await talk({ tools: ['calculator'] });
  expect(keepAs).toEqual(Array(2).fill({ id: 'turn-2', door: 'playground' }));
  expect(forgotten).toEqual([['turn-2'], 1]);
  await talk({ tools: ['calculator'] });
  expect(forgotten).toHaveLength(2);
});
