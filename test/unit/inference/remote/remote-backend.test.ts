import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GenerateEvent } from '../../../../src-main/inference/backend.ts';
import { RemoteBackend, type RemoteBackendOptions } from '../../../../src-main/inference/remote/remote-backend.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { resourceContract } from '../../../support/resource-contract.ts';
import { until } from '../../../support/until.ts';
import {
  chatChunk,
  type Reply,
  ScriptedServer,
  sendEvent,
  sendEvents,
  sendJson,
  startEvents,
} from './remote-server.ts';

const CHAT = '/v1/chat/completions';
const COMPLETIONS = '/v1/completions';
const hello: GenerateRequest = { input: { messages: [{ role: 'user', content: 'Hello' }] } };
const ending = [chatChunk('', { finish_reason: 'stop' }), '[DONE]'];

let server: ScriptedServer;
const opened: RemoteBackend[] = [];

beforeEach(async () => {
  server = new ScriptedServer();
  server.replies.set('/v1/models', (response) => sendJson(response, { data: [{ id: 'one', max_model_len: 2048 }] }));
  await server.open();
});

afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close();
  await server.close();
});

function remote(options: Partial<RemoteBackendOptions> = {}): RemoteBackend {
  const backend = new RemoteBackend({ baseUrl: server.url, log: pino({ level: 'silent' }), ...options });
  opened.push(backend);
  return backend;
}

async function ready(options: Partial<RemoteBackendOptions> = {}): Promise<RemoteBackend> {
  const backend = remote(options);
  await backend.open();
  return backend;
}

