import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRpcFrame } from '../../../../src-main/server/rpc/rpc-frame.ts';
import { QuarryError, type QuarryErrorData } from '../../../../src-preload/contract/errors.ts';
import { chat, fails, openServer, raw } from '../../../support/server-harness.ts';

const CHAT_SCHEMA = 'response_format.json_schema.schema';
const OWN_SCHEMA = 'text.format.schema';

const ok = [{ role: 'user', content: 'Hi' }];

/** Each body with the field that the answer has to name. */
const wrongChats: [string, unknown, string | null][] = [
  ['no object', [1, 2], null],
  ['null', null, null],
  ['no model', { messages: ok }, 'model'],
  ['a model that is no text', { model: 7, messages: ok }, 'model'],
  ['no messages', { model: 'tiny' }, 'messages'],
  ['messages of the wrong type', chat('Hi'), 'messages'],
  ['empty messages', chat([]), 'messages'],
  ['an unknown role', chat([{ role: 'wizard', content: 'Hi' }]), 'messages[0].role'],
  ['a message without content', chat([...ok, { role: 'user' }]), 'messages[1].content'],
  ['content of the wrong type', chat([{ role: 'user', content: 5 }]), 'messages[0].content'],
  ['a part that is no text', chat([{ role: 'user', content: [{ type: 'smell' }] }]), 'messages[0].content[0].type'],
  ['a tool’s message', chat([{ role: 'tool', content: 'x' }]), 'messages[0].tool_call_id'],
  ['a tool call', chat([{ role: 'assistant', content: 'x', tool_calls: [{}] }]), 'messages[0].tool_calls[0].id'],
  ['a temperature that is a text', chat(ok, { temperature: 'hot' }), 'temperature'],
  ['a temperature that is too high', chat(ok, { temperature: 2.5 }), 'temperature'],
  ['a top_p above 1', chat(ok, { top_p: 1.5 }), 'top_p'],
  ['no tokens', chat(ok, { max_tokens: 0 }), 'max_tokens'],
  ['half a token', chat(ok, { max_completion_tokens: 1.5 }), 'max_completion_tokens'],
  ['an empty stop string', chat(ok, { stop: '' }), 'stop'],
  ['stop strings of the wrong type', chat(ok, { stop: ['a', 1] }), 'stop[1]'],
  ['a seed that is no integer', chat(ok, { seed: 1.5 }), 'seed'],
  ['a stream that is a text', chat(ok, { stream: 'yes' }), 'stream'],
  ['top_logprobs alone', chat(ok, { top_logprobs: 2 }), 'top_logprobs'],
  ['too many top_logprobs', chat(ok, { logprobs: true, top_logprobs: 21 }), 'top_logprobs'],
  ['an unknown response format', chat(ok, { response_format: { type: 'xml' } }), 'response_format.type'],
  [
    'a JSON schema without a schema',
    chat(ok, { response_format: { type: 'json_schema', json_schema: { name: 'x' } } }),
    'response_format.json_schema.schema',
  ],
  ['tools', chat(ok, { tools: [{ type: 'function' }] }), 'tools[0].function'],
  [
    'content of too many parts',
    chat([{ role: 'user', content: Array(4_001).fill({ type: 'text', text: '' }) }]),
    'messages',
  ],
  ['no answer', chat(ok, { n: 0 }), 'n'],
  ['nine answers', chat(ok, { n: 9 }), 'n'],
  ['the best of several', chat(ok, { best_of: 2 }), 'best_of'],
  ['audio', chat(ok, { modalities: ['text', 'audio'] }), 'modalities'],
  ['a bias of no token', chat(ok, { logit_bias: { the: 1 } }), 'logit_bias.the'],
  ['a bias that is too strong', chat(ok, { logit_bias: { 5: 101 } }), 'logit_bias.5'],
  ['a list of biases', chat(ok, { logit_bias: [[5, 1]] }), 'logit_bias'],
  ['a presence penalty that is too high', chat(ok, { presence_penalty: 2.5 }), 'presence_penalty'],
];

