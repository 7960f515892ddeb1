import type { FoundHubModel, HubRepository } from '../../../src-preload/contract/hub.ts';
import { fit, NOW } from './sample-data.ts';

const SIZES = [
  ['Q4_K_M', 2.5, 'gpu', 3.7],
  ['Q6_K', 3.3, 'gpu', 4.5],
  ['F16', 8, 'no', 13.1],
] as const;

/** What a repository of Hugging Face is told as. */
export const hubRepository: HubRepository = {
  id: 'unsloth/Qwen3-4B-Instruct-2507-GGUF',
  ...{ downloads: 512_480, likes: 214, updatedAt: NOW, licence: 'apache-2.0', access: 'open', parameters: 4.02e9 },
  page: 'https://huggingface.co/unsloth/Qwen3-4B-Instruct-2507-GGUF',
  tokenPage: 'https://huggingface.co/settings/tokens',
  ...{ hasToken: false, architecture: 'qwen3', contextLength: 262_144, estimated: false },
  quantisations: SIZES.map(([name, gb, runs, memory]) => ({
    ...{ name, file: `Qwen3-4B-${name}.gguf`, bytes: gb * 1e9, sha256: null, pieces: 1 },
    ...{ model: `Qwen3-4B-${name}`, installed: false, fit: fit(runs, 40, memory), recommended: name === 'Q4_K_M' },
  })),
};

/** The same as the list has it. */
export const hubFound: FoundHubModel = { ...hubRepository, fit: fit('gpu', 40, 3.7) };
