import { describe, expect, it } from 'vitest';
import { type FitOptions, fitModel } from '../../../../src-main/models/fit/fit-model.ts';
import type { FitMachine } from '../../../../src-main/models/fit/machine.ts';
import { fitSchema } from '../../../../src-preload/contract/models.ts';
import { calibration, GIB, gpu, machine, profile } from './profiles.ts';

const options: FitOptions = { contextSize: 4096, parallel: 4, calibrations: [] };
const fit = (where: Partial<FitMachine>, changes: Partial<FitOptions> = {}) =>
  fitModel(profile, machine(where), { ...options, ...changes });

describe('how a model would run', () => {
  it('is what the contract promises', () => expect(fitSchema.parse(fit({}))).toEqual(fit({})));

  it('on a large GPU: all of it there', () => {
    const found = fit({ gpus: [gpu(24)] });
    expect(found).toMatchObject({ runs: 'gpu', gpuLayers: 11, layers: 11 });
    expect(found.reason).toMatch(/All of it fits the GPU \(\d+\.\d GB\), for 4 requests at a time/);
  });

  it('on a GPU that it fits only with fewer requests at a time: with fewer', () => {
    expect(fit({ gpus: [gpu(12.3)] }, { contextSize: 8192 }).reason).toMatch(
      /fits the GPU .* for 2 requests at a time/,
    );
  });

  it('on a small GPU: as many layers there as there is room for, with a margin', () => {
    const { runs, gpuLayers } = fit({ gpus: [gpu(6)] });
    expect(runs).toBe('partly');
    // Of 6 GiB one stays free, half a gigabyte is the output, and buffers and a cache need some: 4 layers and the output.
    expect(gpuLayers).toBe(5);
  });

  it('with as many layers on the GPU as somebody wants: so many, or not at all', () => {
    expect(fit({ gpus: [gpu(24)] }, { gpuLayers: 3 })).toMatchObject({ runs: 'partly', gpuLayers: 3 });
    expect(fit({ gpus: [gpu(24)] }, { gpuLayers: 99 })).toMatchObject({ runs: 'gpu', gpuLayers: 11 });
    expect(fit({ gpus: [gpu(24)] }, { gpuLayers: -1 })).toEqual(fit({ gpus: [gpu(24)] }));
    const tooMany = fit({ gpus: [gpu(6)] }, { gpuLayers: 11 });
    expect(tooMany).toMatchObject({ runs: 'no', gpuLayers: 11, room: { of: 'vram' } });
    expect(fit({}, { gpuLayers: 11 })).toMatchObject({ runs: 'cpu', gpuLayers: 0 });
  });

  it('on two GPUs: what fits both together', () => {
    expect(fit({ gpus: [gpu(8), gpu(8)] }).runs).toBe('gpu');
    expect(fit({ gpus: [gpu(8)] }).runs).toBe('partly');
  });

  it('on a GPU of which some is to stay free: with that much less, or more than usual', () => {
    expect(fit({ gpus: [gpu(13)] }).runs).toBe('gpu');
    expect(fit({ gpus: [gpu(13)], vramReserve: 6 * GIB }).runs).toBe('partly');
    expect(fit({ gpus: [gpu(8)], vramReserve: 0 }).gpuLayers).toBeGreaterThan(fit({ gpus: [gpu(8)] }).gpuLayers);
  });

  it('on a GPU with nearly nothing free: not there', () => {
    expect(fit({ gpus: [{ ...gpu(24), freeBytes: GIB }] })).toMatchObject({ runs: 'cpu', gpuLayers: 0 });
  });

  it('without a GPU: by what it takes without one alone, however many layers it has', () => {
    let estimates = 0;
    const counted = {
      ...profile,
      get attention() {
        estimates++;
        return profile.attention;
      },
    };
    const where = machine({ freeRam: 0 });
    expect(fitModel(counted, where, options)).toMatchObject({ runs: 'no', gpuLayers: 0 });
    expect(estimates).toBeLessThanOrEqual(4); // for 4, 2 and 1 requests, and for what is told
  });

  it('without a GPU: on the processor', () => {
    const found = fit({});
    expect(found).toMatchObject({ runs: 'cpu', gpuLayers: 0 });
    expect(found.reason).toMatch(/on the processor and takes 11\.\d GB|on the processor and takes 12\.\d GB/);
  });

  it('with too little memory: not, and it says what is missing', () => {
    const found = fit({ freeRam: 8 * GIB });
    expect(found).toMatchObject({ runs: 'no', gpuLayers: 0 });
    expect(found.reason).toMatch(/needs 11\.\d GB of memory, and 7\.5 GB can be used here/);
  });

  it('on a processor that packs weights anew: with a larger copy of what it computes with, the shared table too', () => {
    const { memory } = fit({ packsWeights: true }, { parallel: 1 });
    expect(memory.weights).toBeCloseTo(0.5 * GIB + (10.5 * GIB * 38) / 34);
    expect(fit({ packsWeights: true, gpus: [gpu(24)] }).memory.weights).toBe(11 * GIB);
  });

  it('where GPU and processor share the memory: what one takes the other lacks', () => {
    const little = { freeRam: 8 * GIB, totalRam: 16 * GIB };
    expect(fit({ ...little, gpus: [gpu(16)] }).runs).toBe('gpu');
    expect(fit({ ...little, gpus: [gpu(16, 'metal')] }).runs).toBe('no');
  });

  it('tells the memory by what needs it, and its sum', () => {
    const { memory } = fit({}, { parallel: 1 });
    expect(memory.weights).toBe(10.5 * GIB);
    expect(memory.cache).toBe(10 * 2048 * 2 * 4096);
    expect(memory.total).toBe(memory.weights + memory.cache + memory.overhead);
  });

  it('tells what is needed where it is scarcest, and how much there is of it', () => {
    const onCard = fit({ gpus: [gpu(24)] }).room;
    expect(onCard).toMatchObject({ of: 'vram', weights: 10.5 * GIB });
    expect(onCard.usable).toBeLessThanOrEqual(23 * GIB);
    const partly = fit({ gpus: [gpu(6)] }).room;
    expect(partly.weights + partly.cache + partly.overhead).toBeLessThanOrEqual(partly.usable);
    const { room, memory } = fit({ freeRam: 8 * GIB });
    expect(room).toMatchObject({ of: 'ram', usable: 7 * GIB, weights: memory.weights });
    expect(room.weights + room.cache + room.overhead).toBeGreaterThan(room.usable);
  });

  it('counts a second copy of a table that both ends use only on a GPU', () => {
    expect(fit({ gpus: [gpu(24)] }).memory.weights).toBe(11 * GIB);
  });

  it('counts no more context than the model was trained for, or reaches with its positions scaled', () => {
    expect(fit({}, { contextSize: 1_000_000 }).contextSize).toBe(32_768);
    const rope = { type: 'yarn' as const, factor: 2 };
    expect(fit({}, { contextSize: 1_000_000, rope }).contextSize).toBe(65_536);
    expect(fit({}, { contextSize: 1_000_000, rope: { ...rope, originalContext: 8_192 } }).contextSize).toBe(16_384);
    const fixed = fitModel({ ...profile, hasRope: false }, machine(), { ...options, contextSize: 1_000_000, rope });
    expect(fixed.contextSize).toBe(32_768);
  });

  it('counts a coarser cache as the smaller that it is, and so more requests at a time', () => {
    const [exact, half, quarter] = (['f16', 'q8_0', 'q4_0'] as const).map((kvCache) =>
      fit({ freeRam: 14.2 * GIB }, { contextSize: 32_768, parallel: 8, kvCache }),
    );
    expect([exact?.parallel, half?.parallel, quarter?.parallel]).toEqual([1, 2, 4]);
    expect((half?.memory.cache ?? 0) / 2 / (exact?.memory.cache ?? 0)).toBeCloseTo(34 / 64);
    expect((quarter?.memory.cache ?? 0) / 4 / (exact?.memory.cache ?? 0)).toBeCloseTo(18 / 64);
  });

  it('needs less for layers that look back over a window', () => {
    const windowed = { ...profile, attention: new Array(10).fill({ cachedValues: 2048, window: 1024 }) };
    const cache = (of: typeof profile) => fitModel(of, machine(), { ...options, contextSize: 16_384 }).memory.cache;
    expect(cache(windowed)).toBeLessThan(cache(profile) / 8);
  });
});

