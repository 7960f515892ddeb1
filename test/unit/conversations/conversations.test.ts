import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_ANSWER_CHARS } from '../../../src-main/conversations/answer-draft.ts';
import { Conversations, MAX_CONVERSATIONS, MAX_TURNS } from '../../../src-main/conversations/conversations.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import type { Db } from '../../../src-main/store/database.ts';
import type { AskOptions, ConversationEvent, Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { longFilesIn } from '../../support/long-files.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { resourceContract } from '../../support/resource-contract.ts';
import { chunk, done, FOREVER, ScriptedAsk } from '../../support/scripted-ask.ts';
import { until } from '../../support/until.ts';

let db: Db;
let store: ConversationStore;
let script: ScriptedAsk;
let now: number;
let conversations: Conversations;
let id: string;

beforeEach(async () => {
  db = await memoryDatabase();
  store = new ConversationStore(db);
  script = new ScriptedAsk();
  now = 1_000;
  conversations = service();
  await conversations.open();
  id = (await conversations.create({ target: 'local' })).id;
});
afterEach(async () => {
  await conversations.close();
  await db.destroy();
});

function service(): Conversations {
  const log = pino({ level: 'silent' });
  return new Conversations({
    store,
    longFiles: longFilesIn(db),
    ask: script.ask,
    localModel: (asked) => asked ?? 'tiny',
    now: () => now,
    log,
  });
}

const ask = (text: string) => Array.fromAsync(conversations.ask(id, { text }));
const turns = async () => (await conversations.get(id)).turns;
const lines = async () => (await turns()).map(({ role, text, answer }) => [role, text, answer?.state]);

/** Asks, and reads until the answer has begun. @returns the stream, with the rest of it */
async function askUntil(text: string, type: ConversationEvent['type'], signal?: AbortSignal) {
  const stream = conversations.ask(id, { text }, signal);
  for (let next = await stream.next(); !next.done && next.value.type !== type; ) next = await stream.next();
  return stream;
}

/** The last event of a stream. */
async function endOf(stream: AsyncGenerator<ConversationEvent>) {
  const last = (await Array.fromAsync(stream)).at(-1);
  if (last?.type !== 'ended') throw new Error('The stream did not tell how it ended.');
  return last;
}

resourceContract('conversations', { make: () => service() });

describe('an answer', () => {
  it('comes after its question is kept, and is kept with its figures', async () => {
    const events = await ask('Is this kept?');
    expect(events.map(({ type }) => type)).toEqual(['turns', 'chunk', 'chunk', 'done', 'ended']);
    expect(events[0]).toMatchObject({
      turns: [
        { role: 'user', text: 'Is this kept?', answer: null },
        { role: 'assistant', text: '', answer: { state: 'answering', target: 'local', model: null, worker: null } },
      ],
    });
    const kept = await turns();
    expect(kept[1]).toMatchObject({
      text: 'Yes, sir.',
      answer: {
        state: 'done',
        model: 'tiny',
        tokens: 3,
        firstTokenMs: 20,
        totalMs: 90,
        tokensPerSecond: 33,
        paid: [],
        error: null,
      },
    });
    expect(events.at(-1)).toMatchObject({ turn: kept[1], conversation: { id, title: 'Is this kept?' } });
  });

  it('of another model of this machine is noted as that one’s', async () => {
    await conversations.update(id, { options: { target: 'local', model: 'other' } });
    await ask('Who are you?');
    expect((await turns())[1]?.answer).toMatchObject({ state: 'done', model: 'other' });
  });

  it('is written down while it comes, within a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      script.scripts.push([chunk('so '), chunk('far'), FOREVER]);
      const stream = await askUntil('?', 'chunk');
      await stream.next();
      expect(await lines()).toContainEqual(['assistant', '', 'answering']);
      await vi.advanceTimersByTimeAsync(1_000);
      await until(async () => expect(await lines()).toContainEqual(['assistant', 'so far', 'answering']));
      await stream.return();
    } finally {
      vi.useRealTimers();
    }
  });

  it('of another worker begins anew', async () => {
    const other = 'b'.repeat(64);
    await conversations.update(id, { options: { target: 'mesh' } });
    script.scripts.push([
      { type: 'worker', worker: 'a'.repeat(64), model: 'm' },
      chunk('lost'),
      { type: 'restart', worker: 'a'.repeat(64), reason: 'gone' },
      { type: 'worker', worker: other, model: 'm2' },
      chunk('found'),
      FOREVER,
    ]);
    const stream = await askUntil('?', 'restart');
    for (let left = 2; left > 0; left--) await stream.next();
    await stream.return();
    expect((await turns())[1]).toMatchObject({ text: 'found', answer: { worker: other, model: 'm2', tokens: 1 } });
  });

  it('keeps what it cost, and what an earlier worker was paid for what came of it', async () => {
    await conversations.update(id, { options: { target: 'mesh' } });
    const [first, other] = [
      { worker: 'a'.repeat(64), credits: 1, from: 'claim' },
      { worker: 'b'.repeat(64), credits: 2, from: 'gift' },
    ] as const;
    script.scripts.push([
      chunk('lost'),
      { type: 'paid', ...first },
      { type: 'restart', worker: first.worker, reason: 'gone' },
      chunk('found'),
      { type: 'paid', ...other },
      done('found'),
    ]);
    await ask('?');
    expect((await turns())[1]?.answer).toMatchObject({ state: 'done', paid: [first, other] });
  });

  it('that failed says why; the stream ends as any other', async () => {
    const broke = new QuarryError({ code: 'NO_CREDIT', message: 'No credits left.', hint: 'Earn some.' });
    script.scripts.push([chunk('I '), broke]);
    const events = await ask('?');
    const error = { code: 'NO_CREDIT', message: 'No credits left.', hint: 'Earn some.' };
    expect(events.at(-1)).toMatchObject({ type: 'ended', turn: { text: 'I ', answer: { state: 'failed', error } } });
    expect((await turns())[1]?.answer).toMatchObject({ state: 'failed', error });
  });

  it('ends where the most that is kept is reached', async () => {
    script.scripts.push([chunk('x'.repeat(MAX_ANSWER_CHARS - 1)), chunk('yz'), FOREVER]);
    const { turn } = await endOf(conversations.ask(id, { text: '?' }));
    expect(turn.text).toHaveLength(MAX_ANSWER_CHARS);
    expect(turn.answer?.state).toBe('done');
    expect(script).toMatchObject({ cancelled: 1, running: 0 });
  });
});

