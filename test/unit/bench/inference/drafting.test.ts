import { expect, it } from 'vitest';
import { benchDrafting } from '../../../../src-main/bench/inference/drafting.ts';

it.each([
  { model: 'mine.gguf', draft: undefined },
  { model: undefined, draft: 'mine.gguf' },
])('measures no made models in the place of half a pair: %j', async (pair) => {
  const events = benchDrafting({ ...pair, runs: 1, tokens: 1, threads: [1], signal: AbortSignal.abort() });
  await expect(events.next()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('--draft and --models'),
  });
});
