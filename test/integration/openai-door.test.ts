import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askedTogether, requestsFor } from '../../src-main/server/openai/choices.ts';
import { TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { type RealNode, startRealNode } from '../support/real-node.ts';

/** The OpenAI API of whole nodes, asked by OpenAI's own client. */
const modelPath = await findRealModel(SMOLLM2);

const capital = 'What is the capital of France? Answer in one word.';
const messages = [{ role: 'user' as const, content: capital }];

describe.each([
  ['the built-in model', TINY_MODEL],
  ['SmolLM2-135M', modelPath],
])('a node with %s', (_, path) => {
  if (!path) return it.skip('was not fetched');
  let node: RealNode;
  beforeAll(async () => {
    node = await startRealNode(path, 1024);
  });
  afterAll(() => node?.[Symbol.asyncDispose]());

  it('gives several answers, at once and in pieces', async () => {
    const asked = { model: 'local', messages, n: 3, seed: 11, temperature: 1, max_completion_tokens: 12 };
    const { choices, usage } = await node.client.chat.completions.create(asked);
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(choices.map(({ message }) => message.content)).size).toBe(3);
    expect(usage?.completion_tokens).toBeGreaterThan(12);
    const chunks = await Array.fromAsync(await node.client.chat.completions.create({ ...asked, stream: true }));
    const said = (place: number) =>
      chunks.map(({ choices: [one] }) => (one?.index === place ? (one.delta.content ?? '') : '')).join('');
    expect(new Set([0, 1, 2].map(said)).size).toBe(3);
    const completion = await node.client.completions.create({ model: 'local', prompt: 'The sky', n: 2, best_of: 2 });
    expect(completion.choices).toMatchObject([{ index: 0 }, { index: 1 }]);
  });

  it('says one token on and on where that is forced, and refuses one that there is not', async () => {
    const asked = { model: 'local', messages, temperature: 0, max_completion_tokens: 5, logprobs: true };
    const forced = await node.client.chat.completions.create({ ...asked, logit_bias: { 300: 100 } });
    const tokens = forced.choices[0]?.logprobs?.content?.map(({ token }) => token) ?? [];
    expect([tokens.length, new Set(tokens).size]).toEqual([5, 1]);
    const unknown = node.client.chat.completions.create({ ...asked, logit_bias: { 9999999: 1 } });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: 'logit_bias' });
    const elsewhere = node.client.chat.completions.create({ ...asked, model: 'mesh', logit_bias: { 300: 100 } });
    await expect(elsewhere).rejects.toMatchObject({ status: 400, param: 'logit_bias' });
  });

  it('responds, at once and in pieces, and goes on from what it said', async () => {
    const asked = { model: 'local', input: capital, temperature: 0, max_output_tokens: 60 };
    const response = await node.client.responses.create(asked);
    expect(['completed', 'incomplete']).toContain(response.status);
    const events = await Array.fromAsync(await node.client.responses.create({ ...asked, stream: true }));
    const last = events.at(-1);
    // OpenAI's client makes no whole of a stream that was cut: both kinds are looked at here.
    expect(last).toMatchObject({ type: `response.${response.status}`, response: { status: response.status } });
    const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
    expect(deltas.join('')).toBe(response.output_text);
    expect(response.output_text).not.toBe('');
    const next = await node.client.responses.create({
      ...{ model: 'local', previous_response_id: response.id, input: 'And of Spain?', temperature: 0 },
      max_output_tokens: 10,
    });
    expect(next.usage?.input_tokens).toBeGreaterThan((response.usage?.total_tokens ?? 0) + 3);
    expect(next.usage?.input_tokens_details.cached_tokens).toBeGreaterThan(10);
    expect((await node.client.responses.retrieve(response.id)).output).toEqual(response.output);
  });

  it('responds with a call that it has to make', async () => {
    const tool: OpenAI.Responses.FunctionTool = {
      ...{ type: 'function', name: 'paint', strict: true },
      parameters: { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'] },
    };
    const asked = { model: 'local', input: 'Paint it.', tools: [tool], tool_choice: 'required' as const };
    const final = await node.client.responses.stream(asked).finalResponse();
    expect(final.output).toMatchObject([{ type: 'function_call', name: 'paint', status: 'completed' }]);
    const [call] = final.output;
    if (call?.type !== 'function_call') throw new Error('nothing was called');
    expect(['red', 'blue']).toContain(JSON.parse(call.arguments).colour);
    const next = await node.client.responses.create({
      ...{ model: 'local', previous_response_id: final.id, max_output_tokens: 5 },
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'done' }],
    });
    expect(next.usage?.output_tokens).toBeGreaterThan(0);
  });

  it.skipIf(path === TINY_MODEL)(
    'says what it knows by every endpoint, and another thing where that is banned',
    async () => {
      const asked = { model: 'local', messages, temperature: 0, max_completion_tokens: 30 };
      const { choices } = await node.client.chat.completions.create(asked);
      expect(choices[0]?.message.content).toContain('Paris');
      const response = await node.client.responses.create({ model: 'local', input: capital, temperature: 0 });
      expect(response.output_text).toContain('Paris');
      // « Paris» and «Paris» in the vocabulary of this file.
      const banned = await node.client.chat.completions.create({ ...asked, logit_bias: { 7042: -100, 38634: -100 } });
      expect(banned.choices[0]?.message.content).not.toContain('Paris');
      expect(banned.choices[0]?.message.content).not.toBe('');
    },
  );
});

it('the prompt of several answers is read once: the others have it from the first', async () => {
  const engine = tinyEngine({ parallel: 3 });
  onTestFinished(() => engine.close());
  await engine.open();
  const long = [{ role: 'user' as const, content: 'What is a mesh? '.repeat(20) }];
  const requests = requestsFor({ input: { messages: long }, maxTokens: 12, seed: 11 }, { n: 3 });
  const generator = { sharesPrompts: true, generate: engine.generate.bind(engine) };
  const { signal } = new AbortController();
  const read: number[] = [];
  for await (const [place, event] of askedTogether({ generator, requests, signal })) {
    if (event.type === 'done') read[place] = event.result.promptTokens - event.result.cachedTokens;
  }
  expect(read).toEqual([expect.any(Number), 1, 1]); // the last token is evaluated anew: what follows is drawn from it
  expect(read[0]).toBeGreaterThan(50);
});
