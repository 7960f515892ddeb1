import { describe, expect, it } from 'vitest';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { chat, done, events, fails, openServer, probability, raw, says } from '../../../support/server-harness.ts';

const user = (content: string) => [{ role: 'user' as const, content }];

describe('POST /v1/chat/completions', () => {
  it('answers the official client', async () => {
    const { client } = await openServer();
    const answer = await client.chat.completions.create({ model: 'tiny', messages: user('Hi') });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'tiny',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop', logprobs: null },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 2 },
      },
    });
  });

  it('streams to the official client', async () => {
    const { client } = await openServer();
    const stream = await client.chat.completions.create({ model: 'tiny', messages: user('Hi'), stream: true });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hello' },
      { content: ' there' },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('ends a stream with the usage when it was asked for, and with [DONE]', async () => {
    const { url } = await openServer();
    const { text } = await raw(`${url}/v1/chat/completions`, {
      body: chat(undefined, { stream: true, stream_options: { include_usage: true } }),
    });
    const all = events(text);
    expect(all.at(-1)).toBe('[DONE]');
    expect(all.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 7 } });
    expect(all.slice(0, -2).every(({ usage }) => usage === null)).toBe(true);
  });

  it('hands every option to the engine', async () => {
    const { client, generator } = await openServer();
    await client.chat.completions.create({
      model: 'tiny',
      messages: user('Hi'),
      max_completion_tokens: 9,
      temperature: 0.2,
      top_p: 0.3,
      frequency_penalty: 0.4,
      presence_penalty: -0.5,
      logit_bias: { 11: -100 },
      seed: 12,
      stop: 'END',
      logprobs: true,
      top_logprobs: 4,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'array' } } },
    });
    expect(generator.asked[0]).toMatchObject({
      input: { messages: user('Hi') },
      maxTokens: 9,
      temperature: 0.2,
      topP: 0.3,
      frequencyPenalty: 0.4,
      presencePenalty: -0.5,
      logitBias: { 11: -100 },
      seed: 12,
      stop: ['END'],
      topLogprobs: 4,
      jsonSchema: { type: 'array' },
    });
  });

  it('leaves options that are not set to the engine', async () => {
    const { url, generator } = await openServer();
    const unset = { temperature: null, stop: null, max_tokens: null, seed: null, response_format: null, tools: null };
    const nothing = { ...unset, logit_bias: {}, frequency_penalty: 0, presence_penalty: null };
    await raw(`${url}/v1/chat/completions`, { body: chat(undefined, nothing) });
    expect(JSON.parse(JSON.stringify(generator.asked[0]))).toEqual({ input: { messages: user('Hi') } });
  });

  it('understands developer messages, text parts and several stop strings', async () => {
    const { client, generator } = await openServer();
    await client.chat.completions.create({
      model: 'tiny',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'assistant', content: 'three' },
      ],
      stop: ['a', 'b'],
    });
    expect(generator.asked[0]).toMatchObject({
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'One\ntwo' },
          { role: 'assistant', content: 'three' },
        ],
      },
      stop: ['a', 'b'],
    });
  });

  it.each([
    [{ type: 'json_object' }, { type: 'object' }],
    [{ type: 'text' }, undefined],
  ])('takes the response format %j', async (response_format, jsonSchema) => {
    const { url, generator } = await openServer();
    await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { response_format }) });
    expect(generator.asked[0]?.jsonSchema).toEqual(jsonSchema);
  });

  it.each([
    [-1, 4_294_967_295],
    [2 ** 40 + 7, 7],
  ])('folds the seed %i into 32 bits', async (seed, folded) => {
    const { url, generator } = await openServer();
    await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { seed }) });
    expect(generator.asked[0]?.seed).toBe(folded);
  });

  it('reports log-probabilities at once and in pieces', async () => {
    const { client, generator } = await openServer();
    const token = { ...probability('é', -0.25), top: [probability('é', -0.25), probability('e', -2)] };
    generator.script = async function* () {
      yield { type: 'chunk', text: 'é', tokens: 1, logprobs: [token] };
      yield done({ text: 'é' });
    };
    const request = { model: 'tiny', messages: user('Hi'), logprobs: true, top_logprobs: 2 };
    const entry = {
      token: 'é',
      bytes: [195, 169],
      logprob: -0.25,
      top_logprobs: [
        { token: 'é', bytes: [195, 169], logprob: -0.25 },
        { token: 'e', bytes: [101], logprob: -2 },
      ],
    };
    const whole = await client.chat.completions.create(request);
    expect(whole.choices[0]?.logprobs?.content).toEqual([entry]);
    const contents = [];
    for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
      contents.push(...(choices[0]?.logprobs?.content ?? []));
    }
    expect(contents).toEqual([entry]);
  });

  it('says why an answer ended', async () => {
    const { client, generator } = await openServer();
    generator.script = async function* () {
      yield done({ finish: 'length' });
    };
    const answer = await client.chat.completions.create({ model: 'tiny', messages: user('Hi') });
    expect(answer.choices[0]?.finish_reason).toBe('length');
  });

  it('tells a waiting client of the mesh its place in a comment', async () => {
    const { url, generator } = await openServer();
    generator.script = async function* () {
      yield { type: 'worker', worker: 'ab'.repeat(32) };
      yield { type: 'queued', position: 3, etaMs: 1200.4, worker: 'ab'.repeat(32) };
      yield* says('late');
    };
    const { text } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { stream: true }) });
    expect(text.split('\n\n')[0]).toBe(': queued position=3 eta_ms=1200');
    expect(events(text).at(-1)).toBe('[DONE]');
  });

  describe('when a worker of the mesh fails and another begins anew', () => {
    const restarted = async function* (said: string) {
      if (said) yield { type: 'chunk' as const, text: said, tokens: 1 };
      yield { type: 'restart' as const, worker: 'cd'.repeat(32), reason: 'it vanished' };
      yield* says('fresh');
    };

    it('answers at once with the second answer only', async () => {
      const { client, generator } = await openServer();
      generator.script = () => restarted('stale');
      const answer = await client.chat.completions.create({ model: 'tiny', messages: user('Hi') });
      expect(answer.choices[0]?.message.content).toBe('fresh');
    });

    it('tells the probabilities of the second answer only', async () => {
      const { client, generator } = await openServer();
      generator.script = async function* () {
        yield { type: 'chunk', text: 'stale', tokens: 1, logprobs: [{ ...probability('stale', -1), top: [] }] };
        yield { type: 'restart', worker: 'cd'.repeat(32), reason: 'it vanished' };
        yield { type: 'chunk', text: 'fresh', tokens: 1, logprobs: [{ ...probability('fresh', -2), top: [] }] };
        yield done({ text: 'fresh' });
      };
      const answer = await client.chat.completions.create({ model: 'tiny', messages: user('Hi'), logprobs: true });
      expect(answer.choices[0]?.logprobs?.content?.map(({ token }) => token)).toEqual(['fresh']);
    });

    it('streams on when nothing was said yet', async () => {
      const { url, generator } = await openServer();
      generator.script = () => restarted('');
      const { text } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { stream: true }) });
      expect(events(text).map((event) => event.choices?.[0]?.delta?.content)).toContain('fresh');
    });

    it('ends a stream that has begun with an error that may be retried', async () => {
      const { client, generator } = await openServer();
      generator.script = () => restarted('stale');
      const stream = await client.chat.completions.create({ model: 'tiny', messages: user('Hi'), stream: true });
      const reading = (async () => {
        for await (const _ of stream);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'worker_lost' });
    });
  });

  it('fails a stream that has not begun with a status', async () => {
    const { client, generator } = await openServer();
    generator.script = () =>
      fails(new QuarryError({ code: 'QUEUE_FULL', message: 'full', retryable: true, retryAfterMs: 4200 }));
    const asking = client.chat.completions.create({ model: 'tiny', messages: user('Hi'), stream: true });
    const error = await asking.catch((each) => each);
    expect(error).toMatchObject({ status: 503, code: 'queue_full' });
    expect(error.headers.get('retry-after')).toBe('5');
  });

  it('fails a stream that has begun with an error event, and without [DONE]', async () => {
    const { url, generator } = await openServer();
    generator.script = async function* () {
      yield { type: 'chunk', text: 'half', tokens: 1 };
      throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'The engine died.', retryable: true });
    };
    const { text } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { stream: true }) });
    expect(events(text).at(-1)).toEqual({
      error: { message: 'The engine died.', type: 'server_error', param: null, code: 'engine_crashed' },
    });
  });
});
