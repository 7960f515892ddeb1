import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type Health, HealthMonitor } from '../../../src-main/hardware/health.ts';
import type { Sample } from '../../../src-main/hardware/sample.ts';

const log = pino({ level: 'silent' });
const CORES = 2;

interface Second {
  /** Shares of the machine, 0–1. */
  others?: number;
  own?: number;
  /** Share of the memory that is in use. */
  memory?: number;
}

/** A machine whose past is told second by second instead of lived through. */
class Machine {
  readonly queue = { length: 0, capacity: 10 };
  readonly monitor: HealthMonitor;
  #sample: Sample = {
    at: 0,
    cores: CORES,
    busyMs: 0,
    totalMs: 0,
    ownMs: 0,
    engine: { threads: 1, active: false },
    memoryAvailable: 800,
    memoryTotal: 1_000,
  };
  broken = false;

  constructor(threads = 1) {
    this.#sample.engine.threads = threads;
    const sampler = async () => {
      if (this.broken) throw new Error('no figures');
      return { ...this.#sample };
    };
    this.monitor = new HealthMonitor({ sampler, log, intervalMs: 3_600_000 });
  }

  async live(seconds: number, { others = 0, own = 0, memory = 0.2 }: Second): Promise<Health> {
    for (let second = 0; second < seconds; second += 2) {
      const total = 2_000 * CORES;
      const before = this.#sample;
      this.#sample = {
        ...before,
        at: before.at + 2_000,
        totalMs: before.totalMs + total,
        busyMs: before.busyMs + (others + own) * total,
        ownMs: (before.ownMs ?? 0) + own * total,
        memoryAvailable: 1_000 * (1 - memory),
      };
      await this.monitor.sample();
    }
    return this.monitor.current(this.queue);
  }
}

const machines: Machine[] = [];
async function openMachine(threads?: number): Promise<Machine> {
  const machine = new Machine(threads);
  machines.push(machine);
  await machine.monitor.open();
  return machine;
}
afterEach(async () => {
  for (const { monitor } of machines.splice(0)) await monitor.close();
});

describe('what is in use', () => {
  it('grows with use, our own too, and limits nothing on a machine that takes all it may', async () => {
    const health = await (await openMachine()).live(10, { own: 0.1, memory: 0.3 });
    expect(health.use).toMatchObject({ cpu: { percent: 10 }, memory: { percent: 30 }, queue: { percent: 0 } });
    expect(Object.values(health.use).some(({ limits }) => limits)).toBe(false);
  });

  it('says what the node refuses work for, and of nothing while it takes some', async () => {
    const light = await (await openMachine()).live(120, { others: 0.7, memory: 0.6 });
    expect(light).toMatchObject({ state: 'moderate', accepting: true, use: { cpu: { limits: false } } });
    const busy = await (await openMachine()).live(20, { others: 0.95 });
    expect(busy.use).toMatchObject({ cpu: { percent: 95, limits: true }, memory: { limits: false } });
    const full = await openMachine();
    full.queue.length = full.queue.capacity;
    expect((await full.live(4, {})).use.queue).toEqual({ percent: 100, limits: true });
  });
});

describe('HealthMonitor', () => {
  it('is idle and open on a machine at rest', async () => {
    const health = await (await openMachine()).live(10, {});
    expect(health).toMatchObject({ state: 'idle', capacity: 100, accepting: true });
    expect(health.reason).toBeUndefined();
  });

  it('keeps accepting while its own engine keeps a two-core machine busy for an hour', async () => {
    const machine = await openMachine();
    machine.queue.length = 5;
    const health = await machine.live(3_600, { own: 0.5, memory: 0.6 });
    expect(health.parts.cpu).toBe(100);
    expect(health.parts.load).toBeLessThan(1);
    expect(health).toMatchObject({ state: 'moderate', accepting: true });
  });

  it('does not refuse because its own engine takes every core that it was given', async () => {
    const health = await (await openMachine(CORES)).live(60, { own: 1 });
    expect(health).toMatchObject({ accepting: true, parts: { cpu: 100 } });
  });

  it('refuses when other programs keep the CPU to themselves for ten seconds, not before', async () => {
    const machine = await openMachine();
    expect((await machine.live(10, { others: 0.95 })).accepting).toBe(true);
    expect(await machine.live(2, { others: 0.95 })).toMatchObject({ accepting: false, refusal: 'cpu' });
  });

  it('accepts again as soon as they let go', async () => {
    const machine = await openMachine();
    await machine.live(20, { others: 0.95 });
    expect((await machine.live(2, { others: 0.1 })).accepting).toBe(true);
  });

  it('refuses when memory stays short', async () => {
    const machine = await openMachine();
    expect(await machine.live(14, { memory: 0.95 })).toMatchObject({ accepting: false, refusal: 'memory' });
  });

  it('refuses when everything is in use', async () => {
    const machine = await openMachine();
    machine.queue.length = 10;
    const health = await machine.live(300, { others: 1, memory: 0.97 });
    expect(health).toMatchObject({ state: 'overloaded', capacity: 0, accepting: false, refusal: 'overloaded' });
    expect(health.reason).toMatch(/overloaded/);
  });

  it('sees a full queue at once, without a new sample', async () => {
    const machine = await openMachine();
    await machine.live(4, {});
    machine.queue.length = 10;
    expect(machine.monitor.current(machine.queue)).toMatchObject({ accepting: false, refusal: 'queue-full' });
  });

  it('opens fewer places the busier the machine is', async () => {
    const machine = await openMachine();
    machine.queue.length = 4;
    const health = await machine.live(300, { others: 0.65, memory: 0.7 });
    expect(health).toMatchObject({ state: 'busy', capacity: 40, refusal: 'queue-full' });
  });

  it('tells subscribers of every sample until they leave', async () => {
    const machine = await openMachine();
    const scores: number[] = [];
    const leave = machine.monitor.subscribe(() => scores.push(machine.monitor.current(machine.queue).score));
    await machine.live(4, {});
    leave();
    await machine.live(4, {});
    expect(scores).toHaveLength(2);
  });

  it('keeps the last figures when a sample fails', async () => {
    const machine = await openMachine();
    const before = await machine.live(4, { others: 0.5 });
    machine.broken = true;
    await machine.monitor.sample();
    expect(machine.monitor.current(machine.queue)).toEqual(before);
  });

  it('samples by itself, and no more after close', async () => {
    let samples = 0;
    const sampler = async () => {
      samples++;
      return {
        at: samples,
        cores: 1,
        busyMs: 0,
        totalMs: 0,
        ownMs: 0,
        engine: { threads: 1, active: false },
        memoryAvailable: 1,
        memoryTotal: 1,
      };
    };
    const monitor = new HealthMonitor({ sampler, log, intervalMs: 1 });
    await monitor.open();
    await new Promise<void>((resolve) => {
      monitor.subscribe(() => samples >= 3 && resolve());
    });
    await monitor.close();
    await monitor.close();
    const atClose = samples;
    await delay(20);
    expect(samples).toBe(atClose);
  });
});