describe('stopping', () => {
  it('by leaving the stream keeps what came', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    await (await askUntil('?', 'chunk')).return();
    expect(await lines()).toContainEqual(['assistant', 'half', 'stopped']);
    expect(script).toMatchObject({ cancelled: 1, running: 0 });
  });

  it('by the signal keeps what came, and says so', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const interrupt = new AbortController();
    const stream = await askUntil('?', 'chunk', interrupt.signal);
    now += 250;
    interrupt.abort();
    expect(await endOf(stream)).toMatchObject({ turn: { text: 'half', answer: { state: 'stopped', totalMs: 250 } } });
    expect(await lines()).toContainEqual(['assistant', 'half', 'stopped']);
  });

  it('by the signal works when nobody reads the stream any more', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const interrupt = new AbortController();
    await askUntil('?', 'chunk', interrupt.signal);
    interrupt.abort();
    await until(async () => expect(await lines()).toContainEqual(['assistant', 'half', 'stopped']));
    expect(script.running).toBe(0);
  });

  it('before anything was asked keeps the question', async () => {
    expect(await endOf(conversations.ask(id, { text: 'Never mind' }, AbortSignal.abort()))).toMatchObject({
      type: 'ended',
    });
    expect(await lines()).toEqual([
      ['user', 'Never mind', undefined],
      ['assistant', '', 'stopped'],
    ]);
    expect(script.requests).toEqual([]);
  });

  it('the service ends every answer as interrupted', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const stream = await askUntil('?', 'chunk');
    await conversations.close();
    expect(await endOf(stream)).toMatchObject({ turn: { answer: { state: 'interrupted' } } });
    expect(await lines()).toContainEqual(['assistant', 'half', 'interrupted']);
    await expect(ask('?')).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  });
});

