import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Conversations } from '../../src-main/conversations/conversations.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import type { Db } from '../../src-main/store/database.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';
import { SLOW, tinyEngine } from '../support/engine.ts';
import { longFilesIn } from '../support/long-files.ts';
import { memoryDatabase } from '../support/memory-database.ts';

let engine: LocalBackend;
let db: Db;
let conversations: Conversations;
beforeAll(async () => {
  engine = tinyEngine();
  await engine.open();
  db = await memoryDatabase();
  const store = new ConversationStore(db);
  conversations = new Conversations({
    store,
    longFiles: longFilesIn(db),
    ask: askEngine,
    log: pino({ level: 'silent' }),
  });
  await conversations.open();
});
afterAll(async () => {
  await conversations?.close();
  await db?.destroy();
  await engine?.close();
});

async function* askEngine(request: AskRequest, signal: AbortSignal): AsyncGenerator<AskEvent> {
  const { target: _, model: __, messages, ...sampling } = request;
  yield* engine.generate({ input: { messages }, ...sampling }, { signal });
}

it('a real engine answers, answers again alike with the same seed, and can be stopped', async () => {
  const { id } = await conversations.create({ target: 'local', maxTokens: 24, seed: 7 });
  const shown: string[] = [];
  for await (const event of conversations.ask(id, { text: 'What is a ledger?' })) {
    if (event.type === 'chunk') shown.push(event.text);
  }
  const first = (await conversations.get(id)).turns[1];
  expect(first?.text).toBe(shown.join(''));
  expect(first?.answer).toMatchObject({ state: 'done', error: null });
  expect(first?.answer?.tokens).toBeGreaterThan(0);

  await Array.fromAsync(conversations.regenerate(id));
  const again = (await conversations.get(id)).turns[1];
  expect(again?.text).toBe(first?.text);
  expect(again?.id).not.toBe(first?.id);

  engine.setSpeed(SLOW);
  const { id: another } = await conversations.create({ target: 'local', maxTokens: 900, seed: 7 });
  for await (const event of conversations.ask(another, { text: 'And a receipt?' })) if (event.type === 'chunk') break;
  const last = (await conversations.get(another)).turns.at(-1);
  expect(last).toMatchObject({ answer: { state: 'stopped' }, text: expect.stringMatching(/./) });
  await expect.poll(() => engine.status().active).toBe(0);
});
