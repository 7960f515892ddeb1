import { join, resolve } from 'node:path';
import OpenAI from 'openai';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { RemoteBackend } from '../../src-main/inference/remote/remote-backend.ts';
import { HttpServer } from '../../src-main/server/http-server.ts';

const log = pino({ level: 'silent' });
const modelPath = join(resolve(import.meta.dirname, '../..'), 'resources', 'tiny.gguf');

let local: LocalBackend;
let server: HttpServer;
let client: OpenAI;
let remote: RemoteBackend;

beforeAll(async () => {
  local = new LocalBackend({ modelPath, name: 'tiny', log, gpuLayers: 0, threads: 1, contextSize: 1024, parallel: 2 });
  await local.open();
  server = new HttpServer({
    port: 0,
    localToken: 'of no use here',
    log,
    models: () => [{ name: 'tiny', kind: 'local', contextSize: local.status().model?.contextSize }],
    route: (model) => (model === 'tiny' ? local : undefined),
    health: () => ({ ok: local.status().state === 'ready' }),
  });
  await server.open();
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
  remote = new RemoteBackend({ baseUrl: server.url, log });
  await remote.open();
});

afterAll(async () => {
  await remote?.close();
  await server?.close();
  await local?.close();
});

const messages = [{ role: 'user' as const, content: 'What is a credit?' }];
const asked = { model: 'tiny', messages, seed: 7, max_completion_tokens: 60 };

async function streamed(request: Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'stream'>) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  const stream = await client.chat.completions.create({ ...request, stream: true });
  for await (const chunk of stream) chunks.push(chunk);
  return {
    text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
    finish: chunks.findLast(({ choices }) => choices[0])?.choices[0]?.finish_reason,
    usage: chunks.at(-1)?.usage,
    tokens: chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []),
  };
}

describe('the OpenAI API over a real model', () => {
  it('streams the same answer that it gives at once', async () => {
    const whole = await client.chat.completions.create(asked);
    const pieces = await streamed({ ...asked, stream_options: { include_usage: true } });
    expect(pieces.text).toBe(whole.choices[0]?.message.content);
    expect(pieces.text).toMatch(/^[A-Z][a-z]* [a-z]+/);
    expect(pieces.finish).toBe(whole.choices[0]?.finish_reason);
    expect(pieces.usage?.total_tokens).toBe(whole.usage?.total_tokens);
  });

  it('gives the same answer for the same seed, and others for others', async () => {
    const answers = await Promise.all(
      [1, 1, 2, 3, 4].map((seed) => client.chat.completions.create({ ...asked, seed })),
    );
    const texts = answers.map(({ choices }) => choices[0]?.message.content);
    expect(texts[0]).toBe(texts[1]);
    expect(new Set(texts).size).toBeGreaterThan(2);
  });

  it('stops at the token limit and at a stop string', async () => {
    const short = await client.chat.completions.create({ ...asked, max_completion_tokens: 3 });
    expect(short.choices[0]?.finish_reason).toBe('length');
    expect(short.usage?.completion_tokens).toBe(3);
    const full = (await client.chat.completions.create(asked)).choices[0]?.message.content ?? '';
    const [, word = ''] = full.split(' ');
    const stopped = await client.chat.completions.create({ ...asked, stop: [` ${word}`] });
    expect(stopped.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: full.slice(0, full.indexOf(` ${word}`)) },
    });
  });

  it('gives log-probabilities of each token and of the likeliest', async () => {
    const { tokens, text } = await streamed({ ...asked, logprobs: true, top_logprobs: 3 });
    expect(tokens.map(({ token }) => token).join('')).toContain(text);
    for (const { logprob, top_logprobs } of tokens) {
      expect(top_logprobs).toHaveLength(3);
      expect(logprob).toBeLessThanOrEqual(top_logprobs[0]?.logprob ?? 0);
    }
  });

  it('writes JSON of the asked shape', async () => {
    const schema = {
      type: 'object',
      properties: { state: { enum: ['idle', 'busy'] }, ready: { type: 'boolean' } },
      required: ['state', 'ready'],
      additionalProperties: false,
    };
    const answer = await client.chat.completions.create({
      ...asked,
      max_completion_tokens: 200,
      response_format: { type: 'json_schema', json_schema: { name: 'status', schema, strict: true } },
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({
      state: expect.stringMatching(/^(idle|busy)$/),
      ready: expect.any(Boolean),
    });
  });

  it('refuses a prompt that is longer than the context', async () => {
    const content = 'The mesh is made of peers. '.repeat(500);
    await expect(
      client.chat.completions.create({ ...asked, messages: [{ role: 'user', content }] }),
    ).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
  });

  it('continues a raw prompt, and echoes it with log-probabilities', async () => {
    const answer = await client.completions.create({
      model: 'tiny',
      prompt: 'The mesh',
      echo: true,
      logprobs: 2,
      seed: 1,
    });
    const [choice] = answer.choices;
    expect(choice?.text).toMatch(/^The mesh \w+/);
    expect(choice?.logprobs?.tokens?.slice(0, 2)).toEqual(['The', ' mesh']);
    expect(choice?.logprobs?.token_logprobs?.[0]).toBeNull();
    expect(choice?.logprobs?.text_offset?.slice(0, 3)).toEqual([0, 3, 8]);
  });

  it('makes embeddings', async () => {
    const { data } = await client.embeddings.create({ model: 'tiny', input: ['a peer', 'a peer', 'the queue'] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([256, 256, 256]);
    expect(data[0]?.embedding).toEqual(data[1]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[2]?.embedding);
  });

  it('frees the engine when the client goes away', async () => {
    const stream = await client.completions.create({
      model: 'tiny',
      prompt: 'The',
      max_tokens: 900,
      stream: true,
      // Never ends by itself: digits are always possible.
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'string' } } },
    } as OpenAI.CompletionCreateParamsStreaming);
    for await (const _ of stream) break;
    await expect.poll(() => local.status().active).toBe(0);
  });
});

