import { describe, expect, it } from 'vitest';
import { placement, readGpus } from '../../../../src-main/inference/child/load-model.ts';
import { realGpus } from '../../../../src-main/inference/software-gpu.ts';

/** llama.cpp with Vulkan, and these devices. */
function vulkan(names: string[], total: number) {
  return {
    gpu: 'vulkan' as const,
    getGpuDeviceNames: async () => names,
    getVramState: async () => ({ total, used: 0, free: total, unifiedSize: 0 }),
  };
}

describe('the GPUs of a loaded llama.cpp', () => {
  it.each([['llvmpipe (LLVM 15.0.6, 256 bits)'], ['SwiftShader Device (Subzero)'], ['Microsoft Basic Render Driver']])(
    'leave out %s, which is a program',
    async (name) => {
      const gpus = await readGpus(vulkan([name], 8e9));
      expect(gpus).toMatchObject([{ name, software: true }]);
      expect(realGpus(gpus)).toEqual([]);
    },
  );

  it('leave out what has no memory at all', async () => {
    expect(realGpus(await readGpus(vulkan(['Some Adapter'], 0)))).toEqual([]);
  });

  it('are told apart by their names where there are several', async () => {
    expect(await readGpus(vulkan(['RTX 3090', 'RTX 3060'], 36e9))).toMatchObject([
      { devices: ['RTX 3090', 'RTX 3060'] },
    ]);
  });

  it('are those that compute, where there are others too', async () => {
    const gpus = await readGpus(vulkan(['AMD Radeon RX 7800', 'llvmpipe (LLVM 15)'], 16e9));
    expect(realGpus(gpus)).toEqual([
      { name: 'AMD Radeon RX 7800', backend: 'vulkan', vramTotal: 16e9, vramFree: 16e9 },
    ]);
    expect(gpus).toHaveLength(2);
  });
});

it('leave as much of their memory free as was set, else what is usual', () => {
  expect(placement('auto', 2e9)).toEqual({ gpu: 'auto', vramPadding: 2e9 });
  expect(placement('auto')).toEqual({ gpu: 'auto' });
});
