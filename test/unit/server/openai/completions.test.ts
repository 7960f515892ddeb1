import { describe, expect, it, vi } from 'vitest';
import { done, events, openServer, probability, raw } from '../../../support/server-harness.ts';

describe('POST /v1/completions', () => {
  it('answers the official client', async () => {
    const { client, generator } = await openServer();
    const answer = await client.completions.create({ model: 'tiny', prompt: 'Once', temperature: 0 });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      choices: [{ index: 0, text: 'Hello there', logprobs: null, finish_reason: 'stop' }],
      usage: { total_tokens: 7 },
    });
    expect(generator.asked[0]).toMatchObject({ input: { prompt: 'Once' }, maxTokens: 16, temperature: 0 });
  });

  it('streams to the official client', async () => {
    const { client } = await openServer();
    const stream = await client.completions.create({
      model: 'tiny',
      prompt: 'Once',
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let total = 0;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.text ?? '';
      total = usage?.total_tokens ?? total;
    }
    expect([text, total]).toEqual(['Hello there', 7]);
  });

  it('lists log-probabilities side by side, and where each token begins', async () => {
    const { client, generator } = await openServer();
    const [front, back] = [Buffer.from('😀').subarray(0, 2), Buffer.from('😀').subarray(2)];
    generator.script = async function* () {
      const logprobs = [
        { ...probability('a', -1), top: [probability('a', -1), probability('b', -2)] },
        { token: '\uFFFD', bytes: [...front], logprob: -3, top: [] },
        { token: '\uFFFD\uFFFD', bytes: [...back], logprob: -0.5, top: [] },
        { ...probability('z', -4), top: [] },
      ];
      yield { type: 'chunk', text: 'a😀z', tokens: 4, logprobs };
      yield done({ text: 'a😀z' });
    };
    const answer = await client.completions.create({ model: 'tiny', prompt: 'Once', logprobs: 2 });
    expect(answer.choices[0]?.logprobs).toEqual({
      tokens: ['a', 'bytes:\\xf0\\x9f', 'bytes:\\x98\\x80', 'z'],
      token_logprobs: [-1, -3, -0.5, -4],
      top_logprobs: [{ a: -1, b: -2 }, {}, {}, {}],
      text_offset: [0, 1, 1, 2],
    });
  });

  it('echoes the prompt', async () => {
    const { client } = await openServer();
    const answer = await client.completions.create({ model: 'tiny', prompt: 'Once ', echo: true });
    expect(answer.choices[0]?.text).toBe('Once Hello there');
  });

  it('echoes the prompt with its log-probabilities, the first token without', async () => {
    const { client } = await openServer();
    const answer = await client.completions.create({ model: 'tiny', prompt: 'abc', echo: true, logprobs: 1 });
    expect(answer.choices[0]?.logprobs).toMatchObject({
      tokens: ['a', 'b', 'c'],
      token_logprobs: [null, -1, -2],
      text_offset: [0, 1, 2],
    });
  });

  it('scores no prompt that is too large to be answered', async () => {
    const { url, generator } = await openServer();
    const score = vi.spyOn(generator, 'score');
    const body = { model: 'tiny', prompt: '世'.repeat(400_000), echo: true, logprobs: 1 };
    const { status, json } = await raw(`${url}/v1/completions`, { body });
    expect([status, json.error.code]).toEqual([400, 'context_length_exceeded']);
    expect(score).not.toHaveBeenCalled();
  });

  it('echoes into a stream before anything else', async () => {
    const { url } = await openServer();
    const { text } = await raw(`${url}/v1/completions`, {
      body: { model: 'tiny', prompt: 'Once ', echo: true, stream: true },
    });
    const texts = events(text).map((event) => event.choices?.[0]?.text);
    expect(texts).toEqual(['Once ', 'Hello', ' there', '', undefined]);
  });

  it('takes a list of one prompt, as some clients write it', async () => {
    const { client, generator } = await openServer();
    await client.completions.create({ model: 'tiny', prompt: ['Once'] });
    expect(generator.asked[0]?.input).toEqual({ prompt: 'Once' });
  });
});

describe('POST /v1/embeddings', () => {
  it('answers the official client, which asks for base64', async () => {
    const { client } = await openServer();
    const answer = await client.embeddings.create({ model: 'tiny', input: ['a', 'bcd'] });
    expect(answer.data.map(({ index, embedding }) => [index, embedding])).toEqual([
      [0, [1, 0.5]],
      [1, [3, 0.5]],
    ]);
    expect(answer.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  });

  it('answers in numbers unless asked otherwise', async () => {
    const { url } = await openServer();
    const { json } = await raw(`${url}/v1/embeddings`, { body: { model: 'tiny', input: 'ab' } });
    expect(json.data).toEqual([{ object: 'embedding', index: 0, embedding: [2, 0.5] }]);
  });

  it.each([[[1, 2]], [[[1, 2]]]])('says that tokens are none of a text, and what to set: %j', async (input) => {
    const { url } = await openServer();
    const { status, json } = await raw(`${url}/v1/embeddings`, { body: { model: 'tiny', input } });
    expect([status, json.error.param]).toEqual([400, 'input[0]']);
    expect(json.error.message).toMatch(/has to be a text.*check_embedding_ctx_length=False/);
  });

  it.each([null, {}])('says no such thing of what nobody takes for tokens: %j', async (input) => {
    const { url } = await openServer();
    const { json } = await raw(`${url}/v1/embeddings`, { body: { model: 'tiny', input: [input] } });
    expect(json.error).toMatchObject({ param: 'input[0]', message: expect.not.stringContaining('LangChain') });
  });

  it('says when a model makes none', async () => {
    const { url } = await openServer({ route: () => ({ generate: () => [] as never }) });
    const { status, json } = await raw(`${url}/v1/embeddings`, { body: { model: 'mesh', input: 'ab' } });
    expect([status, json.error.param]).toEqual([400, 'model']);
  });
});

describe('GET /v1/models', () => {
  it('lists the models to the official client', async () => {
    const { client } = await openServer();
    const { data } = await client.models.list();
    expect(data).toMatchObject([
      { id: 'tiny', object: 'model', owned_by: 'quarry-local', max_model_len: 4096 },
      { id: 'org/model', owned_by: 'quarry-mesh' },
    ]);
  });

  it('shows one model, its name with a slash or without', async () => {
    const { client, url } = await openServer();
    expect(await client.models.retrieve('tiny')).toMatchObject({ id: 'tiny' });
    expect((await raw(`${url}/v1/models/org/model`)).json).toMatchObject({ id: 'org/model' });
    await expect(client.models.retrieve('other')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
