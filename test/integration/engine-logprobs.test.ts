import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenLogprobs } from '../../src-main/inference/backend.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { events, generate, tinyEngine } from '../support/engine.ts';

const engine = tinyEngine();
beforeAll(() => engine.open());
afterAll(() => engine.close());

const input = { messages: [{ role: 'user' as const, content: 'What is Quarry?' }] };
const request: GenerateRequest = { input, maxTokens: 40, temperature: 0.8, seed: 11, topLogprobs: 5 };

async function generated(asked: GenerateRequest) {
  const all = await events(engine, asked);
  const last = all.at(-1);
  if (last?.type !== 'done') throw new Error('The engine ended without a result.');
  return {
    ...last.result,
    tokens: all.flatMap((event) => (event.type === 'chunk' ? (event.logprobs ?? []) : [])),
  };
}

const textOf = (tokens: TokenLogprobs[]) => Buffer.from(tokens.flatMap(({ bytes }) => bytes)).toString();

describe('log-probabilities while generating', () => {
  it('come for every token, whose bytes make up the text', async () => {
    const { text, tokens, completionTokens } = await generated(request);
    expect(tokens).toHaveLength(completionTokens);
    expect(textOf(tokens)).toBe(text);
  });

  it('change nothing about the text', async () => {
    const without = await generate(engine, { ...request, topLogprobs: undefined });
    expect((await generated(request)).text).toBe(without.text);
  });

  it('list the likeliest first, and no more than all there is', async () => {
    for (const { logprob, top } of (await generated(request)).tokens) {
      const ranked = top.map((entry) => entry.logprob);
      expect(ranked).toHaveLength(5);
      expect(ranked).toEqual([...ranked].sort((a, b) => b - a));
      expect(ranked.reduce((sum, value) => sum + Math.exp(value), 0)).toBeLessThanOrEqual(1 + 1e-4);
      expect(logprob).toBeLessThanOrEqual((ranked[0] ?? 0) + 1e-9);
    }
  });

  it('are the model’s own, whatever the sampling does to them', async () => {
    const plain = await generated({ input, maxTokens: 1, temperature: 0, repeatPenalty: 1, topLogprobs: 5 });
    const bent = await generated({
      input,
      maxTokens: 1,
      temperature: 3,
      topK: 2,
      repeatPenalty: 2,
      topLogprobs: 5,
      seed: 1,
    });
    const top = (result: typeof plain) => result.tokens[0]?.top.map(({ token }) => token);
    expect(top(bent)).toEqual(top(plain));
    for (const [index, { logprob }] of (plain.tokens[0]?.top ?? []).entries()) {
      expect(bent.tokens[0]?.top[index]?.logprob).toBeCloseTo(logprob, 3);
    }
  });

  it('with top 0 are of the chosen token alone', async () => {
    const { tokens, completionTokens } = await generated({ ...request, topLogprobs: 0 });
    expect(tokens).toHaveLength(completionTokens);
    expect(tokens.every(({ top }) => top.length === 0)).toBe(true);
  });

  it('leave out the tokens of a stop string', async () => {
    const { text } = await generated(request);
    const stop = text.slice(30, 34);
    const stopped = await generated({ ...request, stop: [stop] });
    expect(stopped.text).toBe(text.slice(0, text.indexOf(stop)));
    expect(stopped.text.startsWith(textOf(stopped.tokens))).toBe(true);
  });
});

describe('score', () => {
  it('agrees with what generating said', async () => {
    const { text, tokens } = await generated({ ...request, temperature: 0, repeatPenalty: 1 });
    const scored = await engine.score({ input, continuation: text, topK: 5 });
    expect(scored.tokens.map(({ token }) => token)).toEqual(tokens.map(({ token }) => token));
    for (const [index, { logprob, top }] of scored.tokens.entries()) {
      expect(logprob).toBeCloseTo(tokens[index]?.logprob ?? Number.NaN, 1);
      expect(top[0]?.token).toBe(tokens[index]?.top[0]?.token);
    }
  });

  it('is what teacher forcing gives, token by token', async () => {
    const continuation = ' peers share a mesh';
    const prompt = 'Quarry:';
    const { tokens, totalLogprob } = await engine.score({ input: { prompt }, continuation, topK: 20 });
    let said = prompt;
    for (const scored of tokens) {
      const ask = { input: { prompt: said }, maxTokens: 1, temperature: 0, repeatPenalty: 1, topLogprobs: 20 };
      const [next] = (await generated(ask)).tokens;
      for (const [rank, { token, logprob }] of scored.top.slice(0, 5).entries()) {
        expect(next?.top[rank]?.token).toBe(token);
        expect(next?.top[rank]?.logprob).toBeCloseTo(logprob, 1);
      }
      said += scored.token;
    }
    expect(said).toBe(prompt + continuation);
    expect(totalLogprob).toBeCloseTo(
      tokens.reduce((sum, { logprob }) => sum + logprob, 0),
      9,
    );
  });

  it('makes a sum of 1 over the whole vocabulary’s top', async () => {
    const { tokens } = await engine.score({ input: { prompt: 'The' }, continuation: ' mesh', topK: 100 });
    const sum = tokens[0]?.top.reduce((total, { logprob }) => total + Math.exp(logprob), 0) ?? 0;
    expect(sum).toBeGreaterThan(0.5);
    expect(sum).toBeLessThanOrEqual(1 + 1e-4);
  });

  it('is the same for a continuation longer than one batch gives logits for', async () => {
    const continuation = ' the mesh is a peer'.repeat(30);
    const long = await engine.score({ input: { prompt: 'Quarry:' }, continuation });
    const again = await engine.score({ input: { prompt: 'Quarry:' }, continuation });
    expect(long.tokens.length).toBeGreaterThan(128);
    expect(again.totalLogprob).toBeCloseTo(long.totalLogprob, 0);
    const short = await engine.score({ input: { prompt: 'Quarry:' }, continuation: ' the mesh is a peer' });
    for (const [index, { logprob }] of short.tokens.entries()) {
      expect(logprob).toBeCloseTo(long.tokens[index]?.logprob ?? Number.NaN, 1);
    }
  });

  it('is of a continuation that fits the context', async () => {
    const scoring = engine.score({ input: { prompt: 'Quarry:' }, continuation: 'credits '.repeat(2_000) });
    await expect(scoring).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  });
});
