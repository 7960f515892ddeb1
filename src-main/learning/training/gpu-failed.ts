import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';

/**
 * What the GPU's page failed with, as what it means: the GPU cannot be relied on, and the same is computed elsewhere.
 * @param error an error, or what the GPU itself said
 */
export function gpuFailed(error: unknown): QuarryError {
  const why = typeof error === 'string' ? error : wordsOf(QuarryError.from(error), 'message');
  return new QuarryError(
    { code: 'WORKER_LOST', message: say('training.gpuFailed', { why }), retryable: true },
    { cause: error },
  );
}
