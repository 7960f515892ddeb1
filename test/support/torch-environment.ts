import { join } from 'node:path';
import envPaths from 'env-paths';
import { TorchEnvironment } from '../../src-main/learning/training/torch/torch-environment.ts';

/** Outside the checkout: gigabytes that are not ours. `npm run test:torch-env` makes it. */
export function torchFolder(): string {
  return process.env.QUARRY_TEST_TORCH || join(envPaths('quarry-test-torch', { suffix: '' }).cache);
}

/** The Python that has PyTorch; undefined, loudly, where it was not installed. */
export async function findTorch(): Promise<string | undefined> {
  const installed = await new TorchEnvironment({ folder: torchFolder() }).installed();
  if (installed) return installed.program;
  process.stderr.write(
    `\n!!! skipped: there is no PyTorch in ${torchFolder()}. \`npm run test:torch-env\` installs it (gigabytes on Linux).\n\n`,
  );
  return undefined;
}
