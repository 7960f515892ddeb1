import { cp, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeAdapter, writeMadeAdapter } from '../../src-main/bench/made-models/adapter.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { checkAdapter } from '../../src-main/gguf/adapter-file.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import type { ScoreResult, TokenLogprobs } from '../../src-main/inference/backend.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { ENDLESS, events, generate, SLOW, TINY_MODEL, tinyEngine } from '../support/engine.ts';

const engine = tinyEngine({ parallel: 4 });
let folder: string;
const at = (name: string) => join(folder, `${name}.gguf`);
/** Options that ask with one of the adapters made here. */
const by = (name: string | undefined) => (name === undefined ? {} : { adapter: at(name) });

const ADAPTERS: Record<string, MadeAdapter> = {
  zero: { size: 0 },
  first: { seed: 1, size: 0.05 },
  second: { seed: 2, size: 0.05, rank: 8, alpha: 4 },
  // Its values are numbers, and what the model computes with them are none.
  far: { seed: 3, size: 1e9 },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-engine-adapters-'));
  const model = await readModelHeader(TINY_MODEL);
  for (const [name, made] of Object.entries(ADAPTERS)) await writeMadeAdapter(at(name), model, made);
  await engine.open();
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const input = { messages: [{ role: 'user' as const, content: 'What is Quarry?' }] };
const continuation = ' The mesh is a peer, and a peer is a key.';
const request: GenerateRequest = { input, maxTokens: 30, temperature: 0, repeatPenalty: 1.1, topLogprobs: 2 };

const score = (name: string | undefined, topK = 5): Promise<ScoreResult> =>
  engine.score({ input, continuation, topK }, by(name));

/** Text, tokens and their log-probabilities, bit for bit. */
async function answer(name: string | undefined, asked = request, of: LocalBackend = engine) {
  const all = await events(of, asked, by(name));
  const tokens = all.flatMap((event): TokenLogprobs[] => (event.type === 'chunk' ? (event.logprobs ?? []) : []));
  const last = all.at(-1);
  if (last?.type !== 'done') throw new Error('The engine ended without a result.');
  return { text: last.result.text, tokens };
}

describe('an adapter', () => {
  it('adds alpha / rank · B·A to the model’s matrices, and nothing else', async () => {
    const [base, merged, adapter] = [at('base'), at('merged'), at('exact')];
    await writeRandomModel(base, { ...TINY_QWEN3, type: 'F32', vocabulary: 512 }, 7);
    const header = await readModelHeader(base);
    await writeMadeAdapter(adapter, header, { rank: 3, alpha: 5, size: 0.08, seed: 9 });
    await merge(base, adapter, merged);
    const [withAdapter, byMatrices, without] = [
      await scoreWith(base, { adapter }),
      await scoreWith(merged, {}),
      await scoreWith(base, {}),
    ];
    expect(largestDifference(withAdapter, byMatrices)).toBeLessThan(2e-3);
    expect(largestDifference(without, byMatrices)).toBeGreaterThan(0.3);
  });

  it('of zeros changes no bit', async () => {
    expect(await score('zero')).toEqual(await score(undefined));
    expect(await answer('zero')).toEqual(await answer(undefined));
  });

  it('comes and goes: before and after are the very same', async () => {
    const before = { base: await score(undefined), first: await score('first'), second: await score('second') };
    expect(before.first).not.toEqual(before.base);
    expect(before.second).not.toEqual(before.first);
    for (const name of ['second', undefined, 'first', undefined, 'second', 'first'] as const) {
      expect(await score(name)).toEqual(before[name ?? 'base']);
    }
  });

  it('of one request is none of another’s, however they are mixed', async () => {
    const names = ['first', undefined, 'second', 'first', undefined, 'zero', 'second', 'first'];
    const alone = new Map<string | undefined, unknown>();
    for (const name of new Set(names)) alone.set(name, (await answer(name)).text);
    expect(new Set(alone.values()).size).toBe(3);
    const together = await Promise.all(names.map((name) => answer(name)));
    expect(together.map(({ text }) => text)).toEqual(names.map((name) => alone.get(name)));
  });

  it('finds what it has evaluated itself, and nothing of another’s', async () => {
    const prompt = 'Receipts, credits and keys are what the ledger of a miner is made of.';
    const asked: GenerateRequest = { input: { prompt }, maxTokens: 2, temperature: 0 };
    const cached = async (name: string | undefined) => (await generate(engine, asked, by(name))).cachedTokens;
    expect(await cached('first')).toBe(0);
    expect(await cached('second')).toBe(0);
    expect(await cached(undefined)).toBe(0);
    expect(await cached('first')).toBeGreaterThan(10);
    expect(await cached(undefined)).toBeGreaterThan(10);
  });

  it('lets others get on while it is at work for long', async () => {
    engine.setSpeed(SLOW);
    const running = engine.generate(ENDLESS, by('first'));
    await running.next();
    await expect(generate(engine, { ...request, maxTokens: 4 })).resolves.toMatchObject({ completionTokens: 4 });
    await expect(score('second')).resolves.toBeDefined();
    expect(engine.status().active).toBe(1);
    await running.return(undefined);
    engine.setSpeed(1);
  });

  it('whose file was replaced is the new one', async () => {
    await cp(at('first'), at('replaced'));
    const before = await score('replaced');
    await rm(at('replaced'));
    await cp(at('second'), at('replaced'));
    expect(before).toEqual(await score('first'));
    expect(await score('replaced')).toEqual(await score('second'));
  });
});

describe('an engine with bad adapters', () => {
  const pid = () => engine.pid;

  /** What makes a file that must not be loaded, out of a good one. */
  const DAMAGE: Record<string, (file: Buffer) => Buffer> = {
    nothing: () => Buffer.alloc(0),
    noise: (file) => Buffer.from(file.map((_, index) => (index * 151) % 256)),
    'a cut': (file) => file.subarray(0, file.length - 400),
    'a cut in the header': (file) => file.subarray(0, 300),
    'another architecture': (file) => replaced(file, 'qwen3', 'qwen4'),
    'another type': (file) => replaced(file, 'lora', 'lorb'),
    'another name': (file) => replaced(file, 'blk.0.attn_q', 'blk.9.attn_q'),
    'no number': (file) => Buffer.concat([file.subarray(0, -4), Buffer.from([0, 0, 0xc0, 0x7f])]),
  };

  it.each(Object.keys(DAMAGE))('refuses %s, and goes on serving', async (name) => {
    const [before, running] = [await score(undefined), pid()];
    await writeFile(at('bad'), DAMAGE[name]!(await readFile(at('first'))));
    for (const asking of [generate(engine, request, by('bad')), score('bad')]) {
      await expect(asking).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'model' });
    }
    expect(await score(undefined)).toEqual(before);
    expect(pid()).toBe(running);
  });

  it('refuses a path that is none', async () => {
    for (const adapter of ['', 'a\0b', at('missing'), folder]) {
      await expect(generate(engine, request, { adapter })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        field: 'model',
      });
    }
  });

  it('says so where an adapter makes the model compute no numbers, and nothing of it stays', async () => {
    const lone = tinyEngine({ parallel: 1 }); // all in one sequence
    await lone.open();
    const before = await answer(undefined, request, lone);
    const long = { messages: [{ role: 'user' as const, content: 'Tell me of the ledger and its keys. '.repeat(10) }] };
    await expect(answer('far', { ...request, input: long }, lone)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await expect(lone.score({ input: long, continuation }, by('far'))).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await generate(lone, { ...request, input: long, temperature: 0.8, topLogprobs: undefined }, by('far'));
    expect(await answer(undefined, request, lone)).toEqual(before);
    expect(lone.restarts).toBe(0);
    await lone.close();
  });
});

