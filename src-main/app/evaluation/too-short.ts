import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { leastTokens } from '../../subnets/quasar/evaluation/least-tokens.ts';
import type { CountTokens } from '../../subnets/quasar/tasks/context-task.ts';

/** Of lengths that somebody wants texts to have. */
export interface TooShort {
  /** Those that are too short for all suites, and how long they would have to be for the one that takes least. */
  lengths: ReadonlyMap<number, QuarryError>;
  /** Suites for which one of the others is too short. */
  suites: readonly { suite: string; error: QuarryError }[];
}

/**
 * What cannot be asked in so few tokens, and from how many on it can. Of suites out of files nothing is known.
 * @throws what counting throws; the signal's reason
 */
export async function tooShort(
  suites: readonly string[],
  lengths: readonly number[],
  count: CountTokens,
  signal: AbortSignal,
): Promise<TooShort> {
  const needs: { suite: string; least: number }[] = [];
  for (const suite of suites) needs.push({ suite, least: (await leastTokens(suite, count, signal)) ?? 0 });
  needs.sort((one, other) => one.least - other.least);
  const [easiest] = needs;
  const forAll = lengths.filter((length) => easiest && length < easiest.least);
  const shortest = Math.min(...lengths.filter((length) => !forAll.includes(length)));
  return {
    lengths: new Map(easiest && forAll.map((length) => [length, tooFew(length, easiest)])),
    suites: needs
      .filter(({ least }) => shortest < least)
      .map((need) => ({ suite: need.suite, error: tooFew(shortest, need) })),
  };
}

const tooFew = (length: number, { suite, least }: { suite: string; least: number }) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('evaluations.tooShort', { length, suite, least }),
    field: 'lengths',
  });
