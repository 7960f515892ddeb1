/** What a model would have to run on. Sizes are bytes. */
export interface FitMachine {
  /** GPUs that the engine can use; empty when it is told to leave them alone. */
  gpus: readonly FitGpu[];
  /** What a new program could use without swapping. */
  freeRam: number;
  totalRam: number;
  /** Threads that would compute. */
  threads: number;
  /** Bytes that are to stay free on the GPUs together. Default: what llama.cpp leaves. */
  vramReserve?: number | undefined;
  /** The processor computes with weights packed anew (Intel’s AMX). Default false. */
  packsWeights?: boolean;
}

export interface FitGpu {
  freeBytes: number;
  totalBytes: number;
  /** 'cuda', 'vulkan' or 'metal'. */
  backend: string;
}

const GIB = 1024 ** 3;

/**
 * What may be taken of the GPUs. Where nobody has set what is left free, it is on each the more of what llama.cpp’s own `--fit` leaves (1 GiB, `fit_params_target` in common/common.h)
 * and what node-llama-cpp leaves (8 %, at most 1.6 GiB: `defaultLlamaVramPadding` in bindings/getLlama.js).
 */
export function usableVram({ gpus, vramReserve }: FitMachine): number {
  if (vramReserve !== undefined) {
    return Math.max(0, gpus.reduce((sum, { freeBytes }) => sum + freeBytes, 0) - vramReserve);
  }
  const usable = gpus.map(
    ({ freeBytes, totalBytes }) => freeBytes - Math.max(GIB, Math.min(0.08 * totalBytes, 1.6 * GIB)),
  );
  return usable.reduce((sum, bytes) => sum + Math.max(0, bytes), 0);
}

/** A quarter of the memory, at most 1 GiB, is left free: `defaultLlamaRamPadding` of node-llama-cpp. */
export function usableRam({ freeRam, totalRam }: FitMachine): number {
  return Math.max(0, freeRam - Math.min(totalRam / 4, GIB));
}

/** Whether the GPU’s memory is the computer’s own, so that what one takes the other lacks. */
export function isUnified({ gpus }: FitMachine): boolean {
  return gpus.some(({ backend }) => backend === 'metal');
}
