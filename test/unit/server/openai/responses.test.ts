import type OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import type { AskedOptions, Generator } from '../../../../src-main/server/openai/generator.ts';
import { KeptResponses } from '../../../../src-main/server/openai/responses/kept-responses.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { heapAfterCollecting } from '../../../support/fuzz/heap.ts';
import { done, endless, events, fails, openServer, probability, raw, says } from '../../../support/server-harness.ts';

type Created = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' };
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { type: 'function' as const, name: 'get_weather', parameters, strict: true };
const asked = { model: 'tiny', input: 'Hi' };

async function* calling() {
  yield { type: 'chunk' as const, text: 'I look.', tokens: 2 };
  yield { type: 'chunk' as const, text: '', tokens: 3, toolCalls: [call] };
  yield done({ text: 'I look.', finish: 'tool_calls', toolCalls: [call] });
}

describe('POST /v1/responses', () => {
  it('answers the official client', async () => {
    const { client, generator } = await openServer();
    const response = await client.responses.create({
      ...asked,
      instructions: 'Be brief.',
      max_output_tokens: 9,
      temperature: 0.2,
      top_p: 0.3,
      metadata: { run: '7' },
      reasoning: { effort: 'low' },
      user: 'me',
      service_tier: 'auto',
    });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{48}$/),
      object: 'response',
      status: 'completed',
      model: 'tiny',
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
        },
      ],
      output_text: 'Hello there',
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 7,
      },
      instructions: 'Be brief.',
      max_output_tokens: 9,
      temperature: 0.2,
      metadata: { run: '7' },
      error: null,
      incomplete_details: null,
      text: { format: { type: 'text' } },
    });
    expect(generator.asked[0]).toMatchObject({
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      maxTokens: 9,
      temperature: 0.2,
      topP: 0.3,
    });
  });

  it('takes a conversation with calls and what came of them', async () => {
    const { client, generator } = await openServer();
    const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' } as const;
    await client.responses.create({
      ...asked,
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'In English.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Oslo?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { ...said, content: [{ type: 'output_text', text: 'I look.', annotations: [] }] },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'get_weather', arguments: '{}' },
        { type: 'function_call', call_id: 'b', name: 'get_weather', arguments: '{"city":"Rom"}' },
        { type: 'function_call_output', call_id: 'a', output: '5°' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: '20°' }] },
      ],
    });
    expect(generator.asked[0]?.input).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.\n\nIn English.' },
        { role: 'user', content: 'Oslo?' },
        {
          role: 'assistant',
          content: 'I look.',
          toolCalls: [
            { id: 'a', name: 'get_weather', arguments: '{}' },
            { id: 'b', name: 'get_weather', arguments: '{"city":"Rom"}' },
          ],
        },
        { role: 'tool', content: '5°', toolCallId: 'a' },
        { role: 'tool', content: '20°', toolCallId: 'b' },
      ],
    });
  });

  it('offers functions, and tells of calls as items of their own', async () => {
    const { client, generator } = await openServer();
    generator.script = calling;
    const choice = { type: 'function' as const, name: 'get_weather' };
    const response = await client.responses.create({ ...asked, tools: [weather], tool_choice: choice });
    expect(generator.asked[0]).toMatchObject({
      tools: [{ name: 'get_weather', parameters }],
      toolChoice: { name: 'get_weather' },
    });
    expect(response.output).toMatchObject([
      { type: 'message', status: 'completed', content: [{ text: 'I look.' }] },
      {
        type: 'function_call',
        id: expect.stringMatching(/^fc_/),
        call_id: 'call_1',
        name: 'get_weather',
        arguments: '{"city":"Oslo"}',
        status: 'completed',
      },
    ]);
    expect(response).toMatchObject({ status: 'completed', tools: [weather], tool_choice: choice });
  });

  it.each<[string, Created['text'], object | undefined]>([
    ['json_object', { format: { type: 'json_object' } }, { type: 'object' }],
    ['json_schema', { format: { type: 'json_schema', name: 'x', schema: { type: 'array' } } }, { type: 'array' }],
    ['text', { format: { type: 'text' }, verbosity: 'low' }, undefined],
  ])('takes the format %s', async (_, text, jsonSchema) => {
    const { client, generator } = await openServer();
    const response = await client.responses.create({ ...asked, text });
    expect(generator.asked[0]?.jsonSchema).toEqual(jsonSchema);
    expect(response.text).toMatchObject({ format: text?.format });
  });

  it('says that an answer was cut', async () => {
    const { client, generator } = await openServer();
    generator.script = async function* () {
      yield done({ text: 'So', finish: 'length' });
    };
    expect(await client.responses.create(asked)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete', content: [{ text: 'So' }] }],
    });
  });

  it('an answer without a word is an empty message', async () => {
    const { client, generator } = await openServer();
    generator.script = async function* () {
      yield done();
    };
    expect((await client.responses.create(asked)).output).toMatchObject([{ content: [{ text: '' }] }]);
  });

  it('gives log-probabilities where they are included', async () => {
    const { client, generator } = await openServer();
    generator.script = async function* () {
      yield { type: 'chunk', text: 'é', tokens: 1, logprobs: [{ ...probability('é', -1), top: [] }] };
      yield done({ text: 'é' });
    };
    const { output } = await client.responses.create({ ...asked, include: ['message.output_text.logprobs'] });
    expect(generator.asked[0]?.topLogprobs).toBe(0);
    expect(output).toMatchObject([{ content: [{ logprobs: [{ token: 'é', bytes: [195, 169], logprob: -1 }] }] }]);
  });
});

