import { Recent } from '../../../../base/recent.ts';
import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { RoundHead, RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import { leaderboardOf } from '../leaderboard.ts';
import { LEAGUES } from '../rules/leagues.ts';
import { beatsBaseline } from '../rules/ranking.ts';
import type { Unclaimed } from '../rules/shares.ts';
import { BLOCK_MS, PLACES, POT } from '../rules/terms.ts';
import type { ClosedTracks } from '../rules/tracks.ts';
import { MOST_ARTEFACT_BYTES, TRACKS } from '../rules/verdict.ts';
import {
  type CurrentRound,
  type Leaderboard,
  MOST_LISTED,
  type RoundView,
  type SignedRecord,
  type SubmissionView,
  type VerificationStats,
  type Weights,
} from '../wire.ts';
import type { BlockClock } from './block-clock.ts';
import { CompetitionProblem, notFound } from './competition-problem.ts';
import type { Rounds } from './rounds.ts';
import type { CompetitionTerms } from './terms.ts';
import { lastBlockOf, recordOf, roundView, submissionView, verdictOf } from './views.ts';

export interface CompetitionViewsOptions {
  server: string;
  store: CompetitionStore;
  clock: BlockClock;
  rounds: Pick<Rounds, 'opened'>;
  terms: CompetitionTerms;
  closed: ClosedTracks;
  /** Unix milliseconds. */
  now: () => number;
}

/** Leader boards that are kept in memory, of a megabyte at most each. */
const MOST_BOARDS = 8;

/** What a competition says, as programs and people look at it. Changes nothing. */
export class CompetitionViews {
  readonly #options: CompetitionViewsOptions;
  /** Of rounds that have ended, which nothing changes any more: everybody may ask, and a record is long. */
  readonly #boards = new Recent<Leaderboard>(Number.POSITIVE_INFINITY, Date.now, MOST_BOARDS);

  constructor(options: CompetitionViewsOptions) {
    this.#options = options;
  }

  async current(): Promise<CurrentRound> {
    const { server, clock, rounds, terms, closed } = this.#options;
    const open = await rounds.opened();
    const now = await this.#moment();
    return {
      ...(await this.round(open)),
      ...{ server, block: now.block, clock: clock.kind, blockMs: BLOCK_MS, blocksUntilReveal: terms.blocksUntilReveal },
      lastBlockToCommit: Math.max(0, lastBlockOf(open, now) - terms.blocksUntilReveal),
      ...{ leagues: [...LEAGUES], places: [...PLACES], artefactBytes: MOST_ARTEFACT_BYTES },
      tracks: TRACKS.map((track) => ({ track, closed: closed[track] ?? null })),
    };
  }

  async round(row: RoundHead): Promise<RoundView> {
    return roundView(row, await this.#options.store.submissions.counts(row.number));
  }

  async rounds(before: number | undefined, limit: number): Promise<{ rounds: RoundView[]; more: boolean }> {
    const rows = await this.#options.store.rounds.list(before, limit + 1);
    const views = await Promise.all(rows.slice(0, limit).map((row) => this.round(row)));
    return { rounds: views, more: rows.length > limit };
  }

  /** Of a round that has not ended: no places. @throws CompetitionProblem NOT_FOUND */
  async leaderboard(number: number): Promise<Leaderboard> {
    const known = this.#boards.get(String(number));
    if (known) return known;
    const row = await this.#round(number);
    const record = recordOf(row);
    if (record) return this.#boards.set(String(number), leaderboardOf(record));
    return { round: number, state: row.state, places: [], pot: POT + row.carried, unclaimed: 0 };
  }

  /** @throws CompetitionProblem NOT_FOUND, CONFLICT before it has ended */
  async record(number: number): Promise<SignedRecord> {
    const row = await this.#round(number);
    const record = recordOf(row);
    if (record && row.signature !== null) return { record, signature: row.signature };
    throw new CompetitionProblem('CONFLICT', `Round ${number} has not ended.`);
  }

  async submission(row: SubmissionRow): Promise<SubmissionView> {
    const [one] = await this.#submissions([row]);
    return one as SubmissionView;
  }

  /** All that count in a round, in the order of commitment: for who runs it. */
  async submissionsIn(round: number): Promise<(SubmissionView & { hotkey: string })[]> {
    const states = ['committed', 'missed', 'revealed', 'copied', 'repeated', 'wrong', 'right'] as const;
    const rows = await this.#options.store.submissions.inRound(round, states);
    const views = await this.#submissions(rows);
    return views.map((view, at) => ({ ...view, hotkey: rows[at]?.hotkey ?? '' }));
  }

  /** Of a hotkey, the newest first. */
  async submissionsOf(hotkey: string, before: number | undefined) {
    const rows = await this.#options.store.submissions.of(hotkey, { before, limit: MOST_LISTED + 1 });
    return { submissions: await this.#submissions(rows.slice(0, MOST_LISTED)), more: rows.length > MOST_LISTED };
  }

  async reveals(hotkey: string) {
    const { store, clock, rounds } = this.#options;
    const own = await store.submissions.waitingOf(hotkey, MOST_LISTED);
    // What waits to be revealed counts in the open round: the others were closed with it, or over to it.
    const { committed = 0 } = await store.submissions.counts((await rounds.opened()).number);
    const others = committed - own.length;
    return { block: await clock.now(), own: await this.#submissions(own), others: Math.max(0, others) };
  }

  /** @throws CompetitionProblem NOT_FOUND */
  async verification(number: number): Promise<VerificationStats> {
    await this.#round(number);
    const { submissions } = this.#options.store;
    const rows = await submissions.inRound(number, ['wrong', 'right']);
    const verdicts = rows.map(verdictOf).filter((verdict) => verdict !== null);
    const right = verdicts.filter((verdict) => verdict.right);
    const wrong = verdicts.filter((verdict) => !verdict.right);
    const sum = right.reduce((all, { ratio }) => all + ratio.median, 0);
    return {
      ...{ round: number, submissions: await submissions.counts(number), judged: rows.length, right: right.length },
      faults: Object.fromEntries(
        [...Map.groupBy(wrong, ({ fault }) => fault)].map(([fault, some]) => [fault, some.length]),
      ),
      ...{ faster: right.filter(beatsBaseline).length, meanRatio: right.length === 0 ? null : sum / right.length },
    };
  }

  /** @throws CompetitionProblem NOT_FOUND before the first round has ended */
  async weights(goes: Unclaimed, uidOf: (hotkey: string) => Promise<number | null>): Promise<Weights> {
    const ended = await this.#options.store.rounds.newestEnded();
    const record = ended && recordOf(ended);
    if (!record) throw notFound('round');
    const { round, pot, unclaimed } = leaderboardOf(record);
    // One hotkey may have a share of each track.
    const won = [...Map.groupBy(record.shares, ({ hotkey }) => hotkey)];
    const weights = await Promise.all(
      won.map(async ([hotkey, shares]) => {
        const share = shares.reduce((sum, one) => sum + one.share, 0);
        return { uid: await uidOf(hotkey), hotkey, weight: share / pot };
      }),
    );
    return { round, weights, unclaimed: unclaimed / pot, goes };
  }

  /** Whether everybody may have these bytes. */
  async isPublic(sha256: string): Promise<boolean> {
    const { submissions, rounds } = this.#options.store;
    return (await submissions.isPublic(sha256)) || (await rounds.hasBaseline(sha256));
  }

  async #submissions(rows: readonly SubmissionRow[]): Promise<SubmissionView[]> {
    const open = await this.#options.rounds.opened();
    const now = await this.#moment();
    return rows.map((row) => submissionView(row, { block: now.block, lastBlock: lastBlockOf(open, now) }));
  }

  async #round(number: number): Promise<RoundRow> {
    const row = await this.#options.store.rounds.get(number);
    if (!row) throw notFound('round');
    return row;
  }

  async #moment(): Promise<{ block: number; at: number }> {
    const { clock, now } = this.#options;
    return { block: await clock.now(), at: now() };
  }
}