describe('one answer at a time', () => {
  it('comes in a conversation, but others go on', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const stream = await askUntil('?', 'chunk');
    await expect(ask('And?')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
    await expect(Array.fromAsync(conversations.regenerate(id))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const other = await conversations.create({ target: 'local' });
    expect(await endOf(conversations.ask(other.id, { text: '?' }))).toMatchObject({ turn: { text: 'Yes, sir.' } });
    await stream.return();
    expect(await lines()).toHaveLength(2);
  });

  it('and the next may be asked as soon as the end is told', async () => {
    for await (const event of conversations.ask(id, { text: 'First' })) {
      if (event.type !== 'ended') continue;
      expect(await endOf(conversations.ask(id, { text: 'Second' }))).toMatchObject({
        turn: { answer: { state: 'done' } },
      });
    }
    expect(await lines()).toHaveLength(4);
  });
});

describe('what a model is asked', () => {
  const options: AskOptions = {
    target: 'mesh',
    model: 'm',
    system: 'Be brief.',
    temperature: 0.2,
    maxTokens: 9,
    seed: 1,
  };

  it('is the system prompt, what was answered before, and the question', async () => {
    await conversations.update(id, { options });
    script.scripts.push([chunk('One.'), done('One.')]);
    script.scripts.push([chunk('Tw'), new QuarryError({ code: 'WORKER_LOST', message: 'lost' })]);
    script.scripts.push([chunk('Thr'), FOREVER]);
    await ask('1?');
    await ask('2?');
    await (await askUntil('3?', 'chunk')).return();
    await ask('4?');
    expect(script.requests.at(-1)).toEqual({
      target: 'mesh',
      model: 'm',
      temperature: 0.2,
      maxTokens: 9,
      seed: 1,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '1?' },
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: '3?' },
        { role: 'assistant', content: 'Thr' },
        { role: 'user', content: '4?' },
      ],
    });
  });

  it('leaves out what was stopped before it began', async () => {
    await Array.fromAsync(conversations.ask(id, { text: 'Never mind' }, AbortSignal.abort()));
    await ask('Now?');
    expect(script.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Now?' }]);
  });
});

describe('files that go with a question', () => {
  const notes = { name: 'notes.md', text: 'Run ```ls``` first.\n' };
  const content = 'notes.md\n````\nRun ```ls``` first.\n````\n\nWhat first?';

  it('are read by the model before it, each in a fence that nothing in them ends, now and later', async () => {
    await Array.fromAsync(conversations.ask(id, { text: 'What first?', files: [notes] }));
    expect(script.requests.at(-1)?.messages).toEqual([{ role: 'user', content }]);
    await Array.fromAsync(conversations.regenerate(id));
    expect(script.requests.at(-1)?.messages).toEqual([{ role: 'user', content }]);
    await ask('And then?');
    expect(script.requests.at(-1)?.messages[0]).toEqual({ role: 'user', content });
  });

  it('are shown by name and length, and stay with a question that is changed', async () => {
    await Array.fromAsync(conversations.ask(id, { text: 'What first?', files: [notes] }));
    const [question] = await turns();
    expect(question).toMatchObject({ text: 'What first?', files: [{ name: 'notes.md', chars: 20 }] });
    expect((await conversations.get(id)).conversation.title).toBe('What first?');
    await Array.fromAsync(conversations.edit(id, { turn: question?.id ?? 0, text: 'What last?' }));
    expect(script.requests.at(-1)?.messages[0]?.content).toContain('ls');
    expect((await turns())[0]?.files).toHaveLength(1);
  });
});

