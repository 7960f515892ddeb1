import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { CheckedChild } from '../../process/checked-child.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
import type { GpuDevice } from '../backend.ts';
import { childMessageSchema } from '../engine-protocol.ts';
import { ENGINE_ENTRY, engineLaunch } from './engine-launch.ts';

export interface ListGpusOptions {
  spawner?: ProcessSpawner;
  /** Module of the engine child. Default: `engine-child` beside this module. */
  entry?: URL;
  /** The only ones to look at, see {@link engineLaunch}. Default: all. */
  gpus?: readonly string[];
  /** Milliseconds; a driver may hang. Default 20,000. */
  timeoutMs?: number;
}

/**
 * Asks llama.cpp for the GPUs that it can use, in a child that may die of a broken driver.
 * @throws ENGINE_UNAVAILABLE when it did
 */
export async function listGpus(options: ListGpusOptions = {}): Promise<GpuDevice[]> {
  const { spawner = nodeSpawner, entry = ENGINE_ENTRY, gpus, timeoutMs = 20_000 } = options;
  const { promise, resolve, reject } = Promise.withResolvers<GpuDevice[]>();
  const fail = () => reject(unanswered());
  const child = new CheckedChild({
    spawner,
    launch: engineLaunch(entry, gpus),
    messages: childMessageSchema,
    onMessage: (message) => (message.type === 'gpus' ? resolve(message.gpus) : fail()),
    onDeath: fail,
  });
  const timer = setTimeout(fail, timeoutMs);
  child.send({ type: 'gpus' });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await child.close();
  }
}

function unanswered(): QuarryError {
  return new QuarryError({
    code: 'ENGINE_UNAVAILABLE',
    message: say('engine.noGpuList'),
    hint: say('engine.updateDriver'),
  });
}
