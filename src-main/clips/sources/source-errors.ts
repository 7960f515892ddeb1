import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { SourceError } from '../../models/downloads/byte-source.ts';

/** An answer is not what the API says: too long, no JSON, or of another shape. */
export class Nonsense extends Error {}

/**
 * What went wrong with a question to a source, or with a file of it: named, with a way out, and `retryable` where it may pass.
 * @param host for people
 */
export function explainSourceError(error: unknown, host: string): QuarryError {
  if (error instanceof QuarryError) return error;
  if (error instanceof Nonsense) {
    const words = { message: say('clipSources.nonsense', { host }), hint: say('clipSources.checkAddress') };
    return new QuarryError({ code: 'PROTOCOL', ...words, retryable: true }, { cause: error });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return failed(say('hub.tooSlow', { host }), true, error);
  }
  return error instanceof SourceError ? explainRefusal(error, host) : QuarryError.from(error);
}

/** Where it is searched, there is nothing: the address is another server's. */
export function noSuchServer(host: string): QuarryError {
  return explainSourceError(new Nonsense('404'), host);
}

/** There is no such video, or none any more. */
export function gone(host: string, cause?: unknown): QuarryError {
  const words = { message: say('clipSources.gone', { host }), hint: say('clipSources.otherVideo') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words }, { cause });
}

/** A file of one's own that is another one now, or none. */
export function fileGone(): QuarryError {
  const words = { message: say('clipSources.fileGone'), hint: say('clipSources.searchAnew') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words });
}

/** A file that cannot be written: on a full disk, there is something to do about that. */
export function explainUnwritten(error: unknown, folder: string): unknown {
  const { code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const words = { message: say('download.diskFull', { folder }), hint: say('clipSources.makeRoom') };
  return new QuarryError({ code: 'DISK_FULL', ...words, retryable: true }, { cause: error });
}

/** It is more than may be fetched. @param most bytes */
export function tooLarge(most: number): QuarryError {
  const words = { message: say('clipSources.tooLarge', { most }), hint: say('clipSources.otherVideo') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words });
}

function explainRefusal(error: SourceError, host: string): QuarryError {
  const { reason, fault, retryAfterMs } = error;
  if (fault === 'offline') {
    const words = { message: say('hub.offline', { host }), hint: say('clipSources.whenOnline') };
    return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words, retryable: true }, { cause: error });
  }
  if (reason === 'busy') {
    const words = { message: say('hub.tooOften', { host }), hint: say('hub.later') };
    const after = retryAfterMs === undefined ? {} : { retryAfterMs };
    return new QuarryError({ code: 'RATE_LIMIT', ...words, retryable: true, ...after }, { cause: error });
  }
  if (fault === 'forbidden') {
    const words = { message: say('clipSources.forbidden', { host }), hint: say('clipSources.nameContact') };
    return new QuarryError({ code: 'UNAUTHORIZED', ...words }, { cause: error });
  }
  if (fault === 'missing') return gone(host, error);
  return failed(wordsOf(error, 'message'), reason === 'lost' || reason === 'changed', error);
}

function failed(message: Words, retryable: boolean, cause: unknown): QuarryError {
  const hint = retryable ? say('hub.later') : say('clipSources.otherVideo');
  return new QuarryError({ code: 'DOWNLOAD_FAILED', message, hint, retryable }, { cause });
}