describe('asking again', () => {
  it('keeps an answer that has words as another version', async () => {
    script.scripts.push([chunk('One.'), done('One.')], [chunk('Uno.'), done('Uno.')]);
    await ask('1?');
    const first = (await turns())[1]?.id ?? -1;
    await Array.fromAsync(conversations.regenerate(id));
    const [, answer] = await turns();
    expect(answer).toMatchObject({ text: 'Uno.', versions: [first, answer?.id] });
    expect(script.requests.at(-1)?.messages).toHaveLength(1);
    expect((await conversations.show(id, first)).turns[1]?.text).toBe('One.');
  });

  it('drops the last answer when it failed, and asks its question', async () => {
    await ask('1?');
    script.scripts.push([new QuarryError({ code: 'NO_WORKER', message: 'nobody' })]);
    await ask('2?');
    const dropped = (await turns()).at(-1) as Turn;
    const events = await Array.fromAsync(conversations.regenerate(id));
    expect(events[0]).toMatchObject({ type: 'turns', turns: [{}, {}, { text: '2?' }, { text: '' }] });
    const kept = await turns();
    expect(kept.map(({ text }) => text)).toEqual(['1?', 'Yes, sir.', '2?', 'Yes, sir.']);
    expect(kept.at(-1)?.id).toBeGreaterThan(dropped.id);
    expect(script.requests.at(-1)?.messages.map(({ content }) => content)).toEqual(['1?', 'Yes, sir.', '2?']);
  });

  it('is refused where nothing was asked', async () => {
    await expect(Array.fromAsync(conversations.regenerate(id))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('changing a question', () => {
  const idOf = async (text: string) => (await turns()).find((turn) => turn.text === text)?.id ?? -1;
  const edit = (turn: number, text: string) => Array.fromAsync(conversations.edit(id, { turn, text }));
  const said = async () => (await turns()).map(({ text }) => text);

  it('begins a branch there, and keeps the one before', async () => {
    script.scripts.push([chunk('One.'), done('One.')], [chunk('Two.'), done('Two.')], [chunk('2b.'), done('2b.')]);
    await ask('1?');
    await ask('2?');
    const second = await idOf('2?');
    const events = await edit(second, 'Rather this?');
    expect(script.requests.at(-1)?.messages.map(({ content }) => content)).toEqual(['1?', 'One.', 'Rather this?']);
    expect(events[0]).toMatchObject({
      type: 'turns',
      turns: [{ text: '1?' }, {}, { text: 'Rather this?' }, { text: '' }],
    });
    expect(await said()).toEqual(['1?', 'One.', 'Rather this?', '2b.']);
    const versions = [second, await idOf('Rather this?')];
    expect((await turns()).map((turn) => turn.versions)).toEqual([undefined, undefined, versions, undefined]);
    expect((await conversations.show(id, second)).turns.map(({ text }) => text)).toEqual(['1?', 'One.', '2?', 'Two.']);
    expect((await turns())[2]?.versions).toEqual(versions);
  });

  it('of the very first one begins anew, and the conversation keeps its title', async () => {
    await ask('1?');
    const first = await idOf('1?');
    await edit(first, 'Something else?');
    expect(script.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Something else?' }]);
    expect(await said()).toEqual(['Something else?', 'Yes, sir.']);
    expect((await conversations.get(id)).conversation.title).toBe('1?');
    await ask('And then?');
    expect(await said()).toEqual(['Something else?', 'Yes, sir.', 'And then?', 'Yes, sir.']);
    await conversations.show(id, first);
    await conversations.show(id, await idOf('1?'));
    await ask('Here again?');
    expect(await said()).toEqual(['1?', 'Yes, sir.', 'Here again?', 'Yes, sir.']);
  });

  it('is shown again up to the newest end of its branch', async () => {
    await ask('1?');
    const first = await idOf('1?');
    await ask('2?');
    await edit(await idOf('2?'), '2b?');
    await edit(first, '1b?');
    expect((await conversations.show(id, first)).turns.map(({ text }) => text)).toContain('2b?');
  });

  it('is refused where there is no such question, none fits in, or an answer is coming', async () => {
    await ask('1?');
    const [question, answer] = await turns();
    await expect(edit(answer?.id ?? 0, 'x')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'turn' });
    await expect(edit(9_999, 'x')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'turn' });
    await expect(conversations.show(id, 9_999)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'turn' });
    script.scripts.push([chunk('half'), FOREVER]);
    const stream = await askUntil('2?', 'chunk');
    await expect(conversations.show(id, question?.id ?? 0)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await stream.return();
    const turn = { role: 'user', text: 'again', at: 1, answer: null } as const;
    await store.advance(id, { at: 1, title: '', added: Array.from({ length: MAX_TURNS }, () => turn) });
    await expect(edit(question?.id ?? 0, 'x')).rejects.toMatchObject({ message: expect.stringMatching(/full/) });
  });
});

describe('a conversation', () => {
  it.each([
    ['Hello there', 'Hello there'],
    ['  First line \nsecond line', 'First line'],
    [`${'word '.repeat(20)}end`, `${'word '.repeat(12).trim()}…`],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
    ['Tab\tand \u0007 bell', 'Tab and bell'],
  ])('that begins with %j is called %j', async (question, title) => {
    expect((await conversations.get(id)).conversation.title).toBe('');
    await ask(question);
    expect((await conversations.get(id)).conversation.title).toBe(title);
  });

  it('keeps the title that it was given', async () => {
    await conversations.update(id, { title: 'Mine' });
    await ask('Hello');
    expect((await conversations.get(id)).conversation).toMatchObject({ title: 'Mine', options: { target: 'local' } });
  });

  it('may be renamed while its answer comes', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const interrupt = new AbortController();
    const stream = await askUntil('?', 'chunk', interrupt.signal);
    await conversations.update(id, { title: 'New' });
    interrupt.abort();
    expect(await endOf(stream)).toMatchObject({ conversation: { title: 'New' } });
  });

  it('that is removed stops its answer', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const stream = await askUntil('?', 'chunk');
    await conversations.remove(id);
    expect(script).toMatchObject({ cancelled: 1, running: 0 });
    expect(await endOf(stream)).toMatchObject({ turn: { answer: { state: 'stopped' } } });
    await expect(conversations.get(id)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
    expect(await db.selectFrom('turns').selectAll().execute()).toEqual([]);
  });

  it('that does not exist is named in the refusal', async () => {
    await conversations.remove(id);
    for (const refused of [ask('?'), conversations.get(id), conversations.update(id, { title: 'x' })]) {
      await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
    }
    expect(script.requests).toEqual([]);
  });

  it('is refused when there are too many', async () => {
    vi.spyOn(store, 'count').mockResolvedValue(MAX_CONVERSATIONS);
    await expect(conversations.create({ target: 'local' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('takes no question when it is full', async () => {
    const turn = { role: 'user', text: 'again', at: 1, answer: null } as const;
    await store.advance(id, { at: 1, title: '', added: Array.from({ length: MAX_TURNS }, () => turn) });
    await expect(ask('?')).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/full/) });
  });
});

describe('all conversations', () => {
  it('are removed together, with answers that are coming', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    await askUntil('?', 'chunk');
    await conversations.create({ target: 'mesh' });
    await conversations.removeAll();
    expect(await conversations.list({ limit: 10 })).toEqual([]);
    expect(script.running).toBe(0);
  });

  it('are listed by when something was asked in them last', async () => {
    now = 2_000;
    const second = await conversations.create({ target: 'local' });
    now = 3_000;
    await ask('?');
    expect((await conversations.list({ limit: 10 })).map((one) => one.id)).toEqual([id, second.id]);
  });

  it('show answers of a process that died as interrupted', async () => {
    script.scripts.push([chunk('half'), FOREVER]);
    const stream = await askUntil('?', 'chunk');
    const next = service();
    await next.open();
    expect((await next.get(id)).turns[1]?.answer?.state).toBe('interrupted');
    await stream.return();
  });
});

describe('a disk that is full', () => {
  it('at the question fails the call, asks nobody, and leaves the conversation free', async () => {
    const full = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    vi.spyOn(store, 'advance').mockRejectedValueOnce(full);
    await expect(ask('?')).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(script.requests).toEqual([]);
    expect((await ask('?')).at(-1)).toMatchObject({ type: 'ended' });
  });

  it('at the answer’s end is told', async () => {
    vi.spyOn(store, 'saveAnswer').mockRejectedValue(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    await expect(ask('?')).rejects.toMatchObject({ code: 'DISK_FULL' });
  });
});
