import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import { ChatServer } from '../support/chat-server.ts';
import { completionRow, feedbackRow } from '../support/kept-answers.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** A node whose model runs on a server; there is feedback from a time when it ran here, and it would learn at once. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ChatServer;
let node: App;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await new ChatServer('far', () => 'Yes.').open();
  const env = { QUARRY_BACKEND: 'remote', QUARRY_REMOTE_BASE_URL: server.url, QUARRY_LEARNING_WHEN: 'always' };
  const config = loadConfig({ flags: { dataDir: folder.path, port: 0 }, env });
  node = await createApp(config, { engine: true, server: true });
  await new CompletionStore(node.db).put(completionRow());
  await new FeedbackStore(node.db).add([feedbackRow()], 9);
});
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await server?.close();
  await folder.remove();
});

it('begins no run for a model that runs elsewhere, and says why before it is asked and when', async () => {
  const { learning } = createRouterClient(node.contract);
  const why = { text: 'This node’s model runs elsewhere, and a model learns only where it runs.' };
  expect(await learning.status()).toMatchObject({ hindrance: why, feedback: { waiting: 1 } });
  for await (const now of await learning.follow()) {
    expect(now).toMatchObject({ state: 'waiting', why: [why], run: null });
    break;
  }
  await expect(learning.start()).rejects.toMatchObject({ data: { code: 'ENGINE_UNAVAILABLE', message: why.text } });
  await learning.give({ answer: 'chatcmpl-1', kind: 'say', text: 'Be kind.' });
  await until(async () => expect((await learning.status()).feedback).toEqual({ waiting: 2, taken: 0, aside: 0 }));
  expect(await learning.runs({ limit: 9 })).toEqual([]);
});
