import type { Repository } from './artefact.ts';
import { contained } from './gpu-container.ts';

/** Of a repository as tar, at most. */
export const MOST_TREE_BYTES = 16 * 1024 * 1024;
/** As QUASAR’s validators wait (A10). */
const FETCH_SECONDS = 120;
/** A repository that is always there: where it is not either, it is this machine that has no network. */
const ALWAYS_THERE = 'https://github.com/pytorch/pytorch';

/** A network, and little else: what git writes is in memory. */
export const FETCH_WALLS = [
  ...['--network', 'bridge'],
  ...['--ipc', 'none'],
  ...['--tmpfs', '/tmp:rw,noexec,nosuid,nodev,size=256m'],
  ...['--memory', '1g'],
  ...['--memory-swap', '1g'],
  ...['--cpus', '1'],
  ...['--pids-limit', '64'],
  ...['--ulimit', 'nofile=256:256'],
  ...['--env', 'GIT_CONFIG_NOSYSTEM=1'],
  ...['--env', 'GIT_CONFIG_GLOBAL=/dev/null'],
  ...['--env', 'GIT_TERMINAL_PROMPT=0'],
  ...['--env', 'GIT_ALLOW_PROTOCOL=https'],
];

/**
 * Fetches one commit and prints its files as tar. Nothing is checked out: no hook, no filter, no submodule and no large file of elsewhere has a part in it, and links are names in
 * the tar, which the judge passes over.
 */
export const FETCH = `set -e
cd "$(mktemp -d)"
git init --quiet --bare
git -c http.followRedirects=false fetch --quiet --depth 1 --no-tags --no-recurse-submodules "$1" "$2"
exec git archive --format tar "$2"`;

/** What came of it: the files as tar, or what is wrong with it; `ours` where this machine has no network. */
export type Fetched = Buffer | 'fetch' | 'too-large' | 'ours';

/** Fetches a commit in a container that has a network and nothing else. Nothing of it is unpacked on this machine. @throws the signal’s reason */
export async function fetchRepository(
  image: string,
  { url, commit }: Repository,
  signal?: AbortSignal,
): Promise<Fetched> {
  const fetched = await inContainer(image, ['sh', '-c', FETCH, 'fetch', url, commit], signal);
  if (fetched.code === 0) return fetched.truncated ? 'too-large' : fetched.bytes;
  if (fetched.truncated) return 'too-large';
  const there = await inContainer(image, ['git', 'ls-remote', '--exit-code', ALWAYS_THERE, 'HEAD'], signal);
  return there.code === 0 ? 'fetch' : 'ours';
}

const inContainer = (image: string, command: readonly string[], signal: AbortSignal | undefined) =>
  contained({ image, walls: FETCH_WALLS, command, seconds: FETCH_SECONDS, mostBytes: MOST_TREE_BYTES, signal });
