import { leagueOf, multiplierOf } from './rules/leagues.ts';
import { withPlaces } from './rules/ranking.ts';
import { POT } from './rules/terms.ts';
import type { Leaderboard, Place, RoundRecord } from './wire.ts';

/** The leader board of a round that has ended, out of its record alone: as the server tells it, and as whoever verifies it reckons it again. */
export function leaderboardOf(record: RoundRecord): Leaderboard {
  const { round, carriedIn, shares } = record;
  const pot = POT + carriedIn;
  const won = shares.reduce((sum, { share }) => sum + share, 0);
  return { round, state: 'ended', places: placesOf(record), pot, unclaimed: pot - won };
}

function placesOf({ submissions, ranking, shares }: RoundRecord): Place[] {
  const byId = new Map(submissions.map((one) => [one.id, one]));
  const won = new Map(shares.map(({ submission, share }) => [submission, share]));
  const ranked = ranking.flatMap((id) => byId.get(id) ?? []);
  return withPlaces(ranked).flatMap(({ one, place }) => {
    if (!one.verdict?.right) return [];
    const { id, hotkey, track, tokens, verdict } = one;
    const league = leagueOf(tokens);
    const weighted = verdict.ratio.median * multiplierOf(league);
    return [
      {
        ...{ place, submission: id, hotkey, track, league, tokens, ratio: verdict.ratio, weighted },
        ...{ tokensPerSecond: verdict.tokensPerSecond, share: won.get(id) ?? 0 },
      },
    ];
  });
}
