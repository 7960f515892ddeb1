import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CheckedChild } from '../../../src-main/process/checked-child.ts';
import {
  type ChildLimits,
  LimitWatch,
  type ProcessUsage,
  processUsage,
  usageFromProc,
  usageFromPs,
  usageFromTasklist,
} from '../../../src-main/process/child-limits.ts';
import { nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { sentence, type Words } from '../../../src-preload/contract/saying.ts';
import { OBEDIENT_CHILD } from '../../support/spawner-contract.ts';

const TOLD = process.platform === 'linux' || process.platform === 'darwin';

describe.runIf(TOLD)('a child with limits', () => {
  const running: CheckedChild<unknown>[] = [];
  afterEach(() => Promise.all(running.splice(0).map((child) => child.close())));

  function start(limits: ChildLimits) {
    const { promise: death, resolve: onDeath } = Promise.withResolvers<Words>();
    const { promise: answer, resolve: onMessage } = Promise.withResolvers<unknown>();
    const launch = { name: 'the glutton', run: OBEDIENT_CHILD, env: {}, limits };
    const child = new CheckedChild({ spawner: nodeSpawner, launch, messages: z.unknown(), onMessage, onDeath });
    running.push(child);
    return { child, death, answer };
  }

  it('is ended when it takes too much memory, with the reason', async () => {
    const { child, death } = start({ memoryMiB: 300 });
    child.send({ order: 'grow', value: 400 });
    expect(sentence(await death)).toMatch(/^was ended: it used \d+\.?\d* MB of memory where 314\.6 MB are allowed$/);
  });

  it('is ended when it computes for too long, with the reason', async () => {
    const { child, death } = start({ cpuSeconds: 1 });
    child.send({ order: 'work' });
    expect(sentence(await death)).toMatch(/^was ended: it used \d+ seconds of processor time where 1 are allowed$/);
  });

  it('is left alone below them, after others in turn', async () => {
    const { child, answer } = start({ memoryMiB: 1_000, cpuSeconds: 60, priority: 10 });
    child.send({ order: 'echo', value: 'well' });
    expect(await answer).toBe('well');
    expect(getPriority(child.pid)).toBe(10);
  });
});

describe('the watch over limits', () => {
  const watches: LimitWatch[] = [];
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.close();
  });

  function watch(limits: ChildLimits, measure: () => Promise<ProcessUsage>) {
    const reasons: string[] = [];
    const onExceeded = (reason: Words) => reasons.push(sentence(reason));
    const made = new LimitWatch({ limits, pid: () => 1, onExceeded, measure, everyMs: 1, log: undefined });
    watches.push(made);
    return { made, reasons };
  }

  it('says once what was too much', async () => {
    const { reasons } = watch({ memoryMiB: 10 }, async () => ({ memoryMiB: 10.5 }));
    await expect.poll(() => reasons).toEqual(['was ended: it used 11 MB of memory where 10.5 MB are allowed']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reasons).toHaveLength(1);
  });

  it('allows all that the limit allows, and a figure that is not told', async () => {
    let looks = 0;
    const { reasons } = watch({ memoryMiB: 10, cpuSeconds: 5 }, async () => {
      looks++;
      return { memoryMiB: 10 };
    });
    await expect.poll(() => looks).toBeGreaterThan(3);
    expect(reasons).toEqual([]);
  });

  it('says once in the log that nobody tells what the limit needs', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    let looks = 0;
    const measure = async () => ({ memoryMiB: looks++ });
    const limits = { memoryMiB: 1_000_000, cpuSeconds: 5 };
    watches.push(new LimitWatch({ limits, pid: () => 1, onExceeded: () => undefined, measure, everyMs: 1, log }));
    await expect.poll(() => looks).toBeGreaterThan(5);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, memory: false, cpu: true }]);
  });

  it('looks no more when it is closed, and not at all without limits', async () => {
    let looks = 0;
    const { made } = watch({ memoryMiB: 10 }, async () => ({ memoryMiB: looks++ }));
    made.close();
    const before = looks;
    const free = watch({}, async () => ({ memoryMiB: looks++ }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(looks).toBe(before);
    expect(free.reasons).toEqual([]);
  });
});

describe('what a process uses', () => {
  it.runIf(TOLD)('is told by the system', async () => {
    const child = fork(fileURLToPath(OBEDIENT_CHILD), { execArgv: [] });
    child.send({ order: 'echo', value: 1 });
    await once(child, 'message');
    const { memoryMiB, cpuSeconds } = await processUsage(child.pid as number);
    expect(memoryMiB).toBeGreaterThan(10);
    expect(memoryMiB).toBeLessThan(1_000);
    expect(cpuSeconds).toBeGreaterThanOrEqual(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processUsage(child.pid as number)).toEqual({});
  });

  it('is read from /proc, whatever the process calls itself', () => {
    const stat = `42 (a) b ( c) S 1 42 42 0 -1 4194304 0 0 0 0 150 50 0 0 20 0 11 0 100 0 0`;
    expect(usageFromProc(stat, 'Name:\tnode\nVmRSS:\t    2048 kB\n')).toEqual({ memoryMiB: 2, cpuSeconds: 2 });
    expect(usageFromProc(stat, 'Name:\tzombie\n').memoryMiB).toBeUndefined();
  });

  it('is read from ps, as macOS and as others write it', () => {
    expect(usageFromPs(' 20480   1:02.50\n')).toEqual({ memoryMiB: 20, cpuSeconds: 62.5 });
    expect(usageFromPs('  1024 1-02:03:04\n')).toEqual({ memoryMiB: 1, cpuSeconds: 93_784 });
    expect(usageFromPs('')).toEqual({});
  });

  it('is read from Windows’s tasklist, in any country; it tells no processor time', () => {
    expect(usageFromTasklist('"node.exe","42","Console","1","20,480 K"\r\n')).toEqual({ memoryMiB: 20 });
    expect(usageFromTasklist('"node.exe","42","Console","1","20.480 K"\r\n')).toEqual({ memoryMiB: 20 });
    expect(usageFromTasklist('INFO: No tasks are running which match the specified criteria.')).toEqual({});
  });
});
