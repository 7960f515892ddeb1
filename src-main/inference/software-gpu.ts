import type { GpuDevice } from './backend.ts';

/** Drivers that compute on the processor what a GPU would, as they call themselves. */
const SOFTWARE =
  /llvmpipe|lavapipe|softpipe|\bswrast\b|swiftshader|software rasterizer|microsoft basic (render|display)/i;

/** Whether something that is listed as a GPU is a program: it has no memory of its own, and is slower than no GPU at all. */
export function isSoftwareGpu({ name, vramTotal }: { name: string; vramTotal?: number | undefined }): boolean {
  return SOFTWARE.test(name) || vramTotal === 0;
}

/** Those that are GPUs. */
export function realGpus(gpus: readonly GpuDevice[]): GpuDevice[] {
  return gpus.filter(({ software }) => !software);
}
