import { describe, expect, it } from 'vitest';
import { energyOf } from '../../../src-main/hardware/energy.ts';
import { EnergyMeter } from '../../../src-main/hardware/energy-meter.ts';
import { Gauges, type GaugesOptions } from '../../../src-main/hardware/gauges.ts';
import { parseNvidiaLoad } from '../../../src-main/hardware/gpu-load.ts';
import { energySchema } from '../../../src-preload/contract/node.ts';

const MIB = 1024 ** 2;
const NOON = new Date(2026, 5, 1, 12).getTime();
const nothing = { engineGpus: () => undefined, cpuJoules: async () => undefined };
const none = async () => Promise.reject(new Error('no such program'));

describe('what nvidia-smi says of cards', () => {
  it('is read, whatever is missing, also with commas in the name', () => {
    const output = 'NVIDIA RTX 4090, 87, 24564, 12282, 64, 312.40\nSome, Card, [N/A], 8192, 0, [N/A], [N/A]\n\n';
    expect(parseNvidiaLoad(output)).toEqual([
      {
        ...{ name: 'NVIDIA RTX 4090', busy: 0.87, vramTotal: 24_564 * MIB, vramUsed: 12_282 * MIB },
        ...{ temperature: 64, watts: 312.4 },
      },
      { name: 'Some, Card', vramTotal: 8_192 * MIB, vramUsed: 0 },
    ]);
  });

  it('is nothing where it says something else', () => {
    expect(parseNvidiaLoad('No devices were found')).toEqual([]);
  });
});

describe('Gauges', () => {
  async function looked(options: Partial<GaugesOptions>): Promise<Gauges> {
    const gauges = new Gauges({ ...nothing, gpuLoad: none, ...options });
    await gauges.look();
    return gauges;
  }

  it('show the card that is used most, and the power of all', async () => {
    const cards = [
      { name: 'a', busy: 0.2, vramTotal: 10, vramUsed: 9, watts: 60 },
      { name: 'b', busy: 0.7, vramTotal: 10, vramUsed: 1, watts: 200 },
    ];
    const gauges = await looked({ gpuLoad: async () => cards });
    expect([gauges.cards, gauges.use, gauges.power]).toEqual([cards, { gpu: 70, vram: 90 }, { gpu: 260 }]);
  });

  it('show of other cards what the engine sees of their memory, and no program', async () => {
    const gpu = { name: 'Radeon', backend: 'vulkan', vramTotal: 16e9, vramFree: 12e9 };
    const program = { name: 'llvmpipe', backend: 'vulkan', vramTotal: 0, vramFree: 0, software: true as const };
    const gauges = await looked({ engineGpus: async () => [gpu, program] });
    expect([gauges.cards, gauges.use, gauges.power]).toEqual([
      [{ name: 'Radeon', vramTotal: 16e9, vramUsed: 4e9 }],
      { vram: 25 },
      {},
    ]);
  });

  it('ask for a tool that is not there only now and then', async () => {
    let [asked, now] = [0, NOON];
    const gpuLoad = async () => {
      asked++;
      return await none();
    };
    const gauges = await looked({ gpuLoad, now: () => now });
    await gauges.look();
    expect(asked).toBe(1);
    now += 3_600_000;
    await gauges.look();
    expect(asked).toBe(2);
  });

  it('take the processor’s power from two looks', async () => {
    let [joules, now] = [1_000, NOON];
    const used: number[] = [];
    const onUsed = (some: number) => used.push(some);
    const gauges = await looked({ cpuJoules: async () => joules, now: () => now, onUsed });
    expect(gauges.power).toEqual({});
    [joules, now] = [1_650, NOON + 10_000];
    await gauges.look();
    expect(gauges.power).toEqual({ cpu: 65 });
    [joules, now] = [1_650, NOON + 20_000];
    await gauges.look();
    expect(used).toEqual([650]);
  });

  it('leave nothing behind', async () => {
    const gauges = new Gauges({ ...nothing, gpuLoad: none });
    gauges.open();
    await gauges.close();
    await gauges.close();
  });
});

describe('the energy', () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;

  it('is what was drawn, without what nobody saw', () => {
    const meter = new EnergyMeter();
    let joules = 0;
    for (let at = NOON; at <= NOON + HOUR; at += MINUTE) joules += meter.take(300, at);
    expect(joules / 3_600).toBeCloseTo(300);
    expect(meter.take(300, NOON + 3 * HOUR)).toBe(0); // it slept
    expect(meter.take(undefined, NOON + 3 * HOUR + MINUTE)).toBe(300 * 60);
    expect(meter.take(300, NOON + 3 * HOUR + 2 * MINUTE)).toBe(0);
    expect(meter.take(300, NOON)).toBe(0); // the clock was set
  });

  const mined = {
    today: { servingMs: 2 * HOUR, joules: 3.6e6 },
    week: { servingMs: 10 * HOUR, joules: 36e6 },
  };

  it('has a cost only where its price is known, and says why there is none at all', () => {
    const measured = energyOf({ power: { gpu: 250, cpu: 40 }, mined }, { costPerKwh: 0.4, currency: 'EUR' });
    expect(energySchema.parse(measured)).toEqual({
      ...{ basis: 'measured', of: ['gpu', 'cpu'], watts: 290, currency: 'EUR' },
      today: { wattHours: 1_000, minedMs: 2 * HOUR, cost: 0.4 },
      week: { wattHours: 10_000, minedMs: 10 * HOUR, cost: 4 },
    });
    expect(energyOf({ power: { gpu: 250 }, mined }, { currency: 'EUR' }).today).not.toHaveProperty('cost');
    const nothing = { servingMs: HOUR, joules: 0 };
    const unknown = energyOf({ power: {}, mined: { today: nothing, week: nothing } }, { costPerKwh: 1 });
    expect(unknown).toMatchObject({ basis: 'none', of: [], reason: /power/ });
    expect(unknown).not.toHaveProperty('today');
  });

  it('is still told when the sensors have fallen silent, without a figure for now', () => {
    expect(energyOf({ power: {}, mined }, {})).toEqual({
      ...{ basis: 'measured', of: [] },
      today: { wattHours: 1_000, minedMs: 2 * HOUR },
      week: { wattHours: 10_000, minedMs: 10 * HOUR },
    });
  });

  it('is that of the watts that were entered, over the time that was mined, before what sensors say', () => {
    expect(energyOf({ power: { gpu: 250 }, mined }, { watts: 150, costPerKwh: 0.5 })).toEqual({
      ...{ basis: 'entered', of: ['gpu'], watts: 250, entered: 150 },
      today: { wattHours: 300, minedMs: 2 * HOUR, cost: 0.15 },
      week: { wattHours: 1_500, minedMs: 10 * HOUR, cost: 0.75 },
    });
  });
});
