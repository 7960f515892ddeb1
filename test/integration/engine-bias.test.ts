import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { events, generate, tinyEngine } from '../support/engine.ts';

/** What makes tokens likelier or less likely, in the real engine. */
const engine = tinyEngine();
beforeAll(() => engine.open());
afterAll(() => engine.close());

const input = { prompt: 'The mesh is' };
const greedy = { input, maxTokens: 12, temperature: 0 };
const ids = async (request: object) => {
  const done = (await events(engine, { ...greedy, ...request }, { tokenIds: true })).at(-1);
  return done?.type === 'done' ? (done.tokenIds ?? []) : [];
};

describe('logitBias', () => {
  it('bans a token, at temperature 0 too', async () => {
    const [first = -1] = await ids({});
    const said = await ids({ logitBias: { [first]: -100 } });
    expect(said.length).toBeGreaterThan(1);
    expect(said).not.toContain(first);
  });

  it.each([0, 1.5])('forces a token, at temperature %d', async (temperature) => {
    const forced = 300;
    expect(await ids({})).not.toContain(forced);
    const said = await ids({ temperature, seed: 3, topK: 0, topP: 1, logitBias: { [forced]: 100 } });
    expect(new Set(said)).toEqual(new Set([forced]));
    expect(said).toHaveLength(12);
  });

  it('is added to what the model thinks: a little makes a little likelier', async () => {
    const [first = -1] = await ids({});
    const second = (await events(engine, { ...greedy, maxTokens: 1, topLogprobs: 2 })).flatMap((event) =>
      event.type === 'chunk' ? (event.logprobs ?? []) : [],
    )[0]?.top[1];
    if (second?.id === undefined) throw new Error('there is no second token');
    const [top = 0] = (await events(engine, { ...greedy, maxTokens: 1, topLogprobs: 1 })).flatMap((event) =>
      event.type === 'chunk' ? (event.logprobs ?? []).map(({ logprob }) => logprob) : [],
    );
    const apart = top - second.logprob;
    expect((await ids({ logitBias: { [second.id]: apart - 0.01 } }))[0]).toBe(first);
    expect((await ids({ logitBias: { [second.id]: apart + 0.01 } }))[0]).toBe(second.id);
  });

  it('leaves what the answer has to be: a schema stands above it', async () => {
    const jsonSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const { text } = await generate(engine, { ...greedy, maxTokens: 40, jsonSchema, logitBias: { 300: 100 } });
    expect(JSON.parse(text)).toEqual({ ok: expect.any(Boolean) });
  });

  it('refuses a token that the model does not have, naming the field', async () => {
    await expect(generate(engine, { ...greedy, logitBias: { 9999999: 1 } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'logitBias',
    });
  });

  it('is not for answers that others can check', async () => {
    const asking = generate(engine, { ...greedy, seed: 1, logitBias: { 1: 1 } }, { verified: true });
    await expect(asking).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'logitBias' });
  });
});

describe('a penalty for what the answer has said', () => {
  /** Of two tokens the first is said on and on: nothing else comes near. */
  const two = { ...greedy, maxTokens: 60, logitBias: { 300: 99, 301: 96 } };
  const count = (said: number[], id: number) => said.filter((each) => each === id).length;

  it('grows with each time, as the frequency penalty: both are said about as often', async () => {
    expect(count(await ids(two), 300)).toBe(60);
    const said = await ids({ ...two, frequencyPenalty: 2 });
    expect([count(said, 300) + count(said, 301), count(said, 301) > 20]).toEqual([60, true]);
  });

  it('is there once, as the presence penalty', async () => {
    const close = { ...two, logitBias: { 300: 99, 301: 98 } };
    expect(count(await ids(close), 300)).toBe(60);
    expect(count(await ids({ ...close, presencePenalty: 2 }), 301)).toBe(1);
  });

  it('counts nothing of the prompt, as a repeat penalty does', async () => {
    const [next = -1] = await ids({});
    const [piece] = await events(engine, { ...greedy, maxTokens: 1 });
    const again = {
      input: { prompt: `${input.prompt}${piece?.type === 'chunk' ? piece.text : ''}. ${input.prompt}` },
      maxTokens: 1,
      logitBias: { [next]: 99, 300: 98 },
    };
    expect(await ids(again)).toEqual([next]);
    expect(await ids({ ...again, presencePenalty: 2, frequencyPenalty: 2 })).toEqual([next]);
    expect(await ids({ ...again, repeatPenalty: 5 })).toEqual([300]);
  });

  it('is not for answers that others can check', async () => {
    const asking = generate(engine, { ...greedy, seed: 1, presencePenalty: 1 }, { verified: true });
    await expect(asking).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'presencePenalty' });
  });
});

describe('a number that a schema asks for', () => {
  /** It, as it is written with these letters as likely as they get: what the grammar lets through comes. */
  async function pushed(type: string, ...letters: string[]): Promise<string> {
    const tokens = await Promise.all(letters.map((letter) => engine.tokenize({ prompt: letter })));
    const logitBias = Object.fromEntries(tokens.map((ids, at) => [ids.at(-1), 90 - at]));
    const jsonSchema = { type: 'object', properties: { n: { type } } };
    const { text } = await generate(engine, { ...greedy, maxTokens: 80, jsonSchema, logitBias });
    return /:\s*(\S+?)\s*}/.exec(text)?.[1] ?? text;
  }

  it('is whole where it has to be: an exponent could make a fraction of it', async () => {
    expect(await pushed('integer', 'e', '-', '9')).toMatch(/^-9{1,16}$/);
  });

  it('is finite, however large', async () => {
    expect(Number(await pushed('number', 'e', '9'))).toSatisfy((n) => Number.isFinite(n) && n > 1e99);
  });

  it('may be very small', async () => {
    expect(await pushed('number', 'e', '-', '9')).toMatch(/^-9{1,16}e-9{2}$/);
  });
});
