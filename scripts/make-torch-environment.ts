/**
 * Installs PyTorch where tests of the second trainer look for it: `npm run test:torch-env`. By the code that installs it for people; docs/testing.md says
 * what it takes. Ends with 3 where it cannot be had (no Python, no network): the tests then say what they skip.
 */
import { torchFolder } from '../src-main/bench/learning/torch-folder.ts';
import { TorchEnvironment } from '../src-main/learning/training/torch/torch-environment.ts';
import { QuarryError } from '../src-preload/contract/errors.ts';

const UNAVAILABLE = 3;

const environment = new TorchEnvironment({ folder: torchFolder() });
try {
  const { download } = await environment.size('cpu');
  console.log(`PyTorch is ${Math.round(download / 1e6)} MB to download.`);
  const installed = await environment.install({ variant: 'cpu' }, undefined, ({ phase, bytes, of }) => {
    console.log(`${phase}: ${Math.round(bytes / 1e6)} of ${Math.round(of / 1e6)} MB`);
  });
  console.log(
    `${torchFolder()}: PyTorch ${installed.torch}, Python ${installed.python}, installed by ${installed.tool}`,
  );
} catch (error) {
  if (!(error instanceof QuarryError)) throw error;
  console.error(`PyTorch cannot be had here: ${error.message} Tests that want it will be skipped.`);
  process.exitCode = UNAVAILABLE;
}
