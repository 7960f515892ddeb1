import { describe, expect, it } from 'vitest';
import { energyOf } from '../../../src-main/app/parts/energy.ts';
import { EnergyMeter } from '../../../src-main/hardware/energy-meter.ts';
import { Gauges, type GaugesOptions } from '../../../src-main/hardware/gauges.ts';
import { parseNvidiaLoad } from '../../../src-main/hardware/gpu-load.ts';

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
    expect([gauges.use, gauges.power]).toEqual([{ gpu: 70, vram: 90 }, { gpu: 260 }]);
  });

  it('show of other cards what the engine sees of their memory, and no program', async () => {
    const gpu = { name: 'Radeon', backend: 'vulkan', vramTotal: 16e9, vramFree: 12e9 };
    const program = { name: 'llvmpipe', backend: 'vulkan', vramTotal: 0, vramFree: 0, software: true as const };
    const gauges = await looked({ engineGpus: async () => [gpu, program] });
    expect([gauges.use, gauges.power, gauges.today()]).toEqual([{ vram: 25 }, {}, undefined]);
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
    const gauges = await looked({ cpuJoules: async () => joules, now: () => now });
    expect(gauges.power).toEqual({});
    [joules, now] = [1_650, NOON + 10_000];
    await gauges.look();
    expect(gauges.power).toEqual({ cpu: 65 });
  });

  it('leave nothing behind', async () => {
    const gauges = new Gauges({ ...nothing, gpuLoad: none });
    gauges.open();
    await gauges.close();
    await gauges.close();
  });
});

describe('the energy of a day', () => {
  const MINUTE = 60_000;

  it('is what was drawn, without what nobody saw', () => {
    const meter = new EnergyMeter(NOON);
    expect(meter.today(NOON)).toBeUndefined();
    for (let at = NOON; at <= NOON + 60 * MINUTE; at += MINUTE) meter.take(300, at);
    expect(meter.today(NOON + 60 * MINUTE)).toEqual({ wattHours: expect.closeTo(300), since: NOON });
    meter.take(300, NOON + 180 * MINUTE); // it slept
    expect(meter.today(NOON + 180 * MINUTE)?.wattHours).toBeCloseTo(300);
  });

  it('begins anew at midnight', () => {
    const midnight = new Date(2026, 5, 2).getTime();
    const meter = new EnergyMeter(NOON);
    for (let at = midnight - 60 * MINUTE; at <= midnight + 6 * MINUTE; at += MINUTE) meter.take(100, at);
    expect(meter.today(midnight + 6 * MINUTE)).toEqual({ wattHours: expect.closeTo(10), since: midnight });
  });

  it('has a cost only where its price is known, and says why there is none at all', () => {
    const drawn = { power: { gpu: 250 }, today: { wattHours: 2_000, since: NOON } };
    expect(energyOf(drawn, { costPerKwh: 0.4, currency: 'EUR' })).toMatchObject({
      cost: 0.8,
      currency: 'EUR',
      of: ['gpu'],
    });
    expect(energyOf(drawn, { currency: 'EUR' })).toEqual({ of: ['gpu'], watts: 250, today: drawn.today });
    expect(energyOf({ power: {}, today: undefined }, { costPerKwh: 1 })).toMatchObject({ of: [], reason: /power/ });
  });
});
