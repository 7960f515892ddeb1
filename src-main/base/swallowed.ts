import type { Logger } from 'pino';

/**
 * For `catch`: a file or folder that is not there is an answer; one that cannot be looked at is not.
 * @throws the error, if it is another
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/**
 * For `catch`: any failure gives undefined, and this is why that is right. A bare handler says nothing to whoever reads it
 * later; a test refuses those.
 *
 * @param reason for the reader, a clause; also the line in the log
 * @param log where the failure is noted, at level debug. Default: nowhere
 */
export function ignoring(reason: string, log?: Pick<Logger, 'debug'>): (error: unknown) => undefined {
  return (err) => {
    log?.debug({ err }, reason);
    return undefined;
  };
}
