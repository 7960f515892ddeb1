import type OpenAI from 'openai';
import { expect, it, vi } from 'vitest';
import type { AnswerEvent } from '../../../../src-main/inference/backend.ts';
import { checkCalls } from '../../../../src-main/inference/tools/answer-calls.ts';
import { oneCallAtMost } from '../../../../src-main/server/openai/tools.ts';
import { done, openServer } from '../../../support/server-harness.ts';

const user = { role: 'user' as const, content: 'Oslo?' };
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_weather', parameters } }];
const calls = ['Oslo', 'Rom'].map((city) => ({
  id: `call_${city}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
}));

async function* calling(): AsyncGenerator<AnswerEvent> {
  yield { type: 'chunk', text: 'I look.', tokens: 2 };
  yield { type: 'chunk', text: '', tokens: 1 };
  yield { type: 'chunk', text: '', tokens: 3, toolCalls: calls };
  yield done({ text: 'I look.', finish: 'tool_calls', toolCalls: calls });
}

const openAiCalls = calls.map(({ id, name, arguments: args }) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
}));

it('two turns with the official client: what is called, and what came of it', async () => {
  const { client, generator } = await openServer();
  generator.script = calling;
  const asked = { model: 'tiny', tools, messages: [user] };
  const { choices } = await client.chat.completions.create({ ...asked, tool_choice: 'required' });
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: 'I look.', tool_calls: openAiCalls },
  });
  const [choice] = choices;
  if (!choice) throw new Error('no choice');
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '5°' }));
  await client.chat.completions.create({ ...asked, messages: [user, choice.message, ...results], tool_choice: 'none' });
  expect(generator.asked).toMatchObject([
    { tools: [{ name: 'get_weather', parameters }], toolChoice: 'required' },
    {
      toolChoice: 'none',
      input: {
        messages: [
          user,
          { role: 'assistant', content: 'I look.', toolCalls: calls },
          { role: 'tool', content: '5°', toolCallId: 'call_Oslo' },
          { role: 'tool', content: '5°', toolCallId: 'call_Rom' },
        ],
      },
    },
  ]);
});

it('streams calls, each with its place, and no piece that says nothing', async () => {
  const { client, generator } = await openServer();
  generator.script = calling;
  const stream = client.chat.completions.stream({ model: 'tiny', tools, messages: [user] });
  const deltas = [];
  for await (const { choices } of stream) deltas.push(choices[0]?.delta);
  expect(deltas).toEqual([
    { role: 'assistant', content: '' },
    { content: 'I look.' },
    { tool_calls: openAiCalls.map((call, index) => ({ index, ...call })) },
    {},
  ]);
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: openAiCalls } });
});

it('sends a piece now and then while a long call is written: programs give up on a stream without any', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { client, generator } = await openServer();
  generator.script = async function* () {
    for (const seconds of [1, 8, 8, 1, 9]) {
      vi.advanceTimersByTime(seconds * 1_000);
      yield { type: 'chunk', text: '', tokens: 1 };
    }
    yield done({ text: '', finish: 'stop' });
  };
  const stream = await client.chat.completions.create({ model: 'tiny', messages: [user], stream: true });
  const contents = [];
  for await (const { choices } of stream) contents.push(choices[0]?.delta.content);
  expect(contents).toEqual(['', '', '', undefined]); // the beginning, after 17 seconds, after 10 more, and the end
});

it('tells the first call only where a program can do one at a time', async () => {
  const { client, generator } = await openServer();
  generator.script = calling;
  const one = { model: 'tiny', tools, messages: [user], parallel_tool_calls: false };
  const whole = await client.chat.completions.create(one);
  expect(whole.choices[0]?.message.tool_calls).toEqual(openAiCalls.slice(0, 1));
  const final = await client.chat.completions.stream(one).finalChatCompletion();
  expect(final.choices[0]?.message.tool_calls).toMatchObject(openAiCalls.slice(0, 1));
});

it('tells the call of the worker that answers in the end, where another had called before it failed', async () => {
  const told = oneCallAtMost({
    async *generate() {
      yield { type: 'chunk', text: '', tokens: 1, toolCalls: calls };
      yield { type: 'restart', worker: 'cd'.repeat(32), reason: 'it vanished' };
      yield { type: 'chunk', text: '', tokens: 1, toolCalls: calls.toReversed() };
    },
  }).generate({ input: { messages: [user] } });
  const events = await Array.fromAsync(told);
  expect(events.map((event) => 'toolCalls' in event && event.toolCalls)).toEqual([[calls[0]], false, [calls[1]]]);
});

it.each<[string, object, string]>([
  ['a tool that is not there', { tool_choice: { type: 'function', function: { name: 'rm' } } }, 'tool_choice'],
  ['a call where there are no tools', { tools: [], tool_choice: 'required' }, 'tool_choice'],
  ['a name that is none', { tools: [{ type: 'function', function: { name: 'a b' } }] }, 'tools[0].function.name'],
  [
    'a schema that is none',
    { tools: [{ type: 'function', function: { name: 'a', parameters: 1 } }] },
    'tools[0].function.parameters',
  ],
  ['a result of nothing', { messages: [{ role: 'tool', content: 'x', tool_call_id: '' }] }, 'messages[0].tool_call_id'],
  ['an assistant that says nothing', { messages: [{ role: 'assistant', content: null }] }, 'messages[0].content'],
])('refuses %s', async (_, wrong, param) => {
  const { client } = await openServer();
  const body = { model: 'tiny', messages: [user], tools, ...wrong } as OpenAI.ChatCompletionCreateParamsNonStreaming;
  await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param });
});

it('a call that is not as its tool wants it is text for who asked', async () => {
  const wrong = { ...calls[0], id: 'x', name: 'get_weather', arguments: '{"town":"Oslo"}' };
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield { type: 'chunk', text: 'Well. ', tokens: 1, toolCalls: [wrong] };
    yield done({ text: 'Well. ', finish: 'tool_calls', toolCalls: [wrong] });
  }
  const text = 'Well. <tool_call>\n{"name": "get_weather", "arguments": {"town":"Oslo"}}\n</tool_call>\n';
  const checked = await Array.fromAsync(checkCalls(events(), { tools: [{ name: 'get_weather', parameters }] }));
  expect(checked).toMatchObject([
    { type: 'chunk', text },
    { type: 'done', result: { text, finish: 'stop' } },
  ]);
  expect(checked[1]).not.toHaveProperty('result.toolCalls');
});
