import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CrashBreaker } from '../../../src-main/process/crash-breaker.ts';
import { nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { SupervisedChild } from '../../../src-main/process/supervised-child.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { resourceContract } from '../../support/resource-contract.ts';
import { type ScriptedChild, scriptedSpawner } from '../../support/scripted-spawner.ts';
import { OBEDIENT_CHILD } from '../../support/spawner-contract.ts';
import { until } from '../../support/until.ts';

const endless: z.ZodType = z.lazy(() => z.array(endless));
const messages = z.strictObject({ say: z.enum(['ready', 'cannot', 'word']), about: endless.optional() });
const FAULT = new QuarryError({ code: 'MODEL_INVALID', message: 'The model is broken.' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function supervised({ onLost, lingerMs }: { onLost?: () => void; lingerMs?: number } = {}) {
  const spawner = scriptedSpawner(lingerMs === undefined ? {} : { lingerMs });
  const told = { words: 0, lost: [] as QuarryError[], broken: [] as QuarryError[] };
  const child: SupervisedChild<z.infer<typeof messages>> = new SupervisedChild({
    spawner,
    launch: { name: 'the sandbox', run: new URL('file:///sandbox.ts'), env: {} },
    messages,
    greeting: () => ({ say: 'hello' }),
    errors: {
      crashed: { code: 'WORKER_LOST', hint: 'Run it again.' },
      unavailable: { code: 'NOT_RUNNING', hint: 'Look at the log.' },
    },
    breaker: new CrashBreaker(() => Date.now()),
    log: pino({ level: 'silent' }),
    onMessage: ({ say }) => {
      if (say === 'ready') child.ready({});
      else if (say === 'cannot') child.refuse(FAULT);
      else told.words++;
    },
    onLost: (error) => {
      told.lost.push(error);
      onLost?.();
    },
    onBroken: (error) => told.broken.push(error),
  });
  const last = () => spawner.children.at(-1) as ScriptedChild;
  return { child, spawner, told, last };
}

async function opened() {
  const all = supervised();
  const opening = all.child.open();
  all.last().onMessage({ say: 'ready' });
  await opening;
  return all;
}

/** What a promise was rejected with. */
const failure = (promise: Promise<void>) => promise.then(() => undefined, QuarryError.from);

describe('a supervised child', () => {
  it('is greeted, and open when it says that it is ready', async () => {
    const { child, last } = supervised();
    const opening = child.open();
    expect(child.state).toBe('starting');
    expect(last().sent).toEqual([{ say: 'hello' }]);
    child.send({ early: true });
    last().onMessage({ say: 'ready' });
    await opening;
    child.send({ later: true });
    expect(last().sent).toEqual([{ say: 'hello' }, { later: true }]);
    expect(child).toMatchObject({ state: 'ready', pid: last().pid, error: undefined });
    await child.close();
  });

  it('is started once, however often it is opened', async () => {
    const { child, spawner, last } = supervised();
    const both = Promise.all([child.open(), child.open()]);
    last().onMessage({ say: 'ready' });
    await both;
    await child.open();
    expect(spawner.children).toHaveLength(1);
    await child.close();
  });

  it('comes back when it dies, later each time', async () => {
    const { child, spawner, told, last } = await opened();
    last().onStderr('loading\nerror: no memory\nbye\n');
    last().die({ code: 3 });
    expect(child).toMatchObject({ state: 'restarting', pid: undefined });
    expect(told.lost[0]).toMatchObject({
      code: 'WORKER_LOST',
      message: 'The sandbox ended with code 3: error: no memory.',
      hint: 'Run it again.',
      retryable: true,
    });
    await vi.advanceTimersByTimeAsync(249);
    expect(spawner.children).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(spawner.children).toHaveLength(2);
    last().onMessage({ say: 'ready' });
    expect(child).toMatchObject({ state: 'ready', error: undefined });
    last().die({ signal: 'SIGSEGV' });
    await vi.advanceTimersByTimeAsync(999);
    expect(spawner.children).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(spawner.children).toHaveLength(3);
    await child.close();
  });

  it('is given up at the third death within a minute, and tried again after half a minute', async () => {
    const { child, spawner, told, last } = await opened();
    for (const wait of [250, 1_000]) {
      last().die({ code: 1 });
      await vi.advanceTimersByTimeAsync(wait);
      last().onMessage({ say: 'ready' });
    }
    last().die({ code: 9 });
    expect(child).toMatchObject({ state: 'broken', error: told.broken[0] });
    expect(told.broken).toHaveLength(1);
    expect(told.broken[0]).toMatchObject({
      code: 'NOT_RUNNING',
      message:
        'The sandbox failed 3 times within 60 seconds and is switched off for now. The sandbox ended with code 9.',
      hint: 'Look at the log.',
      retryAfterMs: 30_000,
    });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(spawner.children).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    last().onMessage({ say: 'ready' });
    expect(child.state).toBe('ready');
    await child.close();
  });

  it('is not given up when its deaths lie apart', async () => {
    const { child, last } = await opened();
    for (let death = 0; death < 4; death++) {
      last().die({ code: 1 });
      await vi.advanceTimersByTimeAsync(60_000);
      last().onMessage({ say: 'ready' });
      expect(child.state).toBe('ready');
    }
    await child.close();
  });

  it('ends the opening when it keeps dying', async () => {
    const { child, last } = supervised();
    const failed = failure(child.open());
    for (const wait of [250, 1_000, 0]) {
      last().die({ code: 1 });
      await vi.advanceTimersByTimeAsync(wait);
    }
    expect(await failed).toMatchObject({ code: 'NOT_RUNNING' });
    await child.close();
  });

  it('is ended for good when it refuses at its opening', async () => {
    const { child, spawner, last } = supervised();
    const failed = failure(child.open());
    last().onMessage({ say: 'cannot' });
    expect(await failed).toBe(FAULT);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(spawner.children).toHaveLength(1);
    expect(spawner.living()).toBe(0);
    expect(child.state).toBe('broken');
  });

  it('is tried again when it refuses after a death', async () => {
    const { child, spawner, last } = await opened();
    last().die({ code: 1 });
    await vi.advanceTimersByTimeAsync(250);
    last().onMessage({ say: 'cannot' });
    expect(child.state).toBe('restarting');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(spawner.children).toHaveLength(3);
    await child.close();
  });

  it('is ended when it talks nonsense, and nothing that it says after that counts', async () => {
    const { child, told, last } = await opened();
    const { killed } = last();
    expect(killed).toBe(false);
    last().onMessage({ say: 'a thing that no schema has' });
    last().onMessage({ say: 'word' });
    expect(last().killed).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(told.words).toBe(0);
    expect(told.lost[0]?.message).toBe('The sandbox was ended: it said something that it should not.');
    expect(child.state).toBe('restarting');
    await child.close();
  });

  it('is ended when what it says is too deep for the schema itself', async () => {
    const { child, told, last } = await opened();
    let about: unknown[] = [];
    for (let level = 0; level < 100_000; level++) about = [about];
    last().onMessage({ say: 'word', about });
    expect(last().killed).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(told.words).toBe(0);
    expect(told.lost[0]?.message).toBe('The sandbox was ended: it said something that it should not.');
    await child.close();
  });

  it('can be closed while it starts', async () => {
    const { child, spawner, last } = supervised();
    const failed = failure(child.open());
    await child.close();
    expect(await failed).toMatchObject({
      code: 'CANCELLED',
      message: 'The sandbox was closed while it was starting.',
    });
    expect(last().killed).toBe(true);
    expect(spawner.living()).toBe(0);
  });

  it('leaves no child and no timer when it is closed, in whatever state', async () => {
    const ready = await opened();
    await ready.child.close();
    const restarting = await opened();
    restarting.last().die({ code: 1 });
    await restarting.child.close();
    const refused = await opened();
    refused.last().onMessage({ say: 'cannot' });
    await refused.child.close();
    for (const { child, spawner } of [ready, restarting, refused]) {
      await child.close();
      expect(child.state).toBe('closed');
      expect(spawner.living()).toBe(0);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is closed for good by whoever hears of its death', async () => {
    const { child, spawner, last } = supervised({ onLost: () => void child.close() });
    const failed = failure(child.open());
    last().onMessage({ say: 'ready' });
    last().die({ code: 1 });
    await failed;
    expect(child.state).toBe('closed');
    expect(vi.getTimerCount()).toBe(0);
    expect(spawner.living()).toBe(0);
  });

  it.each(['ready', 'cannot'])('is gone when any of its closings is over (it said «%s»)', async (word) => {
    const { child, spawner, last } = supervised({ lingerMs: 500 });
    const opening = failure(child.open());
    last().onMessage({ say: word });
    const living = [child.close(), child.close()].map((closing) => closing.then(() => spawner.living()));
    await vi.advanceTimersByTimeAsync(499);
    expect(spawner.living()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(living)).toEqual([0, 0]);
    await opening;
  });

  it('may die while it is being closed', async () => {
    const { child, told, last } = await opened();
    const closing = child.close();
    last().die({ code: 1 });
    await closing;
    expect(told.lost).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells nothing of its death when it was closed, and can be opened again', async () => {
    const { child, told, last } = await opened();
    await child.close();
    expect(told).toMatchObject({ lost: [], broken: [] });
    const opening = child.open();
    last().onMessage({ say: 'ready' });
    await opening;
    expect(child.state).toBe('ready');
    await child.close();
  });
});

resourceContract('a supervised child', {
  reopens: true,
  make: () => {
    vi.useRealTimers();
    const child: SupervisedChild<unknown> = new SupervisedChild({
      spawner: nodeSpawner,
      launch: { name: 'the obedient child', run: OBEDIENT_CHILD, env: {}, limits: { memoryMiB: 1_000 } },
      messages: z.unknown(),
      greeting: () => ({ order: 'breed' }),
      errors: { crashed: { code: 'WORKER_LOST' }, unavailable: { code: 'NOT_RUNNING' } },
      breaker: new CrashBreaker(() => Date.now()),
      log: pino({ level: 'silent' }),
      onMessage: () => child.ready({}),
      onLost: () => undefined,
      onBroken: () => undefined,
    });
    return child;
  },
});

it('the last words of a child steer no terminal', async () => {
  const { told, last } = await opened();
  last().onStderr('starting\nfailed: \u001b[2J\u001b]0;title\u0007\u202eno\n');
  last().die({ code: 1 });
  await until(() => expect(told.lost).toHaveLength(1));
  expect(told.lost[0]?.message).toContain('[2J ]0;title no');
  expect(told.lost[0]?.message).toMatch(/^[^\p{Cc}\u202e]+$/u);
});
