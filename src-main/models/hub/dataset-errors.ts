import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';
import { SourceError } from '../downloads/byte-source.ts';
import { HubNonsense } from './hub-errors.ts';

/** What was asked of a server of data sets. */
interface DatasetQuestion {
  host: string;
  dataset: string;
  config: string;
  split: string;
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

/** Whether the same question may have an answer a moment later. */
export function isPassing(error: unknown): boolean {
  return isTimeout(error) || (error instanceof SourceError && ['lost', 'busy'].includes(error.reason));
}

/** What went wrong with a question for rows: named, with a way out. */
export function explainDatasetError(error: unknown, { host, dataset, config, split }: DatasetQuestion): QuarryError {
  if (isTimeout(error)) return failed('DOWNLOAD_FAILED', say('hub.tooSlow', { host }), say('hub.later'), error);
  if (error instanceof HubNonsense) {
    return failed('PROTOCOL', say('datasets.noServer', { host }), say('datasets.checkEndpoint'), error);
  }
  if (!(error instanceof SourceError)) return QuarryError.from(error);
  if (error.reason === 'busy') return failed('RATE_LIMIT', say('hub.tooOften', { host }), say('hub.later'), error);
  if (error.fault === 'forbidden' || error.fault === 'missing') {
    const message = say('datasets.notGiven', { host, dataset, config, split });
    return failed('UNAUTHORIZED', message, say('datasets.checkPart'), error);
  }
  const hint = error.reason === 'lost' ? say('hub.later') : say('datasets.checkEndpoint');
  return failed('DOWNLOAD_FAILED', wordsOf(error, 'message'), hint, error);
}

function failed(
  code: QuarryError['code'],
  message: ReturnType<typeof wordsOf>,
  hint: ReturnType<typeof say>,
  cause: unknown,
): QuarryError {
  return new QuarryError({ code, message, hint }, { cause });
}
