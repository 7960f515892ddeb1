import { LEAST_AIM, MOST_AIM } from '../../../../../src-preload/contract/competition-numbers.ts';

/** How many tokens a league begins at, and by what a measured speed counts there (QUASAR, A9 of its fact sheet). */
export const LEAGUES = [
  { from: 100_000, multiplier: 0.5 },
  { from: 200_000, multiplier: 0.75 },
  { from: 300_000, multiplier: 1 },
  { from: 400_000, multiplier: 1.25 },
  { from: 500_000, multiplier: 1.5 },
  { from: 600_000, multiplier: 1.75 },
  { from: 700_000, multiplier: 2 },
  { from: 800_000, multiplier: 2.25 },
  { from: 900_000, multiplier: 2.5 },
  { from: 1_000_000, multiplier: 3 },
] as const;

export type League = (typeof LEAGUES)[number]['from'];

/** What a submission may aim at: fewer tokens are in no league, more in none that is higher. */
export const [LEAST_TOKENS, MOST_TOKENS] = [LEAST_AIM, MOST_AIM];

/**
 * The league of a submission, by the tokens that it aims at and is measured at: the highest that it **reaches** (the lower bound). 150,000 tokens are in the league
 * of 100,000: whoever claims a league is measured at that many tokens at least. The only look-up there is.
 * @throws RangeError for fewer than {@link LEAST_TOKENS}, or more than {@link MOST_TOKENS}
 */
export function leagueOf(tokens: number): League {
  const reached = LEAGUES.findLast(({ from }) => from <= tokens);
  if (reached && tokens <= MOST_TOKENS) return reached.from;
  throw new RangeError(`No league is for ${tokens} tokens.`);
}

/** By what a speed counts in a league. */
export function multiplierOf(league: League): number {
  return LEAGUES.find(({ from }) => from === league)?.multiplier ?? 0;
}
