import type { Core } from '../parts/core.ts';
import type { LearningTorchPart } from '../parts/learning/learning-torch.ts';
import type { Domain } from './implementer.ts';

/** What of the contract's `learning` is about PyTorch. */
export function learningTorchRoutes(
  { os, named }: Domain<'learning'>,
  torch: LearningTorchPart,
  core: Pick<Core, 'until'>,
) {
  return {
    torch: os.torch.handler(() => torch.view()),
    installTorch: os.installTorch.handler(({ input, signal }) =>
      named(torch.install(input.variant, core.until(signal))),
    ),
    cancelTorch: os.cancelTorch.handler(() => torch.cancel()),
    removeTorch: os.removeTorch.handler(() => torch.remove()),
  };
}
