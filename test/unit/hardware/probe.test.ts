import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeHardware } from '../../../src-main/hardware/probe.ts';
import { fakeSystem } from './fake-system.ts';

const dataDir = tmpdir();
const never = () => new Promise<never>(() => {});

describe('probeHardware on this machine', () => {
  it('finds what every machine has', async () => {
    const report = await probeHardware({ dataDir });
    expect(report.cpu.value?.logicalCores).toBeGreaterThanOrEqual(1);
    expect(report.memory.value?.available).toBeGreaterThan(0);
    expect(report.memory.value?.available).toBeLessThanOrEqual(report.memory.value?.total ?? 0);
    expect(report.disk.value?.free).toBeGreaterThan(0);
    expect(report.os.value?.platform).toBe(process.platform);
  });

  it('has for every figure either a value with its source or a reason', async () => {
    const { takenAt, ...readings } = await probeHardware({ dataDir });
    expect(takenAt).toBeGreaterThan(0);
    for (const reading of Object.values(readings)) {
      expect(reading.value === undefined ? reading.reason : reading.source).toMatch(/\w/);
    }
  });

  it('measures the drive of a data folder that is not there yet', async () => {
    const report = await probeHardware({ dataDir: join(dataDir, 'not', 'there', 'yet'), system: fakeSystem() });
    expect(report.disk.value?.path).toBe(dataDir);
  });
});

describe('probeHardware', () => {
  const card = { vendor: 'NVIDIA', model: 'RTX 4090', memoryTotal: 24_000, memoryFree: 20_000 };
  const graphics = async () => ({ controllers: [card] });

  it('believes llama.cpp about GPUs before the system', async () => {
    const gpu = { name: 'NVIDIA GeForce RTX 4090', backend: 'cuda', vramTotal: 25e9, vramFree: 21e9 };
    const report = await probeHardware({ dataDir, engineGpus: async () => [gpu], system: fakeSystem({ graphics }) });
    expect(report.gpus).toEqual({ value: [{ ...gpu, source: 'llama.cpp' }], source: 'llama.cpp' });
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('no driver'))],
    ['finds none', async () => []],
    ['hangs', never],
  ])('lists the system’s cards, as not usable, when llama.cpp %s', async (_, engineGpus) => {
    const report = await probeHardware({ dataDir, engineGpus, timeoutMs: 300, system: fakeSystem({ graphics }) });
    expect(report.gpus).toEqual({
      value: [
        { name: 'RTX 4090', vramTotal: 24_000 * 1024 ** 2, vramFree: 20_000 * 1024 ** 2, source: 'systeminformation' },
      ],
      source: 'systeminformation',
    });
  });

  it('takes temperature and power of a card from the system', async () => {
    const gpu = { name: 'NVIDIA GeForce RTX 4090', backend: 'cuda', vramTotal: 25e9, vramFree: 21e9 };
    const warm = async () => ({ controllers: [{ ...card, temperatureGpu: 61, powerDraw: 212.5 }] });
    const { gpus } = await probeHardware({
      dataDir,
      engineGpus: async () => [gpu],
      system: fakeSystem({ graphics: warm }),
    });
    expect(gpus.value).toMatchObject([{ name: gpu.name, temperature: 61, watts: 212.5 }]);
  });

  it('takes no program for a GPU, and says which it left out', async () => {
    const gpu = { name: 'RTX 4090', backend: 'vulkan', vramTotal: 25e9, vramFree: 21e9 };
    const llvmpipe = {
      name: 'llvmpipe (LLVM 15)',
      backend: 'vulkan',
      vramTotal: 0,
      vramFree: 0,
      software: true as const,
    };
    const both = await probeHardware({ dataDir, engineGpus: async () => [gpu, llvmpipe], system: fakeSystem() });
    expect(both.gpus.value).toEqual([{ ...gpu, source: 'llama.cpp' }]);
    expect(both.gpus.leftOut).toMatchObject([{ name: llvmpipe.name, reason: /program/ }]);
    const basic = { vendor: 'Microsoft', model: 'Microsoft Basic Render Driver', vram: 0 };
    const controllers = async () => ({ controllers: [basic] });
    const none = await probeHardware({ dataDir, system: fakeSystem({ graphics: controllers }) });
    expect(none.gpus).toMatchObject({ value: [], leftOut: [{ name: basic.model }] });
  });

  it('does without a probe that hangs', async () => {
    const system = fakeSystem({ battery: never, osInfo: never });
    const report = await probeHardware({ dataDir, timeoutMs: 30, system });
    expect(report.battery).toEqual({
      reason: 'no answer within 0.03 s',
      said: { reason: { key: 'hardware.noAnswer', params: { seconds: 0.03 } } },
    });
    expect(report.memory.value).toBeDefined();
  });

  it('does without a probe that breaks', async () => {
    const system = fakeSystem({ osInfo: () => Promise.reject(new Error('no such program')) });
    expect((await probeHardware({ dataDir, system })).os).toEqual({ reason: 'no such program' });
  });

  it('knows the cores even when systeminformation does not answer', async () => {
    const report = await probeHardware({ dataDir, system: fakeSystem({ cpu: () => Promise.reject(new Error('no')) }) });
    expect(report.cpu).toMatchObject({ source: 'node' });
    expect(report.cpu.value?.physicalCores).toBeUndefined();
  });

  it('asks for the graphics cards once, though temperatures come from there too', async () => {
    let asked = 0;
    const counted = async () => {
      asked++;
      return { controllers: [{ ...card, temperatureGpu: 66 }] };
    };
    const report = await probeHardware({ dataDir, system: fakeSystem({ graphics: counted }) });
    expect(report.temperature.value).toEqual({ cpu: undefined, gpu: 66 });
    expect(asked).toBe(1);
  });

  it.each([
    ['on mains', { acConnected: true, isCharging: false }, false],
    ['charging, though the mains are not reported', { acConnected: false, isCharging: true }, false],
    ['discharging', { acConnected: false, isCharging: false }, true],
  ])('tells whether it runs on battery: %s', async (_, state, onBattery) => {
    const battery = async () => ({ hasBattery: true, percent: 50, ...state });
    const report = await probeHardware({ dataDir, system: fakeSystem({ battery }) });
    expect(report.battery.value).toMatchObject({ present: true, onBattery, percent: 50 });
  });

  it('ignores sensors that report nothing sensible', async () => {
    const cpuTemperature = async () => ({ main: -1, max: 0 });
    const report = await probeHardware({ dataDir, system: fakeSystem({ cpuTemperature }) });
    expect(report.temperature.value).toBeUndefined();
  });
});
