import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampler, type Sample, usageBetween } from '../../../src-main/hardware/sample.ts';

/** A sample of a two-core machine; times are sums over both cores. */
const sample = (parts: Partial<Sample>): Sample => ({
  at: 0,
  cores: 2,
  busyMs: 0,
  totalMs: 0,
  ownMs: 0,
  engine: { threads: 1, active: false },
  memoryAvailable: 4,
  memoryTotal: 8,
  ...parts,
});

describe('usageBetween', () => {
  const before = sample({});

  it('counts the engine’s work up to its share as own', () => {
    const after = sample({ totalMs: 4_000, busyMs: 2_000, ownMs: 2_000, engine: { threads: 1, active: true } });
    expect(usageBetween(before, after)).toEqual({ busy: 0.5, own: 0.5, ownSource: 'measured', others: 0, engine: 1 });
  });

  it('counts own work beyond the share as others’', () => {
    const after = sample({ totalMs: 4_000, busyMs: 4_000, ownMs: 4_000 });
    expect(usageBetween(before, after)).toMatchObject({ own: 0.5, others: 0.5, engine: 1 });
  });

  it('sees what other programs use', () => {
    const after = sample({ totalMs: 4_000, busyMs: 3_000, ownMs: 400 });
    expect(usageBetween(before, after)).toMatchObject({ busy: 0.75, own: 0.1, others: 0.65 });
  });

  it.each([
    ['decodes', true, 0.5],
    ['rests', false, 0],
  ])('assumes the share where nobody measures and the engine %s', (_, active, own) => {
    const after = sample({ totalMs: 4_000, busyMs: 3_000, ownMs: undefined, engine: { threads: 1, active } });
    expect(usageBetween(before, after)).toMatchObject({ own, ownSource: 'estimated' });
  });

  it('does not trust the counter of an engine that started anew', () => {
    const older = sample({ ownMs: 9_000 });
    const after = sample({ totalMs: 4_000, busyMs: 1_000, ownMs: 10, engine: { threads: 1, active: false } });
    expect(usageBetween(older, after)).toMatchObject({ own: 0, ownSource: 'estimated' });
  });

  it('says nothing when no time has passed', () => {
    expect(usageBetween(before, before)).toBeUndefined();
  });

  it('always divides the busy share between own and others', () => {
    const counter = fc.nat(1_000_000);
    fc.assert(
      fc.property(
        counter,
        counter,
        fc.option(counter, { nil: undefined }),
        fc.nat(64),
        fc.boolean(),
        (total, busy, own, threads, active) => {
          const after = sample({ totalMs: total + 1, busyMs: busy, ownMs: own, engine: { threads, active } });
          const usage = usageBetween(before, after);
          expect(usage).toBeDefined();
          if (!usage) return;
          expect(usage.own + usage.others).toBeCloseTo(usage.busy);
          for (const share of [usage.busy, usage.own, usage.others, usage.engine]) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('createSampler', () => {
  it('takes counters of this machine that only grow', async () => {
    const sampler = createSampler(() => ({ threads: 1, active: false }));
    const first = await sampler();
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < 60_000);
    const second = await sampler();
    expect(second.totalMs).toBeGreaterThanOrEqual(first.totalMs);
    expect(second.ownMs).toBeGreaterThan(first.ownMs ?? Number.POSITIVE_INFINITY);
    expect(second.memoryAvailable).toBeGreaterThan(0);
    expect(second.memoryTotal).toBeGreaterThanOrEqual(second.memoryAvailable);
  });

  it.runIf(process.platform === 'linux')('counts the work of a real engine process as own', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("on"); for (;;);'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      const sampler = createSampler(() => ({ threads: availableParallelism(), active: true, pids: [child.pid ?? 0] }));
      const first = await sampler();
      const before = process.cpuUsage();
      // How much of a core it gets is for the others on the machine to say: it is waited for, and this process's own work left out.
      await expect
        .poll(async () => {
          const { user, system } = process.cpuUsage(before);
          return ((await sampler()).ownMs ?? 0) - (first.ownMs ?? 0) - (user + system) / 1_000;
        })
        .toBeGreaterThan(200);
      expect(usageBetween(first, await sampler())?.ownSource).toBe('measured');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});