describe('a chat request that is wrong', () => {
  it.each(wrongChats)('is refused for %s', async (_, body, param) => {
    const { url, generator } = await openServer();
    const { status, json } = await raw(`${url}/v1/chat/completions`, { body: JSON.stringify(body) });
    expect(status).toBe(400);
    expect(json).toEqual({
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param,
        code: param ? expect.any(String) : null,
      },
    });
    expect(generator.asked).toEqual([]);
  });

  it.each([
    ['content that is missing', chat([{ role: 'user' }]), '«messages[0].content» is missing.'],
    ['a temperature that no model takes', chat(ok, { temperature: 9 }), 'expected number to be <=2.'],
    ['a call where there are no tools', chat(ok, { tool_choice: 'required' }), 'there are no tools'],
    ['functions', chat(ok, { functions: [{ name: 'x' }] }), 'In its place, use tools.'],
    ['two prompts', { model: 'tiny', prompt: ['a', 'b'] }, 'one prompt at a time'],
  ])('is told what is wrong: %s', async (_, body, message) => {
    const { url } = await openServer();
    const path = typeof body === 'object' && 'prompt' in body ? 'completions' : 'chat/completions';
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const { status, json } = await raw(`${url}/v1/${path}`, { body: sent });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is refused for tools that nest without end', async () => {
    const { url } = await openServer();
    const ask = (levels: number) => {
      const tools = '['.repeat(levels) + ']'.repeat(levels);
      return raw(`${url}/v1/chat/completions`, {
        body: `{"model":"tiny","messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`,
      });
    };
    const [deep, without] = [await ask(60), await ask(5_000)];
    expect([deep.status, deep.json.error.param]).toEqual([400, 'tools[0]']);
    expect([without.status, without.json.error.message]).toEqual([400, 'The body nests deeper than 64 levels.']);
  });

  it.each([
    ['image_url', { url: 'data:image/png;base64,AA' }, /has a projector/],
    ['input_audio', { data: 'AA', format: 'wav' }, /no model here hears/],
    ['file', { file_id: 'file-1' }, /send their text/],
  ])('says why no part of it may be %s', async (type, held, why) => {
    const { url } = await openServer();
    const content = [
      { type: 'text', text: 'What is this?' },
      { type, [type]: held },
    ];
    const { status, json } = await raw(`${url}/v1/chat/completions`, { body: chat([{ role: 'user', content }]) });
    expect([status, json.error.param]).toEqual([400, `messages[0].content[1].${type}`]);
    expect(json.error.message).toMatch(why);
  });

  it('may hold what asks for nothing, and what it does not know', async () => {
    const { url } = await openServer();
    const harmless = {
      n: 1,
      tools: [],
      tool_choice: 'auto',
      logit_bias: {},
      presence_penalty: 0,
      modalities: ['text'],
    };
    const unknown = {
      ...{ user: 'me', metadata: { a: 'b' }, store: false, parallel_tool_calls: true, from_the_future: 1 },
      ...{ service_tier: 'auto', reasoning_effort: 'low', verbosity: 'low', prompt_cache_key: 'a', prediction: null },
      ...{ safety_identifier: 'me', stream_options: null, stop: null, max_completion_tokens: null, n: null },
    };
    expect((await raw(`${url}/v1/chat/completions`, { body: chat(ok, { ...harmless, ...unknown }) })).status).toBe(200);
  });
});

it('never fails for what a client may send', async () => {
  const { url } = await openServer();
  const fields = fc.constantFrom(
    'messages',
    'prompt',
    'input',
    'stop',
    'seed',
    'n',
    'tools',
    'stream',
    'logprobs',
    'echo',
    'logit_bias',
    'previous_response_id',
    'text',
  );
  const body = fc
    .dictionary(fields, fc.jsonValue())
    .map((each) => ({ ...chat(ok, { prompt: 'a', input: 'b' }), ...each }));
  const endpoint = fc.constantFrom('chat/completions', 'completions', 'embeddings', 'responses');
  await fc.assert(
    fc.asyncProperty(endpoint, body, async (path, each) => {
      const { status, json } = await raw(`${url}/v1/${path}`, { body: JSON.stringify(each) });
      expect([200, 400]).toContain(status);
      if (status === 400) expect(json.error.message).toEqual(expect.any(String));
    }),
    { numRuns: 300 },
  );
});

describe('a completion or embedding request that is wrong', () => {
  it.each([
    ['completions', { model: 'tiny' }, 'prompt'],
    ['completions', { model: 'tiny', prompt: '' }, 'prompt'],
    ['completions', { model: 'tiny', prompt: ['a', 'b'] }, 'prompt'],
    ['completions', { model: 'tiny', prompt: [1, 2] }, 'prompt'],
    ['completions', { model: 'tiny', prompt: 'a', suffix: 'b' }, 'suffix'],
    ['completions', { model: 'tiny', prompt: 'a', best_of: 3 }, 'best_of'],
    ['completions', { model: 'tiny', prompt: 'a', n: 2, best_of: 3 }, 'best_of'],
    ['completions', { model: 'tiny', prompt: 'a', n: 1.5 }, 'n'],
    ['completions', { model: 'tiny', prompt: 'a', logprobs: true }, 'logprobs'],
    ['embeddings', { model: 'tiny' }, 'input'],
    ['embeddings', { model: 'tiny', input: [] }, 'input'],
    ['embeddings', { model: 'tiny', input: ['a', ''] }, 'input[1]'],
    ['embeddings', { model: 'tiny', input: 'a', encoding_format: 'hex' }, 'encoding_format'],
    ['embeddings', { model: 'tiny', input: 'a', dimensions: 8 }, 'dimensions'],
  ])('%s %j names the field', async (endpoint, body, param) => {
    const { url } = await openServer();
    const { status, json } = await raw(`${url}/v1/${endpoint}`, { body });
    expect([status, json.error.param]).toEqual([400, param]);
  });
});

