import { torchFolder } from '../../src-main/bench/learning/torch-folder.ts';
import { TorchEnvironment } from '../../src-main/learning/training/torch/torch-environment.ts';

/** The Python that has PyTorch; undefined, loudly, where it was not installed. */
export async function findTorch(): Promise<string | undefined> {
  const installed = await new TorchEnvironment({ folder: torchFolder() }).installed();
  if (installed) return installed.program;
  process.stderr.write(
    `\n!!! skipped: there is no PyTorch in ${torchFolder()}. \`npm run test:torch-env\` installs it (gigabytes on Linux).\n\n`,
  );
  return undefined;
}