it('an engine that was killed serves what waited with its adapter', async () => {
  const own = tinyEngine({ parallel: 1, breaker: { windowMs: 600_000, restartDelayMs: 20 } });
  await own.open();
  const wanted = await Promise.all([answer('first', request, own), answer('second', request, own)]);
  own.setSpeed(SLOW);
  const running = own.generate(ENDLESS, by('first'));
  await running.next();
  process.kill(own.pid as number, 'SIGSTOP'); // it begins nothing of what comes now
  const waiting = Promise.all([answer('first', request, own), answer('second', request, own)]);
  process.kill(own.pid as number, 'SIGKILL');
  await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => running })).rejects.toMatchObject({
    code: 'ENGINE_CRASHED',
  });
  expect(await waiting).toEqual(wanted);
  await own.close();
});

describe('tokens by their numbers', () => {
  it('are told of each token, and of those that it was chosen from', async () => {
    const { tokens } = await answer(undefined, { ...request, topLogprobs: 3 });
    for (const { id, token, top } of tokens) {
      expect(id).toBeTypeOf('number');
      const same = top.find((entry) => entry.id === id);
      if (same) expect(same.token).toBe(token);
      expect(new Set(top.map((entry) => entry.id)).size).toBe(3);
    }
  });

  it('come with the result where they are asked for, all that were sampled', async () => {
    const asked: GenerateRequest = { ...request, temperature: 0.8, seed: 4 };
    const ids = async (of: GenerateRequest, tokenIds = true) => {
      const last = (await events(engine, of, { ...by('first'), tokenIds })).at(-1);
      return last?.type === 'done' ? last.tokenIds : undefined;
    };
    const { text, tokens } = await answer('first', asked);
    const sampled = await ids(asked);
    expect(sampled?.slice(0, tokens.length)).toEqual(tokens.map(({ id }) => id));
    // Where the model ended it: with the token that says so.
    expect(sampled?.length).toBe(tokens.length < 30 ? tokens.length + 1 : 30);
    const stopped = await ids({ ...asked, stop: [text.slice(8, 12)] });
    expect(stopped?.length).toBeGreaterThan(0);
    expect(stopped).toEqual(sampled?.slice(0, stopped?.length));
    const tools = [{ name: 'look' }];
    expect(await ids({ ...asked, tools })).toEqual(expect.arrayContaining([expect.any(Number)]));
    expect(await ids(asked, false)).toBeUndefined();
  });

  it('are scored as the text that they make up', async () => {
    const byText = await score(undefined, 100);
    const ids = byText.tokens.map(({ id }) => id as number);
    expect(byText.tokens[0]?.top).toHaveLength(100);
    expect(await engine.score({ input, continuation: ids, topK: 100 })).toEqual(byText);
  });

  it('that the vocabulary has not are refused', async () => {
    for (const continuation of [[3, 1 << 20], [3, -1], [1.5], []]) {
      await expect(engine.score({ input, continuation })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        field: expect.stringMatching(/^continuation/),
      });
    }
  });

  it('of an input are those that an answer is made from', async () => {
    for (const each of [input, { prompt: 'The mesh' }, { prompt: '' }]) {
      const tokens = await engine.tokenize(each);
      const { promptTokens } = await generate(engine, { input: each, maxTokens: 1 });
      expect(tokens).toHaveLength(promptTokens);
    }
    const [prompt, whole] = [await engine.tokenize({ prompt: 'The' }), await engine.tokenize({ prompt: 'The mesh' })];
    const rest = await engine.score({ input: { prompt: 'The' }, continuation: ' mesh' });
    expect(whole).toEqual([...prompt, ...rest.tokens.map(({ id }) => id)]);
    await expect(engine.tokenize({ prompt: 'credits '.repeat(2_000) })).rejects.toMatchObject({
      code: 'CONTEXT_TOO_LONG',
    });
  });
});