describe('a request that no route takes', () => {
  it.each([
    ['an unknown model', '/v1/chat/completions', { ...chat(), model: 'gpt-9' }, 404, 'model_not_found'],
    ['an unknown path', '/v1/assistants', {}, 404, 'unknown_url'],
    ['speech', '/v1/audio/speech', {}, 404, 'unknown_url'],
    ['pictures', '/v1/images/generations', { prompt: 'a cat' }, 404, 'unknown_url'],
    ['a body that is not JSON', '/v1/chat/completions', '{"model": "tiny",', 400, 'invalid_json'],
    ['an empty body', '/v1/chat/completions', '', 400, 'invalid_json'],
    ['a poisoned prototype', '/v1/chat/completions', '{"__proto__": {"a": 1}}', 400, 'invalid_json'],
  ])('%s', async (_, path, body, status, code) => {
    const { url } = await openServer();
    const answer = await raw(url + path, { body });
    expect([answer.status, answer.json.error.code, answer.json.error.type]).toEqual([
      status,
      code,
      'invalid_request_error',
    ]);
  });

  it('a recording to be translated, whose file is not even read', async () => {
    const { client } = await openServer();
    const asking = client.audio.translations.create({ model: 'whisper-1', file: new File(['RIFF'], 'a.wav') });
    await expect(asking).rejects.toMatchObject({
      status: 404,
      code: 'unknown_url',
      message: expect.stringContaining('no model here translates speech'),
    });
  });

  it.each([
    ['/chat/completions', '. Addresses of the OpenAI API begin with /v1/.'],
    ['/api/chat', '. Addresses of the OpenAI API begin with /v1/.'],
    ['/v1/moderations', ''],
  ])('an address that there is not: %s', async (path, hint) => {
    const { url } = await openServer();
    const answer = await raw(`${url}${path}`, { body: chat() });
    expect(answer.json.error).toMatchObject({ code: 'unknown_url', message: `Unknown request: POST ${path}${hint}` });
  });

  it('an address that cannot be read', async () => {
    const { url } = await openServer();
    const answer = await raw(`${url}/v1/%zz`);
    expect([answer.status, answer.json.error.type]).toEqual([400, 'invalid_request_error']);
    expect(answer.json.error.code).toBe('invalid_url');
  });

  it('a body of another kind', async () => {
    const { url } = await openServer();
    const headers = { 'content-type': 'text/plain' };
    const answer = await raw(`${url}/v1/chat/completions`, { body: JSON.stringify(chat()), headers });
    expect([answer.status, answer.json.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.json.error.message).toBe('Send the header content-type: application/json');
  });

  it('a body that is too large', async () => {
    const { url } = await openServer({ limits: { bodyBytes: 1000 } });
    const answer = await raw(`${url}/v1/chat/completions`, {
      body: chat([{ role: 'user', content: 'x'.repeat(2000) }]),
    });
    expect([answer.status, answer.json.error.code]).toEqual([413, 'request_too_large']);
  });
});

describe('a body with more keys and entries than any request has', () => {
  it.each([
    [
      '/v1/chat/completions',
      `{"model":"tiny","messages":[${'{},'.repeat(70_000)}{}],"user":[${'1,'.repeat(65_000)}1]}`,
    ],
    ['/v1/embeddings', `{"model":"tiny","input":"a",${Array.from({ length: 70_000 }, (_, at) => `"k${at}":1`)}}`],
    // Not even JSON: nobody has parsed it.
    ['/v1/completions', '['.repeat(10) + '1,'.repeat(140_000)],
  ])('is not parsed: %s', async (path, body) => {
    const { url } = await openServer();
    const answer = await raw(url + path, { body });
    expect([answer.status, answer.json.error.code]).toEqual([413, 'request_too_large']);
  });

  it('is not taken over the WebSocket', () => {
    const call = (b: unknown) => JSON.stringify({ i: '1', p: { u: '/settings/set', b } });
    expect(isRpcFrame(call('1,'.repeat(140_000)))).toBe(true);
    expect(isRpcFrame(call(Array(140_000).fill(1)))).toBe(false);
  });
});

describe('a field of another server that would change the answer', () => {
  it.each([
    ['format', 'json', 'response_format'],
    ['grammar', 'root ::= "a"', 'response_format'],
    ['guided_json', {}, 'response_format'],
    ['options', { num_ctx: 4096 }, 'temperature'],
  ])('is refused, with what takes its place: %s', async (param, value, instead) => {
    const { url, generator } = await openServer();
    const { status, json } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { [param]: value }) });
    expect([status, json.error.param, generator.asked]).toEqual([400, param, []]);
    expect(json.error.message).toContain(instead);
  });

  it('is refused by the Responses API in its own words, and so is that of a chat', async () => {
    const { url } = await openServer();
    for (const [param, value, instead] of [
      ['format', { type: 'json_object' }, 'text.format'],
      ['response_format', { type: 'json_object' }, 'text.format'],
      ['max_tokens', 20, 'max_output_tokens'],
    ] as const) {
      const body = JSON.stringify({ model: 'tiny', input: 'Hi', [param]: value });
      const { status, json } = await raw(`${url}/v1/responses`, { body });
      expect([status, json.error.param]).toEqual([400, param]);
      expect(json.error.message).toContain(`use ${instead}`);
    }
  });

  it('is passed over where it asks for nothing', async () => {
    const { url } = await openServer();
    const { status } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { format: null, min_p: 0.1 }) });
    expect(status).toBe(200);
  });
});

