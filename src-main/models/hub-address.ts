/**
 * Where a file of a repository is, at the hub or one of its mirrors.
 * @param endpoint origin and path of the hub, without a slash at its end
 * @param repository `owner/name`
 * @param revision commit, branch or tag
 * @param path a sound one, see `isSoundPath`; each of its parts is encoded
 */
export function hubFileAddress(endpoint: string, repository: string, revision: string, path: string): string {
  const file = path.split('/').map(encodeURIComponent).join('/');
  return `${endpoint}/${repository}/resolve/${encodeURIComponent(revision)}/${file}`;
}