describe('a streamed response', () => {
  async function streamed(script?: () => AsyncGenerator<never>, more: object = {}) {
    const { url, generator } = await openServer();
    if (script) generator.script = script;
    const { text } = await raw(`${url}/v1/responses`, { body: { ...asked, stream: true, ...more } });
    const all = events(text.replaceAll(/^event: .*\n/gm, ''));
    expect(text.match(/^event: .*$/gm)).toEqual(all.map(({ type }) => `event: ${type}`));
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, at) => at));
    return all;
  }

  it('comes in events that have names and numbers', async () => {
    const all = await streamed();
    expect(all.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const { id } = all[2].item;
    const place = { item_id: id, output_index: 0, content_index: 0 };
    expect(all[0].response).toMatchObject({ status: 'in_progress', output: [], usage: null });
    expect(all[2].item).toEqual({ id, type: 'message', role: 'assistant', status: 'in_progress', content: [] });
    expect(all[3]).toMatchObject({ ...place, part: { type: 'output_text', text: '' } });
    expect(all[4]).toMatchObject({ ...place, delta: 'Hello', logprobs: [] });
    expect(all[6]).toMatchObject({ ...place, text: 'Hello there' });
    expect(all[8].item).toMatchObject({ id, status: 'completed', content: [{ text: 'Hello there' }] });
    expect(all[9].response).toMatchObject({ status: 'completed', output: [all[8].item], usage: { total_tokens: 7 } });
  });

  it('tells of calls: what is added, its arguments, and that it is done', async () => {
    const all = await streamed(calling as never);
    expect(all.slice(7).map(({ type, output_index }) => [type, output_index])).toEqual([
      ['response.output_item.done', 0],
      ['response.output_item.added', 1],
      ['response.function_call_arguments.delta', 1],
      ['response.function_call_arguments.done', 1],
      ['response.output_item.done', 1],
      ['response.completed', undefined],
    ]);
    expect(all[8].item).toMatchObject({ type: 'function_call', arguments: '', status: 'in_progress' });
    expect(all[10]).toMatchObject({ item_id: all[8].item.id, arguments: '{"city":"Oslo"}' });
  });

  it('builds up to the whole with the official client', async () => {
    const { client, generator } = await openServer();
    generator.script = calling;
    const stream = client.responses.stream({ ...asked, tools: [weather] });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });
    const final = await stream.finalResponse();
    expect([text, final.output_text, final.status]).toEqual(['I look.', 'I look.', 'completed']);
    expect(final.output[1]).toMatchObject({ name: 'get_weather', parsed_arguments: { city: 'Oslo' } });
  });

  it('ends as incomplete where it was cut', async () => {
    const all = await streamed(async function* () {
      yield { type: 'chunk', text: 'So', tokens: 1 } as never;
      yield done({ text: 'So', finish: 'length' }) as never;
    });
    expect(all.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });

  it('is an error alone where it fails while it waits: nothing was created', async () => {
    const { url, generator } = await openServer();
    generator.script = async function* () {
      yield { type: 'queued', position: 3, etaMs: 1_200, worker: 'ab'.repeat(32) };
      throw new QuarryError({ code: 'NO_WORKER', message: 'Nobody is left.' });
    };
    const { text } = await raw(`${url}/v1/responses`, { body: JSON.stringify({ ...asked, stream: true }) });
    const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(text) ?? [];
    const error = { type: 'error', sequence_number: 0, code: 'no_worker', message: 'Nobody is left.', param: null };
    expect([event, JSON.parse(data ?? '{}')]).toEqual(['error', error]);
    expect(text).not.toContain('response.');
  });

  it('keeps what the system says amid a conversation in its place, each for itself', async () => {
    const { client, generator } = await openServer();
    const [first, second] = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'system' as const, content: 'In English.' },
    ];
    const input = [{ role: 'user' as const, content: 'Hi' }, first, second];
    await client.responses.create({ ...asked, input });
    expect(generator.asked[0]?.input).toEqual({ messages: input });
  });

  it('ends as failed where the model fails in the middle, and is not kept', async () => {
    const all = await streamed(async function* () {
      yield { type: 'chunk', text: 'half', tokens: 1 } as never;
      throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'The engine died.', retryable: true });
    });
    expect(all.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error', message: 'The engine died.' },
        output: [{ status: 'in_progress', content: [{ text: 'half' }] }],
      },
    });
  });

  it('fails with a status before its first word', async () => {
    const { client, generator } = await openServer();
    generator.script = () => fails(new QuarryError({ code: 'QUEUE_FULL', message: 'full' }));
    const asking = client.responses.create({ ...asked, stream: true });
    await expect(asking).rejects.toMatchObject({ status: 503, code: 'queue_full' });
  });

  it('frees the model when the client goes away', async () => {
    const { client, generator } = await openServer();
    const { script, aborted } = endless();
    generator.script = script;
    const stream = await client.responses.create({ ...asked, stream: true });
    for await (const { type } of stream) if (type === 'response.output_text.delta') break;
    await aborted;
  });
});

