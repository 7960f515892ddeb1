import envPaths from 'env-paths';

/** Where PyTorch is for tests and measurements: outside the checkout, for it takes gigabytes. `npm run test:torch-env` installs it. */
export function torchFolder(): string {
  return process.env.QUARRY_TEST_TORCH || envPaths('quarry-test-torch', { suffix: '' }).cache;
}
