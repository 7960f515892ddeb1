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

/** How the engine child is started. @param entry its module */
export function engineLaunch(entry: URL): Launch {
  return {
    name: 'the inference engine',
    run: entry,
    env: {
      ...allowedEnvironment([...BASIC_ENVIRONMENT, ...GPU_ENVIRONMENT]),
      // libuv hands each batch to another of its threads; with one, llama.cpp's stay warm (twice the speed on two cores).
      UV_THREADPOOL_SIZE: '1',
      // An aborting llama.cpp would start a debugger first, if there is one, to print where it stopped.
      GGML_NO_BACKTRACE: '1',
    },
    triesGpuBuilds: true,
  };
}

/** What it means to a person that the engine died, and that it is given up. */
export const ENGINE_ERRORS = {
  name: say('engine.name'),
  crashed: { code: 'ENGINE_CRASHED', hint: say('engine.sendAgain') },
  unavailable: { code: 'ENGINE_UNAVAILABLE', hint: say('engine.trySmaller') },
} as const;
