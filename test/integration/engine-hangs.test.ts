import { afterEach, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { generate, isRunning, SLOW, tinyEngine } from '../support/engine.ts';

const HANGING = new URL('../fixtures/engine-that-hangs.ts', import.meta.url);
const breaker = { windowMs: 600_000, restartDelayMs: 5 };

let engine: LocalBackend;
afterEach(() => engine.close());

it('an engine that hangs is ended: what it had begun fails, the rest is sent again', async () => {
  // It loads for longer than it may be silent once it works.
  engine = tinyEngine({ entry: HANGING, breaker, heartbeat: { everyMs: 50, patienceMs: 400 } });
  await engine.open();
  const first = engine.pid as number;
  const hanging = engine.countTokens({ prompt: 'hang' });
  const waiting = engine.countTokens({ prompt: 'work' });
  await expect(hanging).rejects.toMatchObject({
    code: 'ENGINE_CRASHED',
    retryable: true,
    message: expect.stringContaining('said nothing'),
  });
  expect(await waiting).not.toBe(first);
  expect(engine.pid).not.toBe(first);
  expect(isRunning(first)).toBe(false);
});

it('one that answers slowly is left alone: it says at once that it is there', async () => {
  engine = tinyEngine({ breaker, heartbeat: { everyMs: 20, patienceMs: 20_000 } });
  await engine.open();
  const first = engine.pid;
  engine.setSpeed(SLOW);
  const answer = await generate(engine, { input: { prompt: 'The mesh' }, maxTokens: 8, temperature: 0 });
  expect(answer.completionTokens).toBe(8);
  expect(engine.pid).toBe(first);
});
