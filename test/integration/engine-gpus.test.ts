import { expect, it } from 'vitest';
import { listGpus } from '../../src-main/inference/host/gpus.ts';

it('lists the GPUs that llama.cpp can use, if any', async () => {
  for (const gpu of await listGpus()) {
    expect(gpu).toMatchObject({ name: expect.any(String), backend: expect.stringMatching(/^(cuda|vulkan|metal)$/) });
    expect(gpu.vramFree).toBeLessThanOrEqual(gpu.vramTotal);
  }
});

it('says so when the driver brings the child down', async () => {
  const entry = new URL('../fixtures/engine-that-crashes.ts', import.meta.url);
  await expect(listGpus({ entry })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
});
