import { z } from 'zod';
import { version } from '../base/version.ts';
import { wholeBody } from '../base/whole-body.ts';

/** Milliseconds for the whole answer. */
const ANSWER_MS = 15_000;
/** Releases list their files and say what is new. */
const MAX_BYTES = 1_048_576;

/** What is taken of a release: its number, and no text that somebody wrote. */
const releaseSchema = z.object({ tag_name: z.string().max(50) });
const NUMBERS = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/**
 * The version of the latest release, `1.2.3`, as GitHub’s API tells it (`…/releases/latest`). Follows no redirect: whoever named the
 * address named this one.
 * @throws Error that says why there is none: no answer, a refusal, an answer that is too long or no release
 */
export async function latestRelease(
  url: string,
  { fetch = globalThis.fetch, signal }: { fetch?: typeof globalThis.fetch; signal: AbortSignal },
): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/vnd.github+json', 'user-agent': `quarry/${version}` },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`answered with status ${response.status}`);
  }
  const body = await wholeBody(response, MAX_BYTES, () => new Error('answered with more than a megabyte'));
  const release = releaseSchema.safeParse(JSON.parse(body.toString('utf8')));
  const [, ...numbers] = NUMBERS.exec(release.data?.tag_name ?? '') ?? [];
  if (numbers.length === 0) throw new Error('told of no release with a version such as 1.2.3');
  return numbers.map(Number).join('.');
}

/** Whether one version comes after another, both as `1.2.3`; what stands behind the numbers (`-beta`) does not count. */
export function isNewer(one: string, other: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [ones, others] = [numbers(one), numbers(other)];
  const at = ones.findIndex((number, index) => number !== others[index]);
  return at >= 0 && (ones[at] ?? 0) > (others[at] ?? 0);
}
