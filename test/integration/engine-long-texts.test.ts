import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { MAX_LONG_REQUEST_BYTES, MAX_REQUEST_BYTES } from '../../src-preload/contract/limits.ts';
import { generate, tinyEngine } from '../support/engine.ts';
import { LONG_WORD, writeLongTokenModel } from '../support/long-token-model.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: LocalBackend;
beforeAll(async () => {
  folder = await temporaryFolder();
  const modelPath = await writeLongTokenModel(join(folder.path, 'long.gguf'));
  engine = tinyEngine({ modelPath, contextSize: 4_096 });
  await engine.open();
});
afterAll(async () => {
  await engine?.close();
  await folder?.remove();
});

/** So many kilobytes in words of one token each, with a space between them. */
const text = (kilobytes: number) => Array.from({ length: kilobytes }, () => LONG_WORD).join(' ');
const asked = (content: string) => ({
  input: { messages: [{ role: 'user' as const, content }] },
  maxTokens: 2,
  temperature: 0,
});

it('reads and answers a question of more megabytes than any door lets in, where its context has room', async () => {
  const content = text(1_500);
  expect(content.length).toBeGreaterThan(MAX_REQUEST_BYTES);
  const tokens = await engine.countTokens(asked(content).input);
  const { promptTokens, completionTokens } = await generate(engine, asked(content));
  expect([promptTokens, completionTokens]).toEqual([tokens, 2]);
  expect(tokens).toBeGreaterThanOrEqual(2 * 1_500 - 1); // each word, and each space
});

it('says by its tokens that a long text has no room, and refuses by its size what no context takes', async () => {
  await expect(generate(engine, asked(text(2_200)))).rejects.toMatchObject({
    ...{ code: 'CONTEXT_TOO_LONG', message: expect.stringMatching(/tokens/) },
  });
  await expect(generate(engine, asked('a'.repeat(MAX_LONG_REQUEST_BYTES)))).rejects.toMatchObject({
    ...{ code: 'CONTEXT_TOO_LONG', message: expect.stringMatching(/larger than/) },
  });
  const beyond = asked('a'.repeat(MAX_LONG_REQUEST_BYTES + 1));
  await expect(generate(engine, beyond)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
