import type { Llama } from 'node-llama-cpp';
import type { GpuDevice } from '../backend.ts';

/** In the engine child: the GPUs of a loaded llama.cpp. It reports the memory of several as one sum. */
export async function readGpus(llama: Llama): Promise<GpuDevice[]> {
  if (!llama.gpu) return [];
  const names = await llama.getGpuDeviceNames();
  const { total, free } = await llama.getVramState();
  return [{ name: names.join(' + ') || llama.gpu, backend: llama.gpu, vramTotal: total, vramFree: free }];
}
