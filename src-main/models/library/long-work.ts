import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** What whoever asks for long work over bytes may want of it. */
export interface LongWork {
  /** Told again and again how many bytes of how many are done. */
  onProgress?: (done: number, total: number) => void;
  /** Gives up, and leaves everything as it was. */
  signal?: AbortSignal;
}

/** A function that adds up bytes and reports them. */
export function progressOver(total: number, onProgress: LongWork['onProgress']): (bytes: number) => void {
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress?.(done, total);
  };
}

/** The error of work that failed: CANCELLED when it was given up, DISK_FULL when the drive was full, else as it is. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return new QuarryError({ code: 'CANCELLED', message: say('library.givenUp') });
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return diskFull(error);
  return error;
}

export function diskFull(cause?: unknown): QuarryError {
  const message = say('library.noRoom');
  return new QuarryError({ code: 'DISK_FULL', message, hint: say('library.deleteSomething') }, { cause });
}
