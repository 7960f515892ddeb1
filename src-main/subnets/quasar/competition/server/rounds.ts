import { randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Signer } from '../../../../bittensor/signer.ts';
import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { Intervention, RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import { leaderboardOf } from '../leaderboard.ts';
import { type Baseline, firstBaselines, nextBaselines } from '../rules/baselines.ts';
import { artefactKey } from '../rules/copies.ts';
import { type Judged, rank } from '../rules/ranking.ts';
import { recordBytes, recordHash } from '../rules/record.ts';
import { seedHash } from '../rules/seeds.ts';
import { sharesOf } from '../rules/shares.ts';
import type { Track } from '../rules/verdict.ts';
import type { RoundRecord } from '../wire.ts';
import type { BlockClock } from './block-clock.ts';
import { CompetitionProblem, notFound } from './competition-problem.ts';
import { type CompetitionTerms, HOUR_MS } from './terms.ts';
import { baselinesOf, recordedOf, recordOf } from './views.ts';

/** Interventions that a record tells. */
const MOST_NOTES = 1_000;
const JUDGED = ['copied', 'repeated', 'wrong', 'right'] as const;

export interface RoundsOptions {
  server: Pick<Signer, 'address' | 'sign'>;
  store: CompetitionStore;
  clock: BlockClock;
  terms: CompetitionTerms;
  /** SHA-256 of what each track begins with. */
  first: Readonly<Record<Track, string>>;
  /** Unix milliseconds. */
  now: () => number;
  /** 32 bytes that nobody can foresee. Default: of the system. */
  draw?: () => Buffer;
}

/** Rounds: opened, closed and ended. One is open at a time; while one is judged the next is open already. */
export class Rounds {
  readonly #options: RoundsOptions;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** The open one; the first where there is none yet. */
  async opened(): Promise<RoundRow> {
    const { store, terms, first } = this.#options;
    const open = await store.rounds.oldest('open');
    if (open) return open;
    const round = await this.#next(1, terms.hours);
    const begun = { ...round, baselines: JSON.stringify(firstBaselines(first)) };
    await store.rounds.begin(begun);
    return begun;
  }

  /** Closes the open one when it is time. @returns whether it was */
  async closeInTime(): Promise<boolean> {
    const open = await this.opened();
    return open.ends_at <= this.#options.now() && (await this.#close(open, this.#options.terms.hours));
  }

  /** Closes the open one now. @param hours of the next @throws CompetitionProblem CONFLICT where it is another by now */
  async closeNow(number: number | undefined, hours: number): Promise<RoundRow> {
    const open = await this.opened();
    if (number !== undefined && open.number !== number) throw notOpen(number);
    const intervention = this.#done(`closed before its time, ${new Date(open.ends_at).toISOString()}`);
    if (!(await this.#close(open, hours, intervention))) throw notOpen(open.number);
    return this.opened();
  }

  /** @throws CompetitionProblem CONFLICT */
  async extend(number: number, hours: number): Promise<RoundRow> {
    const open = await this.opened();
    if (open.number !== number) throw notOpen(number);
    const endsAt = open.ends_at + Math.round(hours * HOUR_MS);
    const intervention = this.#done(`extended by ${hours} hours`);
    if (!(await this.#options.store.rounds.setEnd(number, endsAt, intervention))) throw notOpen(number);
    return this.opened();
  }

  /** Has a submission of a round that is being judged judged again. @throws CompetitionProblem NOT_FOUND, CONFLICT */
  async judgeAgain(id: string): Promise<SubmissionRow> {
    const { submissions } = this.#options.store;
    const submission = await submissions.get(id);
    if (!submission) throw notFound('submission');
    if (!(await submissions.judgeAgain(id, this.#done(`submission ${id} judged again`)))) {
      throw new CompetitionProblem('CONFLICT', 'It is not judged yet, or its round has ended.');
    }
    return (await submissions.get(id)) ?? submission;
  }

  /** Ends a round of which all is judged: ranks it by what is on the disk, signs its record, and tells the next what it is measured against. */
  async end(round: RoundRow): Promise<void> {
    const { server, store } = this.#options;
    const { record, next, carried } = await this.#recordOf(round);
    const signature = Buffer.from(await server.sign(recordBytes(record))).toString('hex');
    const placed = leaderboardOf(record).places.map(({ submission: id, place, share }) => ({ id, place, share }));
    const ended = { endedAt: record.endedAt, record: canonicalize(record) ?? '', signature, placed };
    await store.rounds.end(round.number, ended, { baselines: JSON.stringify(next), carried });
  }

  async #recordOf(round: RoundRow): Promise<{ record: RoundRecord; next: Baseline[]; carried: number }> {
    const { server, store, terms, first, now } = this.#options;
    const { number } = round;
    const rows = await store.submissions.inRound(number, JUDGED);
    const submissions = rows.map(recordedOf);
    const counts = await store.submissions.counts(number);
    const ranked = rank(submissions.filter((one): one is typeof one & Judged => one.verdict !== null));
    const { shares, carried } = sharesOf(ranked, round.carried, terms.unclaimed);
    const before = await store.rounds.get(number - 1);
    const baselines = baselinesOf(round) ?? [];
    const record: RoundRecord = {
      ...{ version: 1, server: server.address, round: number, openedAt: round.opened_at, endedAt: now() },
      ...{ closedAt: round.closed_at ?? 0, openedBlock: round.opened_block, closedBlock: round.closed_block ?? 0 },
      ...{ seed: round.seed, seedSha256: round.seed_sha256, baselines, submissions, missed: counts.missed ?? 0 },
      known: await knownIn(store, rows, number),
      ranking: ranked.map(({ id }) => id),
      ...{ unclaimed: terms.unclaimed, carriedIn: round.carried, shares },
      interventions: await store.rounds.interventions(number, MOST_NOTES),
      previous: before?.record ? recordHash(recordOf(before) as RoundRecord) : null,
    };
    return { record, next: nextBaselines(baselines, ranked, firstBaselines(first)), carried };
  }

  async #close(open: RoundRow, hours: number, intervention?: Intervention): Promise<boolean> {
    const { store, clock, now } = this.#options;
    const next = await this.#next(open.number + 1, hours);
    const closing = { closedAt: now(), block: await clock.now(), next, ...(intervention && { intervention }) };
    return store.rounds.close(open.number, closing);
  }

  async #next(number: number, hours: number): Promise<RoundRow> {
    const { server, clock, now, draw = () => randomBytes(32) } = this.#options;
    const seed = draw().toString('hex');
    const [block, at] = [await clock.now(), now()];
    return {
      ...{ server: server.address, number, state: 'open', opened_at: at, ends_at: at + Math.round(hours * HOUR_MS) },
      ...{ closed_at: null, ended_at: null, opened_block: block, closed_block: null, carried: 0 },
      ...{ seed, seed_sha256: seedHash(seed), baselines: null, record: null, signature: null },
    };
  }

  #done(what: string): Intervention {
    return { at: this.#options.now(), what };
  }
}

/** Whose the artefacts of a round are that were revealed in an earlier one: by who committed first. */
export async function knownIn(store: CompetitionStore, rows: readonly SubmissionRow[], round: number) {
  const artefacts = rows.flatMap(({ track, sha256 }) => (sha256 === null ? [] : [{ track: track as Track, sha256 }]));
  const once = new Map(artefacts.map((one) => [artefactKey(one), one]));
  const owners = await store.submissions.owners([...once.values()], round);
  return owners.map(({ track, ...owner }) => ({ track: track as Track, ...owner }));
}

function notOpen(number: number): CompetitionProblem {
  return new CompetitionProblem('CONFLICT', `Round ${number} is not open.`);
}