describe('an error of the engine or the mesh', () => {
  const cases: [QuarryErrorData, number, object, string | undefined][] = [
    [
      { code: 'CONTEXT_TOO_LONG', message: 'Too long.', field: 'input.messages' },
      400,
      { code: 'context_length_exceeded', param: 'messages', type: 'invalid_request_error' },
      undefined,
    ],
    [{ code: 'BAD_REQUEST', message: 'No.', field: 'jsonSchema' }, 400, { param: 'response_format' }, undefined],
    [{ code: 'BAD_REQUEST', message: 'No.', field: 'toolChoice' }, 400, { param: 'tool_choice' }, undefined],
    [{ code: 'BAD_REQUEST', message: 'No.', field: 'topLogprobs' }, 400, { param: 'top_logprobs' }, undefined],
    [{ code: 'RATE_LIMIT', message: 'Slow.', retryAfterMs: 2500 }, 429, { type: 'rate_limit_error' }, '3'],
    [{ code: 'NO_CREDIT', message: 'Poor.' }, 429, { code: 'insufficient_quota' }, '1'],
    [{ code: 'OVERLOADED', message: 'Busy.' }, 503, { code: 'overloaded', type: 'server_error' }, '1'],
    [{ code: 'NO_WORKER', message: 'Nobody.' }, 503, { code: 'no_worker' }, '1'],
    [{ code: 'DEADLINE', message: 'Late.' }, 504, { code: 'deadline' }, undefined],
    [{ code: 'UNAUTHORIZED', message: 'The remote key is wrong.' }, 502, { code: 'upstream_unauthorized' }, undefined],
    [{ code: 'BANNED', message: 'Out.' }, 403, { type: 'permission_error' }, undefined],
  ];
  it.each(cases)('%j', async (data, status, error, retryAfter) => {
    const { url, generator } = await openServer();
    generator.script = () => fails(new QuarryError(data));
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat() });
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatchObject({ ...error, message: data.message });
    expect(answer.headers['retry-after']).toBe(retryAfter);
  });

  it.each([
    ['logitBias', 'logit_bias', 'logit_bias'],
    [
      'jsonSchema.properties.firstName.type',
      `${CHAT_SCHEMA}.properties.firstName.type`,
      `${OWN_SCHEMA}.properties.firstName.type`,
    ],
    ['input.messages.2.toolCallId', 'messages[2].tool_call_id', 'input[2].tool_call_id'],
    [
      'tools.1.parameters.properties.firstName.minLength',
      'tools[1].function.parameters.properties.firstName.minLength',
      'tools[1].parameters.properties.firstName.minLength',
    ],
    ['maxTokens', 'max_tokens', 'max_output_tokens'],
  ])('names the field %s as the program wrote it', async (field, param, inResponses) => {
    const { url, generator } = await openServer();
    generator.script = () => fails(new QuarryError({ code: 'BAD_REQUEST', message: `«${field}» is wrong.`, field }));
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat() });
    expect(answer.json.error).toMatchObject({ param, message: `«${param}» is wrong.` });
    const response = await raw(`${url}/v1/responses`, { body: JSON.stringify({ model: 'tiny', input: 'Hi' }) });
    expect(response.json.error).toMatchObject({ param: inResponses, message: `«${inResponses}» is wrong.` });
  });

  it('shows no details of one that has no name', async () => {
    const { url, generator } = await openServer();
    generator.script = () => fails(new TypeError('cannot read /home/me/secret'));
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat() });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
  });

  it('may come from choosing the model', async () => {
    const { url } = await openServer({
      route: () => {
        throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'Broken.', hint: 'Restart it.' });
      },
    });
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat() });
    expect([answer.status, answer.json.error.message]).toEqual([503, 'Broken. Restart it.']);
  });
});