describe('how fast a model would be', () => {
  it('is what its weights take to be read, faster on a GPU', () => {
    const onCpu = fit({}).speed;
    const onGpu = fit({ gpus: [gpu(24)] }).speed;
    expect(onCpu.measured).toBe(false);
    expect(onCpu.tokensPerSecond).toBeCloseTo(36e9 / (10.5 * GIB));
    expect(onGpu.tokensPerSecond).toBeGreaterThan(5 * onCpu.tokensPerSecond);
  });

  it('follows what another model has reached here', () => {
    const measured = [calibration({ decode: 20 })];
    expect(fit({}, { calibrations: measured }).speed).toMatchObject({
      tokensPerSecond: expect.closeTo((20 * 8e9) / (10.5 * GIB)),
      measured: false,
    });
  });

  it.each([
    ['a model of a megabyte', { cpuBytes: 1e6, decode: 900 }],
    ['a model five times as large', { cpuBytes: 60e9, decode: 1 }],
    ['weights of other bits', { bits: 16 }],
    ['a measurement of which the bits are not known', { bits: 0 }],
  ])('does not follow %s', (_, other) => {
    expect(fit({}, { calibrations: [calibration(other)] }).speed).toEqual(fit({}).speed);
  });

  it('follows the most similar one, whichever came last', () => {
    const near = calibration({ sha256: 'b'.repeat(64), cpuBytes: 11e9, decode: 4 });
    const far = calibration({ cpuBytes: 4e9, decode: 30, measuredAt: 2 });
    const speeds = [
      [near, far],
      [far, near],
    ].map((calibrations) => fit({}, { calibrations }).speed.tokensPerSecond);
    expect(speeds).toEqual([44e9 / (10.5 * GIB), 44e9 / (10.5 * GIB)].map((rate) => expect.closeTo(rate)));
  });

  it('is a range: narrow for what was measured, wide for a guess', () => {
    const width = ({ speed: { low, high, tokensPerSecond: rate } }: ReturnType<typeof fit>) => {
      expect([low < rate, rate < high]).toEqual([true, true]);
      return high / low;
    };
    const calibrations = [calibration({})];
    const own = width(fit({}, { calibrations, sha256: 'a'.repeat(64) }));
    const comparable = width(fit({}, { calibrations }));
    expect(own).toBeLessThan(comparable);
    expect(comparable).toBeLessThan(width(fit({})));
  });

  it('does not follow what was reached with other threads', () => {
    const measured = [calibration({ decode: 20, threads: 1 })];
    expect(fit({}, { calibrations: measured }).speed).toEqual(fit({}).speed);
  });

  it('is what this very model has reached here, loaded the same way', () => {
    const measured = [calibration({ decode: 12.5 })];
    const own = { sha256: 'a'.repeat(64), calibrations: measured };
    expect(fit({}, own).speed).toMatchObject({ class: 'comfortable', tokensPerSecond: 12.5, measured: true });
    expect(fit({ gpus: [gpu(24)] }, own).speed.measured).toBe(false);
  });

  it('counts of a mixture of experts only those that compute', () => {
    const mixture = { ...profile, activeShare: 0.1 };
    const rate = (of: typeof profile) => fitModel(of, machine(), options).speed.tokensPerSecond;
    expect(rate(mixture) / rate(profile)).toBeCloseTo(10.5 / 1.5);
  });

  it.each([
    [30, 'fast'],
    [29, 'comfortable'],
    [10, 'comfortable'],
    [9, 'slow'],
    [3, 'slow'],
    [2.9, 'painful'],
  ])('is at %d tokens a second called %s', (decode, name) => {
    const own = { sha256: 'a'.repeat(64), calibrations: [calibration({ decode })] };
    expect(fit({}, own).speed.class).toBe(name);
  });
});
