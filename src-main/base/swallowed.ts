/**
 * For `catch`: a file or folder that is not there is an answer; one that cannot be looked at is not.
 * @throws the error, if it is another
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/**
 * For `catch` and the event `error`: any failure gives undefined, and this is why that is right. A bare handler says nothing to
 * whoever reads it later; a test refuses those.
 *
 * @param _reason for the reader, a clause
 */
export function ignoring(_reason: string): (error: unknown) => undefined {
  return () => undefined;
}
