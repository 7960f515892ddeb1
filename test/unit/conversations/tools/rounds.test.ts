import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { Conversations } from '../../../../src-main/conversations/conversations.ts';
import { ConversationStore } from '../../../../src-main/store/conversations/conversations.ts';
import type { AskEvent } from '../../../../src-preload/contract/inference.ts';
import { longFilesIn } from '../../../support/long-files.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { chunk, done, FOREVER, ScriptedAsk, type Step } from '../../../support/scripted-ask.ts';

async function open() {
  const db = await memoryDatabase();
  const script = new ScriptedAsk();
  const store = new ConversationStore(db);
  const log = pino({ level: 'silent' });
  const conversations = new Conversations({
    longFiles: longFilesIn(db),
    store,
    ask: script.ask,
    now: () => 1_000,
    log,
  });
  onTestFinished(async () => {
    await conversations.close();
    await db.destroy();
  });
  const { id } = await conversations.create({ target: 'local', tools: ['calculator'] });
  const ask = (text: string, signal?: AbortSignal) => conversations.ask(id, { text }, signal);
  return { conversations, script, id, ask, store };
}

/** The end of a round in which the model wants expressions computed. */
function calling(text: string, ...expressions: string[]): AskEvent {
  const end = done(text);
  if (end.type !== 'done') return end;
  const toolCalls = expressions.map((expression, at) => ({
    id: `c${at}`,
    name: 'calculator',
    arguments: JSON.stringify({ expression }),
  }));
  return { ...end, result: { ...end.result, finish: 'tool_calls', toolCalls } };
}

const use = (number: number, expression: string, result: string | null, more: object = {}) => ({
  number,
  round: 1,
  tool: 'calculator',
  arguments: JSON.stringify({ expression }),
  result,
  failed: false,
  at: 7,
  ...more,
});

it('does what the model wants done, goes on with the results, and keeps one answer', async () => {
  const { script, ask, conversations, id } = await open();
  script.scripts.push([chunk('I look.'), calling('I look.', '12 * 7', '1/0')], [chunk('It is 84.'), done('It is 84.')]);
  const events = await Array.fromAsync(ask('What is 12 × 7?'));
  expect(events.filter(({ type }) => type === 'call')).toHaveLength(4);
  expect(script.requests[0]).toMatchObject({ tools: [{ name: 'calculator' }] });
  const failure = expect.stringContaining('no end');
  expect(script.requests[1]?.messages).toEqual([
    { role: 'user', content: 'What is 12 × 7?' },
    { role: 'assistant', content: 'I look.', toolCalls: [expect.objectContaining({ id: 'c0' }), expect.anything()] },
    { role: 'tool', content: '84', toolCallId: 'c0' },
    { role: 'tool', content: failure, toolCallId: 'c1' },
  ]);
  const uses = [use(0, '12 * 7', '84'), use(1, '1/0', failure, { failed: true })];
  const { turns } = await conversations.get(id);
  expect(turns.at(-1)).toMatchObject({ text: 'I look.\n\nIt is 84.', answer: { state: 'done', tokens: 6, uses } });

  await Array.fromAsync(ask('And again?'));
  expect(script.requests[2]?.messages.slice(1, -1)).toEqual([
    expect.objectContaining({ role: 'assistant', content: 'I look.', toolCalls: expect.any(Array) }),
    { role: 'tool', content: '84', toolCallId: 'call_0' },
    expect.objectContaining({ role: 'tool' }),
    { role: 'assistant', content: 'It is 84.' },
  ]);
});

it('stays as it was where it is asked again, as another version', async () => {
  const { script, ask, conversations, id } = await open();
  script.scripts.push([calling('', '1+1')], [done('Two.')], [done('2')]);
  await Array.fromAsync(ask('1+1?'));
  await Array.fromAsync(conversations.regenerate(id));
  const { turns } = await conversations.get(id);
  expect(turns.at(-1)).toMatchObject({ text: '2', versions: [2, 3] });
  expect(turns.at(-1)?.answer).not.toHaveProperty('uses');
  const { turns: before } = await conversations.show(id, 2);
  expect(before.at(-1)).toMatchObject({ text: 'Two.', answer: { uses: [use(0, '1+1', '2', { at: 0 })] } });
});

it('a model that calls without end is told of no tools in the end', async () => {
  const { script, ask, conversations, id } = await open();
  for (let round = 0; round < 10; round++) script.scripts.push([calling('', `${round}+1`)]);
  await Array.fromAsync(ask('?'));
  expect(script.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array(5).fill(undefined), 'none']);
  const { turns } = await conversations.get(id);
  expect(turns.at(-1)?.answer?.uses).toHaveLength(5);
  expect(turns.at(-1)?.answer?.uses?.at(-1)).toMatchObject({ round: 5, result: '5' });
});

it('a worker that is lost in a later round leaves what was said and done before', async () => {
  const { script, ask, conversations, id } = await open();
  const restart: Step = { type: 'restart', worker: 'w', reason: 'gone' };
  script.scripts.push([calling('First.', '1+1')], [chunk('hal'), restart, chunk('Two.'), done('Two.')]);
  const events = await Array.fromAsync(ask('?'));
  const after = events.slice(events.findIndex(({ type }) => type === 'restart'));
  expect(after.flatMap((event) => (event.type === 'chunk' ? [event.text] : [])).join('')).toBe('First.\n\nTwo.');
  expect((await conversations.get(id)).turns.at(-1)).toMatchObject({ text: 'First.\n\nTwo.', answer: { uses: [{}] } });
});

it('can be stopped in a later round; what was done is kept', async () => {
  const { script, ask, conversations, id } = await open();
  const controller = new AbortController();
  script.scripts.push([chunk('A'), calling('A', '2+2')], [chunk('B'), FOREVER]);
  for await (const event of ask('?', controller.signal))
    if (event.type === 'chunk' && event.text === 'B') controller.abort();
  await expect
    .poll(async () => (await conversations.get(id)).turns.at(-1))
    .toMatchObject({ text: 'A\n\nB', answer: { state: 'stopped', uses: [use(0, '2+2', '4', { at: 1 })] } });
  expect(script.cancelled).toBe(1);
});
