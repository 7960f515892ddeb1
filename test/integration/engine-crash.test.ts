import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENDLESS, generate, isRunning, SLOW, tinyEngine } from '../support/engine.ts';
import { until } from '../support/until.ts';

const short = { input: { prompt: 'The mesh' }, maxTokens: 4, temperature: 0 };
const CRASHING = new URL('../fixtures/engine-that-crashes.ts', import.meta.url);

describe('an engine that is killed', () => {
  const engine = tinyEngine({ parallel: 2, breaker: { windowMs: 600_000, restartDelayMs: 20, probeDelayMs: 60_000 } });
  beforeAll(async () => {
    await engine.open();
    engine.setSpeed(SLOW);
  });
  afterAll(() => engine.close());

  /** @returns what the answers ended with */
  async function killAmidAnswers(answers: number): Promise<unknown[]> {
    const running = Array.from({ length: answers }, () => engine.generate(ENDLESS));
    await Promise.all(running.map((iterator) => iterator.next()));
    process.kill(engine.pid as number, 'SIGKILL');
    return await Promise.all(
      running.map((iterator) =>
        Array.fromAsync({ [Symbol.asyncIterator]: () => iterator }).then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
  }

  it('ends the answers it was giving, as retryable, and serves the next', async () => {
    for (const error of await killAmidAnswers(2))
      expect(error).toMatchObject({ code: 'ENGINE_CRASHED', retryable: true });
    expect(engine.status()).toMatchObject({ state: 'restarting', error: { code: 'ENGINE_CRASHED' } });
    await expect(generate(engine, short)).resolves.toMatchObject({ completionTokens: 4 });
    expect(engine.status()).toMatchObject({ state: 'ready', active: 0, waiting: 0 });
  });

  it('serves what was waiting when it is back', async () => {
    const running = Array.from({ length: 2 }, () => engine.generate(ENDLESS));
    await Promise.all(running.map((iterator) => iterator.next()));
    process.kill(engine.pid as number, 'SIGSTOP'); // it begins nothing of what comes now
    const waiting = Promise.all([generate(engine, short), generate(engine, short), engine.countTokens(short.input)]);
    process.kill(engine.pid as number, 'SIGKILL');
    for (const iterator of running) {
      await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => iterator })).rejects.toMatchObject({
        code: 'ENGINE_CRASHED',
      });
    }
    const [first, second] = await waiting;
    expect(second.text).toBe(first.text);
    expect(first.queuedMs).toBeGreaterThan(20);
  });

  it('is given up at the third time, with the reason and what to do', async () => {
    await killAmidAnswers(1);
    expect(engine.status()).toMatchObject({ state: 'broken', error: { code: 'ENGINE_UNAVAILABLE' } });
    await expect(generate(engine, short)).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('SIGKILL'),
      hint: expect.any(String),
      retryAfterMs: 60_000,
    });
  });
});

describe('an engine that comes back', () => {
  const engine = tinyEngine({ breaker: { restartDelayMs: 20 } });
  beforeAll(async () => {
    await engine.open();
    engine.setSpeed(SLOW);
  });
  afterAll(() => engine.close());

  it('fails the request that cannot be sent to it, and serves what else was waiting', async () => {
    const running = engine.generate(ENDLESS);
    await running.next();
    process.kill(engine.pid as number, 'SIGKILL');
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => running })).rejects.toThrow();
    let written = 0;
    const toJSON = () => {
      if (written++ > 0) throw new RangeError('Maximum call stack size exceeded');
      return {};
    };
    // As what is too deep: it can be measured at the door, and not be sent from further down the stack.
    const properties = Object.defineProperty({}, 'toJSON', { value: toJSON });
    const deep = expect(generate(engine, { ...short, jsonSchema: { properties } })).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'Maximum call stack size exceeded',
    });
    const waiting = generate(engine, short);
    await deep;
    await expect(waiting).resolves.toMatchObject({ completionTokens: 4 });
  });
});

describe('an engine that dies while it loads', () => {
  it('is tried three times, then open fails with its last words', async () => {
    const engine = tinyEngine({ entry: CRASHING, breaker: { windowMs: 600_000, restartDelayMs: 5 } });
    await expect(engine.open()).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('GGML_ASSERT(false) failed'),
    });
    await engine.close();
  });

  it('is tried again after a pause', async () => {
    const engine = tinyEngine({ entry: CRASHING, breaker: { windowMs: 600_000, restartDelayMs: 1, probeDelayMs: 20 } });
    await expect(engine.open()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    const dead = engine.pid;
    await expect.poll(() => engine.pid !== undefined && engine.pid !== dead).toBe(true);
    await engine.close();
    expect(engine.status().state).toBe('closed');
  });
});

describe('a closed engine', () => {
  it('ends what it was asked with CANCELLED', async () => {
    const engine = tinyEngine();
    await engine.open();
    engine.setSpeed(SLOW);
    const running = engine.generate(ENDLESS);
    await running.next();
    const ended = expect(Array.fromAsync({ [Symbol.asyncIterator]: () => running })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await engine.close();
    await ended;
    await expect(generate(engine, short)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  it('can be opened again', async () => {
    const engine = tinyEngine();
    await engine.open();
    await engine.close();
    await engine.open();
    await expect(generate(engine, short)).resolves.toMatchObject({ completionTokens: 4 });
    await engine.close();
  });
});

it.runIf(process.platform === 'linux')('knows no secret of its parent’s environment', async () => {
  vi.stubEnv('QUARRY_TEST_API_KEY', 'a secret of the parent');
  vi.stubEnv('VK_TEST_LAYERS', 'none');
  const engine = tinyEngine();
  await engine.open();
  const environment = await readFile(`/proc/${engine.pid}/environ`, 'utf8');
  await engine.close();
  vi.unstubAllEnvs();
  expect(environment).toContain('VK_TEST_LAYERS=none');
  expect(environment).not.toContain('QUARRY_TEST_API_KEY');
  expect(environment).not.toContain('secret');
});

// The terminal's ^C reaches the parent alone: the engine is in a group of its own.
it.each(['SIGKILL', 'SIGINT'] as const)('does not outlive a parent that was ended by %s', async (signal) => {
  const parent = spawn(process.execPath, [fileURLToPath(new URL('../fixtures/engine-owner.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const enginePid = Number(line.toString());
  expect(isRunning(enginePid)).toBe(true);
  parent.kill(signal);
  await until(() => expect(isRunning(enginePid)).toBe(false));
});
