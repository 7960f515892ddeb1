import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { ignoring } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { hasAmx } from '../../hardware/readings.ts';
import { ggufProfile } from '../../models/fit/gguf-profile.ts';
import { type LoadPlan, memoryNeed } from '../../models/fit/memory.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import type { FixedConfig } from '../../settings/config.ts';

/** Bytes of the computer's memory that the draft model of the settings will take beside the node's own model; 0 where there is none. */
export async function draftRoom(
  { engine: { draftModel }, contextSize = DEFAULTS.contextSize, parallel }: FixedConfig,
  library: Pick<ModelLibrary, 'selected'>,
): Promise<number> {
  const file = draftModel === undefined ? undefined : await library.selected(draftModel);
  return file ? await draftBytes(file.path, { contextSize, parallel }) : 0;
}

/** The same of one that is loaded beside a model with such a context. It is counted as on the processor. */
export async function draftBytes(path: string, plan: Pick<LoadPlan, 'contextSize' | 'parallel'>): Promise<number> {
  const checked = await checkGguf(path).catch(ignoring('it cannot be loaded then either'));
  if (!checked) return 0;
  const { ram } = memoryNeed(ggufProfile(checked), { ...plan, gpuLayers: 0, packsWeights: await hasAmx() });
  return ram.weights + ram.cache + ram.compute; // it shares the model's process
}