async function collect(events: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const all: GenerateEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function answerOf(reply: Reply, request = hello): Promise<GenerateEvent[]> {
  server.replies.set('prompt' in request.input ? COMPLETIONS : CHAT, reply);
  return collect((await ready()).generate(request));
}

resourceContract('a remote backend', {
  make: () => {
    server.replies.set('/v1/models', (response) => {
      response.setHeader('connection', 'close'); // `fetch` would keep it for the next one who asks
      sendJson(response, { data: [{ id: 'one' }] });
    });
    return remote();
  },
});

describe('opening a remote backend', () => {
  it('takes the first model and its context size', async () => {
    const backend = await ready();
    expect(backend.status()).toMatchObject({
      state: 'ready',
      model: { name: 'one', contextSize: 2048, device: 'remote' },
    });
  });

  it.each([
    ['/home/me/models/Llama-3.Q4.gguf', 'Llama-3.Q4'],
    ['C:\\models\\Llama-3.Q4.gguf', 'Llama-3.Q4'],
    ['meta-llama/Llama-3', 'meta-llama/Llama-3'],
  ])('shows %s as %s, and asks for it by its id', async (id, name) => {
    server.replies.set('/v1/models', (response) => sendJson(response, { data: [{ id }] }));
    server.replies.set(CHAT, (response) => sendEvents(response, ending));
    const backend = await ready();
    await collect(backend.generate(hello));
    expect([backend.status().model?.name, server.asked.at(-1)?.body.model]).toEqual([name, id]);
  });

  it('sends the key, and says so when it is refused', async () => {
    server.replies.set('/v1/models', (response) => sendJson(response, { error: { message: 'bad key' } }, 401));
    await expect(remote({ apiKey: 'k-1' }).open()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('bad key'),
    });
    expect(server.asked[0]?.authorization).toBe('Bearer k-1');
  });

  it('names the models that there are when the wanted one is missing', async () => {
    await expect(remote({ model: 'two' }).open()).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      hint: 'It offers: one.',
    });
  });

  it('says that nothing listens at the address', async () => {
    await server.close();
    await expect(remote().open()).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('nothing listens there'),
    });
  });

  it.each([
    ['nests too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['has more entries than numbers and texts of that size', `[${'{"":0},'.repeat(100_000)}0]`],
  ])('parses no JSON that %s', async (_, body) => {
    server.replies.set('/v1/models', (response) => response.end(body));
    await expect(remote({ mostBytes: 1 << 20 }).open()).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('nests too deep or has too many entries'),
    });
  });

  it('says that the address is no OpenAI API', async () => {
    server.replies.set('/v1/models', (response) => response.end('<html>hi</html>'));
    await expect(remote().open()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('can be tried again after a failure', async () => {
    await server.close();
    const backend = remote();
    await expect(backend.open()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    await server.open();
    await backend.open();
    expect(backend.status()).toMatchObject({ state: 'ready', error: undefined });
  });

  it.each(['', 'localhost:8000', 'ftp://host/', 'http://user:pass@host/v1'])('refuses the address «%s»', (baseUrl) => {
    expect(() => remote({ baseUrl })).toThrowError(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('keeps a path that the address has', async () => {
    server.replies.set('/api/v3/models', (response) => sendJson(response, { data: [{ id: 'deep' }] }));
    const backend = await ready({ baseUrl: `${server.url}/api/v3/` });
    expect(backend.status().model?.name).toBe('deep');
  });
});

describe('generating remotely', () => {
  it('streams chunks, then the result with the usage that the server counted', async () => {
    const events = await answerOf((response) =>
      sendEvents(response, [
        chatChunk('Good '),
        chatChunk('day', { finish_reason: 'length' }),
        { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } } },
        '[DONE]',
      ]),
    );
    expect(events.slice(0, 2)).toEqual([
      { type: 'chunk', text: 'Good ', tokens: 1, logprobs: undefined },
      { type: 'chunk', text: 'day', tokens: 1, logprobs: undefined },
    ]);
    expect(events[2]).toMatchObject({
      type: 'done',
      result: { text: 'Good day', finish: 'length', promptTokens: 7, cachedTokens: 4, completionTokens: 3 },
    });
  });

  it('sends every sampling option of a conversation', async () => {
    await answerOf((response) => sendEvents(response, ending), {
      ...hello,
      maxTokens: 9,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      repeatPenalty: 1.2,
      frequencyPenalty: 0.5,
      presencePenalty: -1,
      logitBias: { 7: -100 },
      seed: 42,
      stop: ['END'],
      jsonSchema: { type: 'object' },
      topLogprobs: 2,
    });
    expect(server.asked.at(-1)?.body).toEqual({
      model: 'one',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      repetition_penalty: 1.2,
      repeat_penalty: 1.2,
      frequency_penalty: 0.5,
      presence_penalty: -1,
      logit_bias: { 7: -100 },
      seed: 42,
      stop: ['END'],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
      },
      logprobs: true,
      top_logprobs: 2,
    });
  });

  it('sends nothing beyond the OpenAI API unless asked to', async () => {
    await answerOf((response) => sendEvents(response, ending));
    expect(Object.keys(server.asked.at(-1)?.body ?? {}).sort()).toEqual(
      ['max_tokens', 'messages', 'model', 'stream', 'stream_options', 'temperature', 'top_p'].sort(),
    );
  });

  it('sends a raw prompt to /completions', async () => {
    const events = await answerOf(
      (response) => sendEvents(response, [{ choices: [{ text: ' time', finish_reason: 'stop' }] }, '[DONE]']),
      { input: { prompt: 'Once upon a' } },
    );
    expect(server.asked.at(-1)?.body).toMatchObject({ prompt: 'Once upon a' });
    expect(events.at(-1)).toMatchObject({ result: { text: ' time' } });
  });

  it('refuses an adapter rather than to answer without it', async () => {
    const backend = await ready();
    const refused = { code: 'BAD_REQUEST', field: 'model', hint: expect.any(String) };
    await expect(collect(backend.generate(hello, { adapter: '/a.gguf' }))).rejects.toMatchObject(refused);
    const scoring = backend.score({ input: { prompt: 'a' }, continuation: 'b' }, { adapter: '/a.gguf' });
    await expect(scoring).rejects.toMatchObject(refused);
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('reads log-probabilities of the chat form', async () => {
    const logprobs = {
      content: [{ token: 'é', logprob: -0.5, bytes: [195, 169], top_logprobs: [{ token: 'e', logprob: -1 }] }],
    };
    const [chunk] = await answerOf((response) => sendEvents(response, [chatChunk('é', { logprobs }), ...ending]));
    expect(chunk).toMatchObject({
      tokens: 1,
      logprobs: [{ token: 'é', bytes: [195, 169], logprob: -0.5, top: [{ token: 'e', bytes: [101], logprob: -1 }] }],
    });
  });

  it('reads log-probabilities of the older form', async () => {
    const logprobs = { tokens: [' a', 'b'], token_logprobs: [-1, -2], top_logprobs: [{ ' c': -3, ' a': -1 }, {}] };
    const [chunk] = await answerOf(
      (response) => sendEvents(response, [{ choices: [{ text: ' ab', logprobs, finish_reason: 'stop' }] }]),
      { input: { prompt: 'x' } },
    );
    expect(chunk).toMatchObject({
      tokens: 2,
      logprobs: [
        { token: ' a', logprob: -1, top: [{ token: ' a' }, { token: ' c' }] },
        { token: 'b', logprob: -2, top: [] },
      ],
    });
  });

  it('puts characters together that were cut between two packets', async () => {
    const events = await answerOf((response) => {
      startEvents(response);
      const bytes = Buffer.from(`data: ${JSON.stringify(chatChunk('für 😀'))}\n\n`);
      const cut = bytes.indexOf(Buffer.from('😀')) + 2;
      response.write(bytes.subarray(0, cut));
      setTimeout(() => {
        response.write(bytes.subarray(cut));
        for (const event of ending) sendEvent(response, event);
        response.end();
      }, 20);
    });
    expect(events.at(-1)).toMatchObject({ result: { text: 'für 😀' } });
  });

  it('ignores comments and fields that it does not know', async () => {
    const events = await answerOf((response) => {
      startEvents(response);
      response.write(': waiting\n\nevent: x\nfoo: bar\n');
      for (const event of [{ ...chatChunk('Hi'), system_fingerprint: 'f' }, ...ending]) sendEvent(response, event);
      response.end();
    });
    expect(events.at(-1)).toMatchObject({ result: { text: 'Hi' } });
  });
});

describe('a remote server that misbehaves', () => {
  it('drops the connection in the middle of an answer', async () => {
    const failing = answerOf((response) => {
      startEvents(response);
      response.write(`data: ${JSON.stringify(chatChunk('Half'))}\n\n`, () => response.destroy());
    });
    await expect(failing).rejects.toMatchObject({ code: 'ENGINE_CRASHED', retryable: true });
  });

  it('ends the answer without saying how', async () => {
    const failing = answerOf((response) => sendEvents(response, [chatChunk('Half')]));
    await expect(failing).rejects.toMatchObject({ code: 'ENGINE_CRASHED', retryable: true });
  });

  it('reports an error in the middle of an answer', async () => {
    const failing = answerOf((response) =>
      sendEvents(response, [chatChunk('Half'), { error: { message: 'CUDA error', code: 500 } }]),
    );
    await expect(failing).rejects.toMatchObject({
      code: 'ENGINE_CRASHED',
      message: expect.stringContaining('CUDA error'),
    });
  });

  it.each([
    ['no JSON', '{"choices": [nonsense'],
    ['no chunk', '{"choices": "many"}'],
    ['negative usage', '{"choices": [], "usage": {"prompt_tokens": -5}}'],
  ])('sends an event that is %s', async (_, event) => {
    await expect(answerOf((response) => sendEvents(response, [event]))).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('sends a line without an end', async () => {
    const failing = answerOf((response) => {
      startEvents(response);
      response.write(`data: ${'x'.repeat(3 << 20)}`);
    });
    await expect(failing).rejects.toMatchObject({ code: 'PROTOCOL', message: expect.stringContaining('too long') });
  });

  it('sends more than an answer can hold', async () => {
    const line = `: ${'x'.repeat(1 << 20)}\n`;
    const failing = answerOf((response) => {
      startEvents(response);
      const more = () => {
        while (!response.destroyed && response.write(line));
      };
      response.on('drain', more);
      more();
    });
    await expect(failing).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('sent more than 67.1 MB'),
    });
  });

  it('falls silent', async () => {
    server.replies.set(CHAT, (response) => {
      startEvents(response);
      sendEvent(response, chatChunk('Half'));
    });
    const backend = await ready({ idleTimeoutMs: 1_000 });
    await expect(collect(backend.generate(hello))).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      retryable: true,
    });
  });

  it('is not blamed for the time that the caller takes', async () => {
    server.replies.set(CHAT, (response) => sendEvents(response, [chatChunk('a'), ...ending]));
    const backend = await ready({ idleTimeoutMs: 2_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for await (const { type } of backend.generate(hello)) if (type === 'chunk') vi.advanceTimersByTime(20_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('redirects elsewhere, where neither prompt nor key must go', async () => {
    const failing = answerOf((response) => response.writeHead(307, { location: `${server.url}/elsewhere` }).end());
    await expect(failing).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    expect(server.asked.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  const refusals: [number, unknown, Record<string, string>, object][] = [
    [429, { error: { message: 'slow down' } }, { 'retry-after': '7' }, { code: 'OVERLOADED', retryAfterMs: 7000 }],
    [429, 'slow', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }, { code: 'OVERLOADED', retryAfterMs: 3_600_000 }],
    [429, 'slow', { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }, { code: 'OVERLOADED', retryAfterMs: 0 }],
    [429, 'slow', { 'retry-after': 'soon' }, { code: 'OVERLOADED', retryAfterMs: 1000 }],
    [503, 'busy', {}, { code: 'OVERLOADED', retryable: true, retryAfterMs: 1000 }],
    [400, { error: { message: 'bad', param: 'seed' } }, {}, { code: 'BAD_REQUEST', field: 'seed' }],
    [400, { error: { message: 'x', code: 'context_length_exceeded' } }, {}, { code: 'CONTEXT_TOO_LONG' }],
    [400, { object: 'error', message: 'maximum context length is 10', code: 400 }, {}, { code: 'CONTEXT_TOO_LONG' }],
    [404, { error: 'model "x" not found' }, {}, { code: 'MODEL_NOT_FOUND', field: 'model' }],
    [500, { error: { message: 'oops' } }, {}, { code: 'ENGINE_CRASHED', retryable: true }],
    [502, 'Bad Gateway', {}, { code: 'ENGINE_UNAVAILABLE', retryable: true }],
  ];
  it.each(refusals)('answers %i %j', async (status, body, headers, expected) => {
    const failing = answerOf((response) => sendJson(response, body, status, headers));
    await expect(failing).rejects.toMatchObject(expected);
  });

  it('writes control characters and pages of text into its error', async () => {
    const failing = answerOf((response) =>
      sendJson(response, { error: { message: `\u001b[31m\u202e${'x'.repeat(10_000)}` } }, 400),
    );
    const error = await failing.catch((each: Error) => each);
    expect((error as Error).message).toMatch(/^[^\p{Cc}\u202e]{1,500}$/u);
  });
});

describe('ending a remote request', () => {
  /** A backend whose server has sent one chunk and goes on for ever; `gone` resolves when the connection is closed. */
  async function endless(): Promise<{ backend: RemoteBackend; gone: Promise<unknown> }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.replies.set(CHAT, (response) => {
      startEvents(response);
      sendEvent(response, chatChunk('and so on'));
      response.once('close', resolve);
    });
    return { backend: await ready(), gone: promise };
  }

  it('cancels on a signal', async () => {
    const { backend, gone } = await endless();
    const controller = new AbortController();
    const events = backend.generate(hello, { signal: controller.signal });
    await events.next();
    controller.abort();
    await expect(events.next()).rejects.toMatchObject({ code: 'CANCELLED' });
    await gone;
    expect(backend.status().active).toBe(0);
  });

  it('asks for nothing when the signal is already aborted', async () => {
    const { backend } = await endless();
    const before = server.asked.length;
    await expect(collect(backend.generate(hello, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(server.asked.length).toBe(before);
  });

  it('cancels when the caller stops reading', async () => {
    const { backend, gone } = await endless();
    for await (const _ of backend.generate(hello)) break;
    await gone;
  });

  it('ends at the deadline', async () => {
    const { backend, gone } = await endless();
    await until(async () => {
      await expect(collect(backend.generate(hello, { deadlineMs: 60 }))).rejects.toMatchObject({ code: 'DEADLINE' });
      expect(server.asked.at(-1)?.path).toBe(CHAT); // on a busy machine it may be over before the server has heard of it
    });
    await gone;
  });

  it('ends with the backend', async () => {
    const { backend, gone } = await endless();
    const events = backend.generate(hello);
    await events.next();
    await backend.close();
    await expect(events.next()).rejects.toMatchObject({ code: 'CANCELLED' });
    await gone;
    await expect(collect(backend.generate(hello))).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  it('leaves no timer behind', async () => {
    server.replies.set(CHAT, (response) => sendEvents(response, ending));
    const backend = await ready();
    const clear = vi.spyOn(globalThis, 'clearTimeout');
    const set = vi.spyOn(globalThis, 'setTimeout');
    await collect(backend.generate(hello, { deadlineMs: 60_000 }));
    const cleared = new Set(clear.mock.calls.map(([timer]) => timer));
    const ours = set.mock.results.filter((_, at) => Number(set.mock.calls[at]?.[1]) >= 60_000);
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.filter(({ value }) => !cleared.has(value))).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe('a remote server that comes back', () => {
  it('is found again', async () => {
    server.replies.set(CHAT, (response) => sendEvents(response, [chatChunk('back'), ...ending]));
    const backend = await ready({ recheckMs: 20 });
    await server.close();
    await expect(collect(backend.generate(hello))).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    expect(backend.status().state).toBe('restarting');
    await server.open();
    await until(() => expect(backend.status().state).toBe('ready'));
    expect((await collect(backend.generate(hello))).at(-1)).toMatchObject({ result: { text: 'back' } });
  });
});

describe('scoring remotely', () => {
  it('takes the continuation out of an echoed prompt', async () => {
    server.replies.set(COMPLETIONS, (response) =>
      sendJson(response, {
        choices: [
          {
            text: 'The peer is here.',
            logprobs: {
              tokens: ['The', ' peer', ' is', ' here', '.'],
              token_logprobs: [null, -2, -0.5, -1.5, -9],
              top_logprobs: [null, {}, { ' is': -0.5, ' has': -1 }, { ' here': -1.5 }, {}],
            },
          },
        ],
      }),
    );
    const backend = await ready();
    const result = await backend.score({ input: { prompt: 'The peer' }, continuation: ' is here', topK: 2 });
    expect(result.totalLogprob).toBe(-2);
    expect(result.tokens.map(({ token }) => token)).toEqual([' is', ' here']);
    expect(result.tokens[0]?.top.map(({ token }) => token)).toEqual([' is', ' has']);
    expect(server.asked.at(-1)?.body).toMatchObject({ prompt: 'The peer is here', echo: true, logprobs: 2 });
  });

  it('finds the border between texts whose characters are several tokens', async () => {
    server.replies.set(COMPLETIONS, (response) =>
      sendJson(response, {
        choices: [
          {
            logprobs: {
              tokens: ['a', 'bytes:\\xf0\\x9f', 'bytes:\\x98\\x80', 'ü', 'b'],
              token_logprobs: [null, -1, -2, -3, -4],
            },
          },
        ],
      }),
    );
    const result = await (await ready()).score({ input: { prompt: 'a😀' }, continuation: 'üb' });
    expect(result.tokens.map(({ token, logprob }) => [token, logprob])).toEqual([
      ['ü', -3],
      ['b', -4],
    ]);
  });

  it('takes no tokens by their numbers, which are another vocabulary’s', async () => {
    const scoring = (await ready()).score({ input: { prompt: 'The peer' }, continuation: [1, 2] });
    await expect(scoring).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'continuation' });
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('takes the continuation out of the prompt log-probabilities of a conversation', async () => {
    server.replies.set(CHAT, (response) =>
      sendJson(response, {
        choices: [],
        prompt_token_ids: [1, 20, 3],
        prompt_logprobs: [
          null,
          { 5: { logprob: -0.1, rank: 1, decoded_token: 'No' }, 20: { logprob: -3, rank: 7, decoded_token: 'Yes' } },
          { 3: { logprob: -1, rank: 1, decoded_token: '.' } },
        ],
      }),
    );
    const backend = await ready();
    const result = await backend.score({ ...hello, continuation: 'Yes.', topK: 1 });
    expect(result).toEqual({
      totalLogprob: -4,
      tokens: [
        { token: 'Yes', bytes: [89, 101, 115], logprob: -3, top: [{ token: 'No', bytes: [78, 111], logprob: -0.1 }] },
        { token: '.', bytes: [46], logprob: -1, top: [{ token: '.', bytes: [46], logprob: -1 }] },
      ],
    });
  });

  it.each([
    ['ignores echo', { choices: [{ text: ' more', logprobs: null }] }],
    ['scores only what it generated', { choices: [{ logprobs: { tokens: [' x'], token_logprobs: [-1] } }] }],
  ])('says that it cannot when the server %s', async (_, answer) => {
    server.replies.set(COMPLETIONS, (response) => sendJson(response, answer));
    const backend = await ready();
    await expect(backend.score({ input: { prompt: 'The peer' }, continuation: ' is' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('log-probabilities'),
    });
  });
});

describe('remote embeddings and token counts', () => {
  it('puts the vectors in the order of the texts', async () => {
    server.replies.set('/v1/embeddings', (response) =>
      sendJson(response, {
        data: [
          { index: 1, embedding: [2] },
          { index: 0, embedding: [1] },
        ],
        usage: { prompt_tokens: 5 },
      }),
    );
    expect(await (await ready()).embed(['a', 'b'])).toEqual({ vectors: [[1], [2]], promptTokens: 5 });
  });

  it('refuses an answer that lacks a vector', async () => {
    server.replies.set('/v1/embeddings', (response) => sendJson(response, { data: [{ index: 0, embedding: [1] }] }));
    await expect((await ready()).embed(['a', 'b'])).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('lets the server count tokens', async () => {
    server.replies.set('/tokenize', (response) => sendJson(response, { count: 11, tokens: [] }));
    expect(await (await ready()).countTokens({ prompt: 'a text' })).toBe(11);
  });

  it('estimates where the server cannot count', async () => {
    expect(await (await ready()).countTokens({ prompt: 'x'.repeat(40) })).toBe(10);
  });
});

describe('tools of a remote server', () => {
  const request: GenerateRequest = {
    input: {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'clock', arguments: '{}' }] },
        { role: 'tool', content: 'noon', toolCallId: 'a' },
      ],
    },
    tools: [{ name: 'clock', description: 'time', parameters: { type: 'object' } }],
    toolChoice: { name: 'clock' },
  };
  const piece = (index: number, called: object) =>
    chatChunk('', { delta: { tool_calls: [{ index, function: called }] } });

  it('are passed on in its own words, and its calls come back whole', async () => {
    const events = await answerOf(
      (response) =>
        sendEvents(response, [
          chatChunk('Hm.'),
          piece(0, { name: 'clock', arguments: '' }),
          piece(1, { name: 'clock', arguments: '{"zone":' }),
          piece(1, { arguments: '"UTC"}' }),
          chatChunk('', { finish_reason: 'tool_calls' }),
          '[DONE]',
        ]),
      request,
    );
    expect(server.asked.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'clock', arguments: '{}' } }],
        },
        { role: 'tool', content: 'noon', tool_call_id: 'a' },
      ],
      tools: [{ type: 'function', function: { name: 'clock', description: 'time', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'clock' } },
    });
    const toolCalls = [
      { name: 'clock', arguments: '{}' },
      { name: 'clock', arguments: '{"zone":"UTC"}' },
    ];
    expect(events).toMatchObject([
      { type: 'chunk', text: 'Hm.' },
      { type: 'chunk', text: '', toolCalls },
      { type: 'done', result: { text: 'Hm.', finish: 'tool_calls', toolCalls } },
    ]);
  });

  it('what nobody offered, or is no object, is text', async () => {
    const events = await answerOf(
      (response) =>
        sendEvents(response, [
          piece(0, { name: 'rm', arguments: '{}' }),
          piece(1, { name: 'clock', arguments: '[1' }),
          ...ending,
        ]),
      request,
    );
    expect(events.at(-1)).toMatchObject({ result: { finish: 'stop', text: expect.stringMatching(/"rm"[\s\S]*\[1/) } });
  });
});
