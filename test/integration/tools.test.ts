import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { type RealNode, startRealNode } from '../support/real-node.ts';
import { TestMesh } from '../support/test-mesh.ts';

/** Tools through whole nodes: with a model that was trained for none, which has to be made to call. */
const modelPath = await findRealModel(SMOLLM2);

const weather: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Says what the weather is like.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 20 }, unit: { $ref: '#/$defs/Unit' } },
      required: ['city', 'unit'],
      $defs: { Unit: { enum: ['celsius', 'fahrenheit'] } },
    },
  },
};
const clock: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: { name: 'clock', description: 'Says what time it is.' },
};

describe.skipIf(!modelPath)('a node with SmolLM2-135M', () => {
  let node: RealNode;

  beforeAll(async () => {
    node = await startRealNode(modelPath ?? '', 4096);
  });
  afterAll(() => node?.[Symbol.asyncDispose]());

  const asked = {
    model: 'local',
    temperature: 0,
    max_completion_tokens: 80,
    tools: [weather, clock],
    messages: [{ role: 'user' as const, content: 'What is the weather in Paris, in celsius?' }],
  };

  it('calls a tool with arguments as it wants them where it has to, and answers with the result', async () => {
    const { choices } = await node.client.chat.completions.create({ ...asked, tool_choice: 'required' });
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    const message = choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (call?.type !== 'function' || !message) throw new Error('nothing was called');
    expect(['get_weather', 'clock']).toContain(call.function.name);
    if (call.function.name === 'get_weather') expectWeather(call.function.arguments);

    const next = await node.client.chat.completions.create({
      ...asked,
      messages: [...asked.messages, message, { role: 'tool', tool_call_id: call.id, content: '21 degrees and rain' }],
      tool_choice: 'none',
    });
    expect(next.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringContaining('21') },
    });
  });

  it('calls a tool whose schema says more than a grammar holds', async () => {
    const booking = {
      type: 'object',
      properties: {
        guests: { type: 'integer', minimum: 1, maximum: 8 },
        day: { type: 'string', format: 'date' },
        code: { type: 'string', pattern: '^[A-Z]{2}[0-9]{3}$' },
        rooms: { type: 'array', items: { type: 'integer', multipleOf: 1 }, uniqueItems: true, maxItems: 1 },
      },
      required: ['guests', 'day', 'code', 'rooms'],
    };
    const { choices } = await node.client.chat.completions.create({
      ...asked,
      tools: [{ type: 'function', function: { name: 'book', parameters: booking } }],
      tool_choice: 'required',
    });
    const [call] = choices[0]?.message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('nothing was called');
    expect(JSON.parse(call.function.arguments)).toMatchObject({
      guests: expect.toSatisfy((guests) => Number.isInteger(guests) && guests >= 1 && guests <= 8),
      code: expect.stringMatching(/^[A-Z]{2}[0-9]{3}$/),
    });
  });

  it('calls the tool that is named, in a stream', async () => {
    const stream = node.client.chat.completions.stream({
      ...asked,
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: '' } });
    const [call] = final.choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), function: { name: 'get_weather' } });
    expectWeather(call?.type === 'function' ? call.function.arguments : '');
  });

  it('a tool that takes nothing is called with nothing', async () => {
    const named = { type: 'function' as const, function: { name: 'clock' } };
    const { choices } = await node.client.chat.completions.create({ ...asked, tool_choice: named });
    expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'clock', arguments: '{}' } }]);
  });

  it('counts what it is told of tools as a part of the prompt', async () => {
    const few = await node.client.chat.completions.create({ ...asked, max_completion_tokens: 1 });
    const none = await node.client.chat.completions.create({ ...asked, max_completion_tokens: 1, tool_choice: 'none' });
    expect(few.usage?.prompt_tokens).toBeGreaterThan((none.usage?.prompt_tokens ?? 0) + 50);
  });

  function expectWeather(json: string): void {
    expect(JSON.parse(json)).toEqual({
      city: expect.any(String),
      unit: expect.stringMatching(/^(celsius|fahrenheit)$/),
    });
  }
});

describe('through the mesh', () => {
  let mesh: TestMesh;

  beforeAll(async () => {
    mesh = await TestMesh.open();
  });
  afterAll(async () => {
    await mesh.clear();
    await mesh.close();
  });

  it('a call comes back to who asked, and is paid for as the text that it crosses as', async () => {
    const written = [
      'I look. ',
      '<tool_',
      'call>\n{"name": "get_weather", ',
      '"arguments": {"city": "Rom"}}\n</tool_call>',
    ];
    const worker = await mesh.worker({ tokens: written });
    const { client, credits } = await mesh.client([worker]);
    const request = {
      input: {
        messages: [
          { role: 'user' as const, content: 'Oslo?' },
          { role: 'assistant' as const, content: '', toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{}' }] },
          { role: 'tool' as const, content: '5°', toolCallId: 'a' },
          { role: 'user' as const, content: 'And Rome?' },
        ],
      },
      maxTokens: 50,
      tools: [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
      toolChoice: 'auto' as const,
    };
    const chunks = [];
    let result: unknown;
    for await (const event of client.generate(request)) {
      if (event.type === 'chunk') chunks.push(event);
      if (event.type === 'done') result = event.result;
    }
    expect(worker.backend.started).toEqual([request]);
    const call = { id: expect.any(String), name: 'get_weather', arguments: '{"city":"Rom"}' };
    expect(chunks.map(({ text }) => text).join('')).toBe('I look. ');
    expect(chunks.flatMap(({ toolCalls = [] }) => toolCalls)).toEqual([call]);
    expect(result).toMatchObject({ text: 'I look. ', finish: 'tool_calls', toolCalls: [call] });
    await expect.poll(() => credits.acknowledged.size).toBe(1);
    const [signed] = credits.signed.values();
    expect(signed?.body).toMatchObject({ resultChars: written.join('').length, completionTokens: 4 });
  });
});