describe('a response that is kept', () => {
  it('goes on: what was said and called comes before what is asked now, without its instructions', async () => {
    const { client, generator } = await openServer();
    generator.script = calling;
    const first = await client.responses.create({ ...asked, instructions: 'Be brief.', tools: [weather] });
    generator.script = () => says('5 degrees');
    const second = await client.responses.create({
      model: 'tiny',
      previous_response_id: first.id,
      instructions: 'Be kind.',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '5°' }],
    });
    expect(second.previous_response_id).toBe(first.id);
    await client.responses.create({ model: 'tiny', previous_response_id: second.id, input: 'Thanks' });
    const before = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'I look.', toolCalls: [call] },
      { role: 'tool', content: '5°', toolCallId: 'call_1' },
    ];
    expect(generator.asked.slice(1).map(({ input }) => input)).toEqual([
      { messages: [{ role: 'system', content: 'Be kind.' }, ...before] },
      { messages: [...before, { role: 'assistant', content: '5 degrees' }, { role: 'user', content: 'Thanks' }] },
    ]);
  });

  it('can be asked for again, and removed', async () => {
    const { client, url } = await openServer();
    const { output_text: _, ...response } = await client.responses.create(asked);
    expect((await raw(`${url}/v1/responses/${response.id}`)).json).toEqual(response);
    expect((await raw(`${url}/v1/responses/${response.id}`, { method: 'DELETE' })).json).toMatchObject({
      deleted: true,
    });
    await expect(client.responses.retrieve(response.id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    await expect(client.responses.delete(response.id)).rejects.toMatchObject({ status: 404 });
  });

  it('is removed by OpenAI’s Python client, which says that its empty body is JSON', async () => {
    const { client, url } = await openServer();
    const { id } = await client.responses.create(asked);
    const headers = { 'content-type': 'application/json', 'content-length': '0' };
    const removed = await raw(`${url}/v1/responses/${id}`, { method: 'DELETE', headers });
    expect([removed.status, removed.json]).toEqual([200, { id, object: 'response', deleted: true }]);
  });

  it('is referred to by the ids of its items', async () => {
    const { client, generator } = await openServer();
    const { output } = await client.responses.create(asked);
    const { id = '' } = output[0] as { id?: string };
    await client.responses.create({
      model: 'tiny',
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'item_reference', id },
        { role: 'user', content: 'Go on' },
      ],
    });
    expect(generator.asked[1]?.input).toMatchObject({
      messages: [{}, { role: 'assistant', content: 'Hello there' }, {}],
    });
    const unknown = client.responses.create({ model: 'tiny', input: [{ type: 'item_reference', id: 'msg_0' }] });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: 'input[0].id' });
  });

  it('cannot be referred to so often that what is asked is too large', async () => {
    const { client, generator } = await openServer();
    generator.script = () => says('x'.repeat(100_000));
    const { output } = await client.responses.create(asked);
    const { id = '' } = output[0] as { id?: string };
    const input = Array.from({ length: 1_000 }, () => ({ type: 'item_reference' as const, id }));
    const stringify = vi.spyOn(JSON, 'stringify');
    const asking = client.responses.create({ model: 'tiny', input });
    await expect(asking).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'input' });
    const written = stringify.mock.results.map(({ value }) => String(value).length);
    stringify.mockRestore();
    expect(Math.max(...written)).toBeLessThan(1_000_000); // a hundred million were never written out
    expect(generator.asked).toHaveLength(1);
  });

  it('is not there where it was not to be stored', async () => {
    const { client } = await openServer();
    const { id } = await client.responses.create({ ...asked, store: false });
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.create({ ...asked, previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringContaining('Send the whole conversation'),
    });
  });

  it('is kept to learn from, under its id, as a chat is', async () => {
    const kept: (string | undefined)[] = [];
    const generator: Generator = {
      generate: (_request, options?: AskedOptions) => {
        kept.push(options?.keepAs);
        return says('x');
      },
    };
    const { client } = await openServer({ token: 'secret', route: () => generator });
    const { id } = await client.responses.create(asked);
    await client.responses.create({ ...asked, store: false });
    expect(kept).toEqual([id, undefined]);
  });

  const item = { type: 'message' as const, role: 'assistant' as const, content: 'x' };
  const keptAs = (id: string, response: object) => ({
    id,
    response,
    items: [item],
    said: new Map([[`msg_${id}`, item]]),
  });

  it('makes room: a thousand are kept, of 32 million bytes', () => {
    const kept = new KeptResponses();
    const put = (id: string, text: string) => kept.put(keptAs(id, { text }));
    for (let at = 0; at <= 1_000; at++) put(`r${at}`, 'short');
    expect(() => kept.get('r0')).toThrow(/Nothing is kept under/);
    expect(() => kept.said([{ type: 'item_reference', id: 'msg_r0' }])).toThrow(/Nothing is kept under/);
    expect(JSON.parse(kept.get('r1'))).toEqual({ text: 'short' });
    expect(kept.said([{ type: 'item_reference', id: 'msg_r1' }])).toEqual([item]);
    put('large', '世'.repeat(10_666_000));
    expect(kept.get('large')).toContain('世世');
    expect(() => kept.get('r500')).toThrow();
    put('too large', '世'.repeat(10_667_000));
    expect(() => kept.get('too large')).toThrow();
    expect(() => kept.said([{ type: 'item_reference', id: 'msg_too large' }])).toThrow(/Nothing is kept under/);
  });

  it('takes no more memory than its text, whatever a stranger has made it of', () => {
    const kept = new KeptResponses();
    const bytesInUse = () => heapAfterCollecting() + process.memoryUsage().external;
    const tools = JSON.stringify(Array.from({ length: 13 }, () => ({ x: Array.from({ length: 9_950 }, () => ({})) })));
    const before = bytesInUse();
    for (let at = 0; at < 100; at++) kept.put(keptAs(`r${at}`, { tools: JSON.parse(tools) }));
    expect(bytesInUse() - before).toBeLessThan(50_000_000);
    expect(kept.get('r99')).toContain('{},{}');
  });
});

