import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { type RealNode, startRealNode } from '../support/real-node.ts';
import { ROUNDS } from '../support/rounds.ts';

/** A model that was trained: what it answers can be right or wrong. `npm run test:models` fetches it. */
const modelPath = await findRealModel(SMOLLM2);
/** The template's own makes so small a model ramble. */
const SYSTEM = 'You are a helpful assistant. Answer in one sentence.';
const LLAMA = resolve(import.meta.dirname, '../fixtures/llama-greedy.ts');

let node: RealNode;

beforeAll(async () => {
  if (modelPath) node = await startRealNode(modelPath, 8192);
});

afterAll(() => node?.[Symbol.asyncDispose]());

async function ask(question: string, more: { maxTokens?: number; stop?: string } = {}) {
  const { choices, usage } = await node.client.chat.completions.create({
    model: 'local',
    temperature: 0,
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: question },
    ],
    max_completion_tokens: more.maxTokens ?? 60,
    stop: more.stop ?? null,
  });
  return { text: choices[0]?.message.content, finish: choices[0]?.finish_reason, usage };
}

/** What the model's template makes of {@link ask}'s messages, written by hand. */
function asTemplated(question: string): string {
  const turns = [`system\n${SYSTEM}`, `user\n${question}`].map((turn) => `<|im_start|>${turn}<|im_end|>\n`);
  return `${turns.join('')}<|im_start|>assistant\n`;
}

interface Greedy {
  promptTokens: number;
  answerTokens: number;
  text: string;
}

/** What llama.cpp says without us. */
async function llamaAnswers(prompts: readonly string[], maxTokens: number): Promise<Greedy[]> {
  const args = [LLAMA, modelPath ?? '', String(maxTokens), ...prompts];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const NEEDLE = 'The secret code of the mine is 7342. ';
const NEEDLE_QUESTION = 'What is the secret code of the mine? Answer with the number.';
const THINGS = ['apple', 'bridge', 'candle', 'door', 'engine', 'forest', 'garden', 'harbour', 'island', 'jacket'];
const KINDS = ['old', 'green', 'heavy', 'bright', 'quiet', 'narrow', 'wooden', 'round', 'cold'];
const PLACES = ['near the town', 'behind the hill', 'in the kitchen', 'under the roof', 'by the sea', 'in the north'];

/** Sentences of about eight tokens, each another one, as repeated ones lead so small a model astray. @param depth of the needle, 0–1 */
function haystack(length: number, depth: number): string {
  const sentences = Array.from({ length }, (_, index) => {
    const [row, block] = [Math.floor(index / THINGS.length), Math.floor(index / (THINGS.length * KINDS.length))];
    const [thing, kind] = [THINGS[index % THINGS.length], KINDS[(row + index) % KINDS.length]];
    return `The ${kind} ${thing} is ${PLACES[(block + row + index) % PLACES.length]}. `;
  });
  return sentences.toSpliced(Math.floor(length * depth), 0, NEEDLE).join('');
}

describe.skipIf(!modelPath)('a node with SmolLM2-135M', () => {
  it.each([
    ['France', 'Paris'],
    ['Italy', 'Rome'],
    ['Japan', 'Tokyo'],
  ])('knows the capital of %s, and ends by itself', async (country, capital) => {
    const { text, finish, usage } = await ask(`What is the capital of ${country}?`);
    expect(text).toContain(capital);
    // Its own end came, far below the limit, and shows nowhere in the text.
    expect(finish).toBe('stop');
    expect(usage?.completion_tokens).toBeLessThan(20);
    expect(text).not.toMatch(/<\||im_end/);
  });

  it('is cut at a stop string, and at the limit', async () => {
    const question = 'What is the capital of France?';
    expect(await ask(question, { stop: ' Paris' })).toMatchObject({ text: 'The capital of France is', finish: 'stop' });
    expect(await ask(question, { maxTokens: 3 })).toMatchObject({ text: 'The capital of', finish: 'length' });
  });

  it('says at temperature 0 what llama.cpp says, word for word, and counts the same tokens', async () => {
    const questions = ['Why is the sky blue?', 'What is photosynthesis?', 'Was weißt du über «Zürich» – 東京 😀?'];
    const expected = await llamaAnswers(questions.map(asTemplated), 40);
    for (const [index, question] of questions.entries()) {
      const { text, usage } = await ask(question, { maxTokens: 40 });
      expect({ text, promptTokens: usage?.prompt_tokens }).toEqual({
        text: expected[index]?.text,
        promptTokens: expected[index]?.promptTokens,
      });
    }
  });

  it('continues a raw prompt as llama.cpp does', async () => {
    const prompts = ['The three primary colours are', 'def fibonacci(n):\n', '{"name": "Ada", "born":'];
    const expected = await llamaAnswers(prompts, 20);
    for (const [index, prompt] of prompts.entries()) {
      const { choices, usage } = await node.client.completions.create({
        model: 'local',
        prompt,
        temperature: 0,
        max_tokens: 20,
      });
      const { text, promptTokens } = expected[index] ?? {};
      expect({ text: choices[0]?.text, promptTokens: usage?.prompt_tokens }).toEqual({ text, promptTokens });
    }
  });

  async function findsNeedle(tokens: number): Promise<void> {
    // Near the end only: in the middle and at the beginning this small model invents another number.
    const { text, usage } = await ask(`${haystack(tokens / 8, 0.9)}\n\n${NEEDLE_QUESTION}`);
    expect(usage?.prompt_tokens).toBeGreaterThan(tokens);
    expect(text).toContain('7342');
  }

  it('finds a needle in 1,000 tokens', () => findsNeedle(1_000));
  it.skipIf(ROUNDS === 1)('finds a needle in 4,000 tokens', { timeout: 900_000 }, () => findsNeedle(4_000)); // two minutes
});