describe('temperature 0 without a penalty', () => {
  it('takes the likeliest token every time, through the API and from the engine', async () => {
    const request = { model: 'tiny', prompt: 'Quarry', max_tokens: 60, temperature: 0 };
    const asked = await client.completions.create({ ...request, logprobs: 1 });
    const { text, logprobs } = asked.choices[0] ?? expect.unreachable();
    expect(logprobs?.tokens?.length).toBeGreaterThan(20);
    for (const [at, top] of (logprobs?.top_logprobs ?? []).entries())
      expect(Object.values(top)).toEqual([logprobs?.token_logprobs?.[at]]);
    const input = { prompt: request.prompt };
    const textOf = async (more: object) => {
      const events = await Array.fromAsync(local.generate({ input, maxTokens: 60, temperature: 0, ...more }));
      return events.map((event) => (event.type === 'chunk' ? event.text : '')).join('');
    };
    expect([await textOf({}), await textOf({ repeatPenalty: 1 })]).toEqual([text, text]);
    expect(await textOf({ repeatPenalty: 1.1 })).not.toBe(text); // else the rest would prove nothing
  });
});

describe('a remote backend on a Quarry server', () => {
  it('finds the model and its context size', () => {
    expect(remote.status().model).toMatchObject({ name: 'tiny', contextSize: 1024, device: 'remote' });
  });

  it.each([{ input: { messages } }, { input: { prompt: 'The mesh' } }])(
    'generates as the server does: %j',
    async (request) => {
      const likelier = { logitBias: { 300: 6 }, presencePenalty: 0.5, frequencyPenalty: 0.25 };
      const options = { ...request, seed: 5, maxTokens: 30, topLogprobs: 2, temperature: 0.7, ...likelier };
      const read = async (backend: LocalBackend | RemoteBackend) => {
        const tokens: string[] = [];
        for await (const event of backend.generate(options)) {
          if (event.type === 'done') return { ...event.result, tokens };
          tokens.push(...(event.logprobs ?? []).map((each) => `${each.token} ${each.logprob.toFixed(3)}`));
        }
        throw new Error('no result');
      };
      const [here, there] = [await read(local), await read(remote)];
      const same = ({ text, finish, promptTokens, completionTokens, tokens }: typeof here) => ({
        text,
        finish,
        promptTokens,
        completionTokens,
        tokens,
      });
      expect(same(there)).toEqual(same(here));
    },
  );

  it('scores the end of a text as the server scores the whole', async () => {
    const [prompt, continuation] = ['The mesh is made', ' of peers.'];
    const whole = await local.score({ input: { prompt: '' }, continuation: prompt + continuation, topK: 2 });
    const end = await remote.score({ input: { prompt }, continuation, topK: 2 });
    const same = whole.tokens
      .slice(-3)
      .map(({ token, logprob, top }) => [token, logprob, top.map((each) => each.token)]);
    expect(end.tokens.map(({ token, logprob, top }) => [token, logprob, top.map((each) => each.token)])).toEqual(same);
    expect(end.totalLogprob).toBeLessThan(0);
  });

  it('embeds as the server does', async () => {
    const [here, there] = [await local.embed(['a peer']), await remote.embed(['a peer'])];
    expect(there.promptTokens).toBe(here.promptTokens);
    for (const [at, value] of (there.vectors[0] ?? []).entries())
      expect(value).toBeCloseTo(here.vectors[0]?.[at] ?? 0, 5);
  });

  it('says when the context is too short, as the engine would', async () => {
    const generating = remote.generate({ input: { prompt: 'The mesh is made of peers. '.repeat(500) } }).next();
    await expect(generating).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  });
});
