/**
 * For `catch`: a file that is not there is an answer; one that cannot be looked at is not.
 * @throws the error, if it is another
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
