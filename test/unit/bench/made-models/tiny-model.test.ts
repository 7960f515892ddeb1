import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getLlama, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const committed = join(root, 'resources', 'tiny.gguf');
const knownWords = new Set(
  (await readFile(join(root, 'scripts', 'tiny-model-text.txt'), 'utf8')).toLowerCase().match(/\p{L}+/gu),
);

describe('resources/tiny.gguf', () => {
  let model: LlamaModel;
  let sequence: LlamaContextSequence;
  const warnings: string[] = [];
  const cleanUp: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const logger = (_level: string, message: string) => warnings.push(message);
    const llama = await getLlama({ gpu: false, maxThreads: 1, progressLogs: false, logger });
    cleanUp.push(() => llama.dispose());
    model = await llama.loadModel({ modelPath: committed });
    sequence = (await model.createContext({ contextSize: 1024, threads: 1 })).getSequence();
  });

  afterAll(async () => {
    for (const step of cleanUp) await step();
  });

  async function answer(question: string, seed: number): Promise<{ text: string; ended: boolean }> {
    await sequence.clearHistory();
    const prompt = `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
    const tokens: Token[] = [];
    for await (const token of sequence.evaluate(model.tokenize(prompt, true), { temperature: 0.7, seed })) {
      if (tokens.push(token) === 400) break;
    }
    return { text: model.detokenize(tokens), ended: tokens.length < 400 };
  }

  /** ln P of each possible next token. */
  async function nextLogprobs(text: string): Promise<Map<number, number>> {
    await sequence.clearHistory();
    const tokens = model.tokenize(text, true);
    const last = tokens.pop();
    if (last === undefined) throw new Error('no tokens');
    const steps = await sequence.controlledEvaluate([...tokens, [last, { generateNext: { probabilities: true } }]]);
    const probabilities = steps.at(-1)?.next.probabilities ?? new Map();
    return new Map([...probabilities].map(([token, probability]) => [token, Math.log(probability)]));
  }

  it('is what the script writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-tiny-'));
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'tiny.gguf');
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build-tiny-model.ts'), path]);
    expect((await readFile(path)).equals(await readFile(committed))).toBe(true);
  });

  it('is at most 2 MB', async () => {
    expect((await readFile(committed)).length).toBeLessThanOrEqual(2_000_000);
  });

  it('loads without a warning', () => {
    expect(warnings).toEqual([]);
  });

  it('answers in words of its text, and ends by itself', async () => {
    const answers = [];
    for (const [seed, question] of ['Hello', 'What is a credit?', 'Größe 4711 × 😀'].entries()) {
      for (let each = 0; each < 4; each++) answers.push(await answer(question, 10 * seed + each));
    }
    const written = answers.flatMap(({ text }) => text.toLowerCase().match(/[^\s.,"]+/g) ?? []);
    expect(answers.filter(({ ended }) => !ended).length).toBeLessThanOrEqual(1);
    expect(written.length).toBeGreaterThan(50);
    expect(written.filter((word) => !knownWords.has(word))).toEqual([]);
  });

  it('lets the context before the last token matter', async () => {
    const one = await nextLogprobs('The client signs the');
    const other = await nextLogprobs('Every miner that serves a prompt has the');
    const likely = [...one].filter(([, logprob]) => logprob > -3);
    const differences = likely.map(([token, logprob]) => Math.abs(logprob - (other.get(token) ?? 0)));
    expect(Math.max(...differences)).toBeGreaterThan(0.2);
  });
});
