import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversationsRoutes } from '../../../../src-main/app/routes/conversations.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { Conversations } from '../../../../src-main/conversations/conversations.ts';
import { MAX_PRESETS, Presets } from '../../../../src-main/conversations/presets.ts';
import { ConversationStore } from '../../../../src-main/store/conversations/conversations.ts';
import { PresetStore } from '../../../../src-main/store/conversations/presets.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { MAX_FILES_CHARS, MAX_TURN_CHARS } from '../../../../src-preload/contract/limits.ts';
import { longFilesIn } from '../../../support/long-files.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { chunk, FOREVER, ScriptedAsk } from '../../../support/scripted-ask.ts';

const log = pino({ level: 'silent' });

let db: Db;
let script: ScriptedAsk;
let conversations: Conversations;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  db = await memoryDatabase();
  script = new ScriptedAsk();
  conversations = new Conversations({
    store: new ConversationStore(db),
    longFiles: longFilesIn(db),
    ask: script.ask,
    log,
  });
  client = clientOf(conversations);
});
afterEach(async () => {
  await conversations.close();
  await db.destroy();
});

function clientOf(service: Conversations) {
  return createRouterClient(
    conversationsRoutes(implementer(log).domain('conversations'), {
      conversations: service,
      presets: new Presets(new PresetStore(db)),
    }),
  );
}

describe('conversations over the contract', () => {
  it('are made, asked, renamed, found and removed', async () => {
    const { id } = await client.create({});
    const events = await Array.fromAsync(await client.ask({ id, text: '  Hello?  ' }));
    expect(events.at(-1)).toMatchObject({ type: 'ended', turn: { text: 'Yes, sir.' } });
    expect(script.requests[0]).toMatchObject({ target: 'local', messages: [{ content: 'Hello?' }] });
    await Array.fromAsync(await client.regenerate({ id }));
    expect((await client.get({ id })).turns).toHaveLength(2);
    expect(await client.update({ id, title: ' Mine ' })).toMatchObject({ title: 'Mine' });
    expect(await client.list({ search: 'yes' })).toMatchObject([{ id }]);
    await client.remove({ id });
    await client.removeAll();
    expect(await client.list({})).toEqual([]);
  });

  it('refuse what is too long or has no name, as data', async () => {
    const { id } = await client.create({ target: 'mesh' });
    const long = client.ask({ id, text: 'x'.repeat(MAX_TURN_CHARS + 1) });
    await expect(long).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', field: 'text' } });
    await expect(client.update({ id, title: 'x'.repeat(201) })).rejects.toMatchObject({ data: { field: 'title' } });
    await expect(client.get({ id: '../../etc/passwd' })).rejects.toMatchObject({ data: { field: 'id' } });
    const file = { name: 'a', text: 'x'.repeat(MAX_FILES_CHARS / 2 + 1) };
    const files = client.ask({ id, text: '?', files: [file, file] });
    await expect(files).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', field: 'files' } });
    const gone = await client.ask({ id: '0'.repeat(36), text: '?' });
    await expect(gone.next()).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', field: 'id' } });
  });

  it('have presets, by name, and no more than are kept', async () => {
    const brief = { name: 'Brief', options: { system: 'Be brief.', temperature: 0.2 } };
    await client.savePreset({ name: ' Brief ', options: { maxTokens: 9 } });
    await client.savePreset({ name: 'A poet', options: { temperature: 1.4 } });
    const all = [{ name: 'A poet', options: { temperature: 1.4 } }, brief];
    expect(await client.savePreset(brief)).toEqual(all);
    expect(await client.presets()).toEqual(all);
    expect(await client.removePreset({ name: 'A poet' })).toEqual([brief]);
    await expect(client.savePreset({ name: '  ', options: {} })).rejects.toMatchObject({ data: { field: 'name' } });
    for (let count = 1; count < MAX_PRESETS; count++) await client.savePreset({ name: `${count}`, options: {} });
    await expect(client.savePreset({ name: 'more', options: {} })).rejects.toMatchObject({ data: { field: 'name' } });
    await client.savePreset(brief);
  });

  it('stop answering when the caller goes away', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const { id } = await client.create({});
    const interrupt = new AbortController();
    const stream = await client.ask({ id, text: '?' }, { signal: interrupt.signal });
    for (let next = await stream.next(); !next.done && next.value.type !== 'chunk'; ) next = await stream.next();
    interrupt.abort();
    await expect.poll(async () => (await client.get({ id })).turns[1]?.answer?.state).toBe('stopped');
    expect(script).toMatchObject({ cancelled: 1, running: 0 });
  });
});
