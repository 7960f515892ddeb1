import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
import type { GpuDevice } from '../backend.ts';
import { childMessageSchema } from '../engine-protocol.ts';
import { ENGINE_ENTRY } from './engine-process.ts';

export interface ListGpusOptions {
  spawner?: ProcessSpawner;
  /** Module of the engine child. Default: `engine-child` beside this module. */
  entry?: URL;
  /** Milliseconds; a driver may hang. Default 20,000. */
  timeoutMs?: number;
}

/**
 * Asks llama.cpp for the GPUs that it can use, in a child that may die of a broken driver.
 * @throws ENGINE_UNAVAILABLE when it did
 */
export function listGpus(options: ListGpusOptions = {}): Promise<GpuDevice[]> {
  const { spawner = nodeSpawner, entry = ENGINE_ENTRY, timeoutMs = 20_000 } = options;
  return new Promise((resolve, reject) => {
    let found: GpuDevice[] | undefined;
    const child = spawner.spawn(
      entry,
      {},
      {
        onMessage: (message) => {
          const parsed = childMessageSchema.safeParse(message);
          if (parsed.data?.type === 'gpus') found = parsed.data.gpus;
          child.kill();
        },
        onStderr: () => undefined,
        onExit: () => {
          clearTimeout(timer);
          if (found) resolve(found);
          else reject(unanswered());
        },
      },
    );
    const timer = setTimeout(() => child.kill(), timeoutMs);
    child.send({ type: 'gpus' });
  });
}

function unanswered(): QuarryError {
  return new QuarryError({
    code: 'ENGINE_UNAVAILABLE',
    message: 'llama.cpp could not say which GPUs there are.',
    hint: 'Update the GPU’s driver, or set GPU_LAYERS=0 to work without it.',
  });
}