describe('a response that cannot be had', () => {
  it.each<[string, object, string]>([
    ['nothing asked', { input: undefined }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an unknown item', { input: [{ type: 'computer_call' }] }, 'input[0].type'],
    ['an unknown role', { input: [{ role: 'wizard', content: 'x' }] }, 'input[0].role'],
    [
      'a picture',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] }] },
      'input[0].content[0].image_url',
    ],
    ['a file', { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0].content[0].type'],
    ['a tool of OpenAI’s own', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    ['a call of what is not there', { tool_choice: { type: 'function', name: 'rm' } }, 'tool_choice'],
    ['no tokens', { max_output_tokens: 0 }, 'max_output_tokens'],
    [
      'a schema that is none',
      { text: { format: { type: 'json_schema', name: 'x', schema: 1 } } },
      'text.format.schema',
    ],
    ['work in the background', { background: true }, 'background'],
    ['a conversation that OpenAI keeps', { conversation: 'conv_1' }, 'conversation'],
    ['a prompt that OpenAI keeps', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['metadata that is none', { metadata: { a: 1 } }, 'metadata.a'],
    ['a result of nothing', { input: [{ type: 'function_call_output', call_id: '', output: '' }] }, 'input[0].call_id'],
  ])('%s is refused, naming the field', async (_, wrong, param) => {
    const { url, generator } = await openServer();
    const { status, json } = await raw(`${url}/v1/responses`, { body: { ...asked, ...wrong } });
    expect([status, json.error.param, json.error.type]).toEqual([400, param, 'invalid_request_error']);
    expect(json.error.message).toEqual(expect.any(String));
    expect(generator.asked).toEqual([]);
  });

  it('what the engine refuses is named as it is called here', async () => {
    const { client, generator } = await openServer();
    generator.script = () => fails(new QuarryError({ code: 'BAD_REQUEST', message: 'No.', field: 'jsonSchema' }));
    await expect(client.responses.create(asked)).rejects.toMatchObject({ status: 400, param: 'text.format' });
    generator.script = () => fails(new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'No.', field: 'input' }));
    await expect(client.responses.create(asked)).rejects.toMatchObject({
      status: 400,
      param: 'input',
      code: 'context_length_exceeded',
    });
  });

  it('is not streamed again', async () => {
    const { client, url } = await openServer();
    const { id } = await client.responses.create(asked);
    expect((await raw(`${url}/v1/responses/${id}?stream=true`)).status).toBe(400);
  });
});
