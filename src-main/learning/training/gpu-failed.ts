import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';

/** What the GPU's page failed with, as what it means: the GPU cannot be relied on, and the same is computed elsewhere. */
export function gpuFailed(error: unknown): QuarryError {
  const why = wordsOf(QuarryError.from(error), 'message');
  return new QuarryError(
    { code: 'WORKER_LOST', message: say('training.gpuFailed', { why }), retryable: true },
    { cause: error },
  );
}
