import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import type { Launch } from '../../process/process-spawner.ts';

/** Module of the engine child. */
export const ENGINE_ENTRY = entryModule('inference/child/engine-child');

/** Where llama.cpp and the drivers of GPUs look, and what chooses between GPUs. */
const GPU_ENVIRONMENT = [
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'GGML_*',
  'NODE_LLAMA_CPP_*',
  'OMP_*',
  'KMP_*',
  'CUDA_*',
  'NVIDIA_VISIBLE_DEVICES',
  'NVIDIA_DRIVER_CAPABILITIES',
  'HIP_*',
  'ROCR_*',
  'ROCM_*',
  'HSA_*',
  'GPU_DEVICE_ORDINAL',
  'GPU_MAX_*',
  'AMD_*',
  'ZE_*',
  'ONEAPI_*',
  'SYCL_*',
  'MTL_*',
  'MVK_*',
  'VK_*',
  'MESA_*',
  'RADV_*',
  'ANV_*',
  'DRI_PRIME',
  '__NV_PRIME_RENDER_OFFLOAD',
  // Vulkan finds its drivers by these, and keeps its compiled shaders there.
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  // node-llama-cpp looks for drivers elsewhere inside these.
  'SNAP',
  'PREFIX',
];

/**
 * How the engine child is started.
 * @param entry its module
 * @param gpus the only GPUs that it shall see: numbers, or NVIDIA’s ids. Default: all, or those that the environment names
 */
export function engineLaunch(entry: URL, gpus: readonly string[] = []): Launch {
  return {
    name: 'the inference engine',
    run: entry,
    env: {
      // The numbers of NVIDIA’s cards are those of nvidia-smi then, whichever is the fastest.
      CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
      ...allowedEnvironment([...BASIC_ENVIRONMENT, ...GPU_ENVIRONMENT]),
      ...visibleGpus(gpus),
      // libuv hands each batch to another of its threads; with one, llama.cpp's stay warm (twice the speed on two cores).
      UV_THREADPOOL_SIZE: '1',
      // An aborting llama.cpp would start a debugger first, if there is one, to print where it stopped.
      GGML_NO_BACKTRACE: '1',
    },
    triesGpuBuilds: true,
  };
}

/** Vulkan knows GPUs by their numbers alone. */
function visibleGpus(gpus: readonly string[]): Record<string, string> {
  if (gpus.length === 0) return {};
  const numbers = gpus.filter((gpu) => /^\d+$/.test(gpu));
  return {
    CUDA_VISIBLE_DEVICES: gpus.join(','),
    ...(numbers.length > 0 && { GGML_VK_VISIBLE_DEVICES: numbers.join(',') }),
  };
}

/** What it means to a person that the engine died, and that it is given up. */
export const ENGINE_ERRORS = {
  name: say('engine.name'),
  crashed: { code: 'ENGINE_CRASHED', hint: say('engine.sendAgain') },
  unavailable: { code: 'ENGINE_UNAVAILABLE', hint: say('engine.trySmaller') },
} as const;
