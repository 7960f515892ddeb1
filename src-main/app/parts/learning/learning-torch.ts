import { dataPath } from '../../../base/data-folder.ts';
import { Torch } from '../../../learning/training/torch/torch.ts';
import { TorchEnvironment } from '../../../learning/training/torch/torch-environment.ts';
import type { Core } from '../core.ts';

/** PyTorch on this computer; every node can install it, also one that was opened for a single command. */
export type LearningTorchPart = Torch;

export function openLearningTorch({ config, log, onClose }: Core): LearningTorchPart {
  const folder = dataPath(config.dataDir, 'torch');
  const torch = new Torch({ environment: new TorchEnvironment({ folder }), folder, log });
  onClose(() => torch.cancel());
  return torch;
}