function replaced(file: Buffer, from: string, to: string): Buffer {
  const place = file.indexOf(from);
  expect(place).toBeGreaterThan(0);
  return Buffer.concat([file.subarray(0, place), Buffer.from(to), file.subarray(place + from.length)]);
}

/** Writes a model whose matrices are those of another with an adapter's change; all of them F32. */
async function merge(base: string, adapter: string, merged: string): Promise<void> {
  const model = await readModelHeader(base);
  const { header, alpha, pairs } = await checkAdapter(adapter, model);
  await cp(base, merged);
  const file = await open(merged, 'r+');
  const values = async (path: string, place: number, bytes: number) => {
    const source = await open(path, 'r');
    const { buffer } = await source.read(new Uint8Array(bytes), 0, bytes, place);
    await source.close();
    return new Float32Array(buffer.buffer);
  };
  for (const pair of pairs) {
    const matrix = model.tensors.find(({ name }) => name === pair.base)!;
    const place = model.dataOffset + matrix.offset;
    const weights = await values(base, place, matrix.bytes);
    const a = await values(adapter, header.dataOffset + pair.a.offset, pair.a.bytes);
    const b = await values(adapter, header.dataOffset + pair.b.offset, pair.b.bytes);
    const [inputs = 0, rank = 0] = pair.a.dimensions;
    for (let cell = 0; cell < weights.length; cell++) {
      const [row, column] = [Math.floor(cell / inputs), cell % inputs];
      let change = 0;
      for (let inner = 0; inner < rank; inner++) change += b[row * rank + inner]! * a[inner * inputs + column]!;
      weights[cell] = weights[cell]! + (alpha / rank) * change;
    }
    await file.write(new Uint8Array(weights.buffer), 0, matrix.bytes, place);
  }
  await file.close();
}

async function scoreWith(modelPath: string, options: { adapter?: string }): Promise<ScoreResult> {
  const own = tinyEngine({ modelPath, parallel: 1 });
  await own.open();
  const result = await own.score(
    { input: { prompt: ' baba ku' }, continuation: ' dibo kara lu memo', topK: 20 },
    options,
  );
  await own.close();
  return result;
}

/** Of the log-probabilities of the tokens themselves, in nats. */
function largestDifference(one: ScoreResult, other: ScoreResult): number {
  return Math.max(...one.tokens.map(({ logprob }, index) => Math.abs(logprob - other.tokens[index]!.logprob)));
}
