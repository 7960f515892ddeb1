import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { nodeSpawner, type ProcessSpawner } from '../../src-main/process/process-spawner.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { generate, tinyEngine } from '../support/engine.ts';
import { writeSentencePieceModel, writeSlidingWindowModel } from '../support/small-models.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-engine-models-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a model with a SentencePiece vocabulary and a template of plain text', () => {
  let engine: LocalBackend;
  beforeAll(async () => {
    const modelPath = join(folder, 'sentencepiece.gguf');
    await writeSentencePieceModel(modelPath);
    engine = tinyEngine({ modelPath, parallel: 1 });
    await engine.open();
  });
  afterAll(() => engine.close());

  it('writes spaces and bytes as text', async () => {
    const continuation = 'hello world\nä';
    const { tokens } = await engine.score({ input: { prompt: 'a' }, continuation: ` ${continuation}` });
    expect(Buffer.from(tokens.flatMap(({ bytes }) => bytes)).toString()).toBe(` ${continuation}`);
    expect(tokens.slice(0, 2).map(({ token }) => token)).toEqual([' hello', ' world']);
  });

  it('begins every prompt with its first token, once', async () => {
    // «▁hello»: one token after <s>.
    expect(await engine.countTokens({ prompt: 'hello' })).toBe(2);
    expect(await engine.countTokens({ prompt: '<s>hello' })).toBe(2);
  });

  it('reads a conversation in one piece, as in training', async () => {
    const messages = [{ role: 'user' as const, content: 'hello world' }];
    expect(await engine.countTokens({ messages })).toBe(
      await engine.countTokens({ prompt: '[INST] hello world [/INST]' }),
    );
  });

  it('never shows half a character', async () => {
    const hot: GenerateRequest = { input: { prompt: 'a' }, temperature: 5, topK: 0, topP: 1, seed: 1, maxTokens: 200 };
    for await (const event of engine.generate(hot)) {
      if (event.type === 'chunk') expect(event.text.isWellFormed()).toBe(true);
    }
  });
});

describe('a model that was trained to embed', () => {
  let engine: LocalBackend;
  beforeAll(async () => {
    const modelPath = join(folder, 'embeds.gguf');
    await writeSentencePieceModel(modelPath, { pooling: 1 });
    engine = tinyEngine({ modelPath, name: 'embeds', parallel: 1 });
    await engine.open();
  });
  afterAll(() => engine.close());

  it('embeds, and says that it does nothing else', async () => {
    expect(engine.status().model?.embedsOnly).toBe(true);
    expect((await engine.embed(['hello world'])).vectors).toHaveLength(1);
    const refused = {
      code: 'BAD_REQUEST',
      message: 'The model embeds makes embeddings only: it writes no answers.',
      hint: expect.any(String),
      field: 'model',
    };
    await expect(generate(engine, { input: { prompt: 'hello' }, maxTokens: 5 })).rejects.toMatchObject(refused);
    const scoring = engine.score({ input: { prompt: 'hello' }, continuation: ' world' });
    await expect(scoring).rejects.toMatchObject(refused);
    expect((await engine.embed(['hello world'])).vectors).toHaveLength(1);
  });
});

describe('a model whose attention slides', () => {
  let engine: LocalBackend;
  beforeAll(async () => {
    const modelPath = join(folder, 'sliding.gguf');
    await writeSlidingWindowModel(modelPath, 32);
    engine = tinyEngine({ modelPath, parallel: 1, contextSize: 4096 });
    await engine.open();
  });
  afterAll(() => engine.close());

  const ask = (prompt: string) =>
    generate(engine, { input: { prompt }, maxTokens: 20, temperature: 0, repeatPenalty: 1 });
  // Longer than the window and the batch that llama.cpp keeps beside it: what it began with is gone.
  const long = 'the quick brown fox jumps over a lazy dog and then '.repeat(40);

  it('gives the same answer whether or not the beginning is kept', async () => {
    const prompts = [`${long}goes`, `${long}goes home`, `${long.slice(0, 60)}stops`, `${long}goes`];
    const warm: string[] = [];
    for (const prompt of prompts) warm.push((await ask(prompt)).text);
    const cold: string[] = [];
    for (const prompt of prompts) {
      await ask('zzz');
      cold.push((await ask(prompt)).text);
    }
    expect(warm).toEqual(cold);
  });

  it('evaluates only what is new of a text that goes on', async () => {
    const first = await ask(`${long}runs`);
    const second = await ask(`${long}runs${first.text}`);
    expect(second.cachedTokens).toBeGreaterThan(first.promptTokens);
  });

  it('speaks ChatML when it has no template', async () => {
    const messages = [{ role: 'user' as const, content: 'hello' }];
    const prompt = '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n';
    expect(await engine.countTokens({ messages })).toBe(await engine.countTokens({ prompt }));
  });
});

it('tells how much of the model is in memory while it is loaded, and nothing afterwards', async () => {
  const told: (number | undefined)[] = [];
  const spawner: ProcessSpawner = {
    spawn: (launch, listeners) =>
      nodeSpawner.spawn(launch, {
        ...listeners,
        onMessage(message) {
          listeners.onMessage(message);
          told.push(engine.status().progress);
        },
      }),
  };
  const engine: LocalBackend = tinyEngine({ spawner });
  try {
    await engine.open();
    const shares = told.filter((share) => share !== undefined);
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...new Set(shares)].toSorted((a, b) => a - b));
    expect([Math.min(...shares) > 0, shares.at(-1), engine.status().progress]).toEqual([true, 1, undefined]);
  } finally {
    await engine.close();
  }
});
