import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { DraftCost } from '../../src-preload/contract/drafting.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { generate, TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** As if guessing cost nothing, so that it is always done. */
const FREE: DraftCost[] = [1, 2, 3, 4].map((sequences) => ({
  sequences,
  guessMs: 0.001,
  batches: [1, 2, 3, 5, 9].map((tokens) => ({ tokens, ms: 10 })),
}));
const DRAFT = { name: 'tiny-draft', path: TINY_MODEL, sha256: '0'.repeat(64) };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let plain: LocalBackend;
let drafting: LocalBackend;
beforeAll(async () => {
  folder = await temporaryFolder();
  plain = tinyEngine();
  drafting = tinyEngine({ draft: DRAFT });
  await Promise.all([plain.open(), drafting.open()]);
  drafting.useDraftCosts(FREE);
});
afterAll(async () => {
  await plain?.close();
  await drafting?.close();
  await folder?.remove();
});

const WORDS = ['Once', 'The cat', 'It was', 'In the morning', 'Nobody', 'When we', 'A', 'Then', 'She said', 'Why'];
const prompts = WORDS.flatMap((word) => [`${word} `, `${word} and the house`, `${word}, said he`]);

describe('an engine with a draft model', () => {
  it.each<[string, Partial<GenerateRequest>]>([
    ['greedy', { temperature: 0, repeatPenalty: 1 }],
    ['with seeds', { temperature: 1, topP: 1, topK: 0, repeatPenalty: 1 }],
    ['with all that changes choices', { temperature: 0.9, repeatPenalty: 1.2, frequencyPenalty: 0.3, topK: 30 }],
  ])('says what the model says without, %s', async (_, sampling) => {
    const told: object[] = [];
    const end = drafting.onDrafted((rates) => told.push(rates));
    for (const [seed, prompt] of prompts.entries()) {
      const request = { input: { prompt }, maxTokens: 40, seed, ...sampling };
      const [without, guessed] = [await generate(plain, request), await generate(drafting, request)];
      expect({ prompt, text: guessed.text, tokens: guessed.completionTokens }).toEqual({
        ...{ prompt, text: without.text, tokens: without.completionTokens },
      });
    }
    end();
    expect(told.length).toBeGreaterThan(0);
    expect(drafting.status().model?.draft).toMatchObject({ name: 'tiny-draft', right: expect.any(Number) });
  });

  it('has all guesses of a smaller model right that says the same', async () => {
    const [path, small] = [join(folder.path, 'deep.gguf'), join(folder.path, 'small.gguf')];
    await writeRandomModel(path, { ...TINY_QWEN3, layers: 6, telling: 2, sureness: 16 }, 1);
    await writeRandomModel(small, { ...TINY_QWEN3, layers: 2, sureness: 16 }, 1);
    const engine = tinyEngine({ modelPath: path, draft: { name: 'small', path: small, sha256: '' } });
    await engine.open();
    engine.useDraftCosts(FREE);
    for (const seed of [1, 2, 3, 4]) {
      await generate(engine, { input: { prompt: `A ${seed}` }, maxTokens: 300, temperature: 0, repeatPenalty: 1 });
    }
    const { right = 0, gain = 1 } = engine.status().model?.draft ?? {};
    await engine.close();
    expect(right).toBeGreaterThan(0.95);
    expect(gain).toBeGreaterThan(2);
  });

  it('says the same where several decode together', async () => {
    const requests = prompts.slice(0, 4).map((prompt, seed) => ({ input: { prompt }, maxTokens: 40, seed }));
    const alone = [];
    for (const request of requests) alone.push((await generate(plain, request)).text);
    const together = await Promise.all(requests.map((request) => generate(drafting, request)));
    expect(together.map(({ text }) => text)).toEqual(alone);
  });

  it('measures what guessing costs, and guesses nothing that was not measured to pay', async () => {
    const costs = await drafting.measureDrafting();
    expect(costs[0]).toMatchObject({ sequences: 1, guessMs: expect.any(Number) });
    expect(costs[0]?.batches.map(({ tokens }) => tokens)).toEqual([1, 2, 3, 5, 9]);
    expect(await plain.measureDrafting()).toEqual([]);
    drafting.useDraftCosts(FREE);
  });

  it('goes on without one that has other tokens, is no model or is not there, and says why', async () => {
    const path = join(folder.path, 'other.gguf');
    await writeRandomModel(path, TINY_QWEN3, 1);
    const broken = join(folder.path, 'broken.gguf');
    await writeFile(broken, 'GGUF');
    for (const draft of [path, broken, join(folder.path, 'none.gguf')]) {
      const engine = tinyEngine({ draft: { name: 'other', path: draft, sha256: '' } });
      await engine.open();
      expect((await generate(engine, { input: { prompt: 'A' }, maxTokens: 4 })).completionTokens).toBeGreaterThan(0);
      expect([engine.draft, engine.status().model?.draft?.error?.code]).toEqual([
        undefined,
        expect.stringMatching(/^MODEL_/),
      ]);
      await engine.close();
    }
  });

  it('goes on without it once the engine has died with it', async () => {
    const engine = tinyEngine({ draft: DRAFT, breaker: { restartDelayMs: 1 } });
    await engine.open();
    expect(engine.draft).toMatchObject({ name: 'tiny-draft' });
    process.kill(engine.pid ?? 0, 'SIGKILL');
    await until(() => expect(engine.restarts).toBe(1));
    expect(engine.draft).toBeUndefined();
    expect(engine.status().model?.draft?.error?.code).toBe('ENGINE_CRASHED');
    await engine.close();
  });
});
