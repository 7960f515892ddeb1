/**
 * What is said once something is shared: who sends it, and what those are to be told who shall have it.
 * @param nodeRuns whether a node runs that sends it by itself
 */
export function sharedText(name: string, sha256: string, nodeRuns: boolean): string {
  const sends = nodeRuns ? 'The running node sends it' : '`quarry start` or `quarry models seed` sends it';
  return `${name} is shared. ${sends} to others.\nWho fetches it can be sure of it by its SHA-256: ${sha256}`;
}
