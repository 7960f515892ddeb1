import { setImmediate } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import type { Ask } from './leases.ts';
import { firstSeen } from './miners-seen.ts';
import {
  type GroupPlace,
  nextGroupQuery,
  type ScoreGroup,
  scoresQuery,
  sumEndQuery,
  sumQuery,
} from './score-queries.ts';
import { type AskedIn, type CountedScore, type MinerMean, ScoreTally } from './score-tally.ts';
import { checkWhole } from './signed-result.ts';

/** Scores that are read in one go, for whoever looks which of them count. */
export const SCORES_TOGETHER = 4_000;
/** Scores that the database adds up in one go: some milliseconds. */
export const SUMMED_TOGETHER = 20_000;
/** Of miner, environment, version and level: some ten megabytes. */
const MOST_MEANS = 50_000;

/** Which results go into a mean. */
export interface Counted {
  /** Who has signed it. */
  signers: readonly string[];
  /** What was asked. Default: everything. */
  asked?: readonly AskedIn[] | undefined;
  /** Which of these do, told miner by miner, in the order of time, some thousand at a time. Default: all. */
  sift?: ((scores: readonly CountedScore[]) => Promise<readonly CountedScore[]>) | undefined;
}

/**
 * How each miner did in each environment, version and level, at most 50,000 of these: see {@link ScoreTally}. An index has the scores of each beside
 * each other, so that the database adds them up, group by group, with turns for others in between. What is added or forgotten meanwhile may or may
 * not count.
 *
 * @param since Unix milliseconds @throws BAD_REQUEST
 */
export async function meansOf(ask: Ask, since: number, { signers, asked, sift }: Counted): Promise<MinerMean[]> {
  checkWhole('since', since);
  const tally = new ScoreTally(MOST_MEANS);
  for await (const group of groupsOf(ask, new Set(signers))) {
    if (!isAsked(group, asked)) continue;
    const sums = sift ? sifted(ask, group, since, sift) : summed(ask, group, since);
    for await (const sum of sums) tally.add(group, sum);
  }
  return sinceEver(ask, tally.means());
}

/** Miner by miner. */
async function* groupsOf(ask: Ask, signers: ReadonlySet<string>): AsyncGenerator<ScoreGroup, void, undefined> {
  const next = (after: GroupPlace) => ask((db) => nextGroupQuery(db, after).executeTakeFirst());
  const slices = new Slices();
  let group = await next({ miner: '', signer: '' });
  while (group) {
    const { miner, signer }: ScoreGroup = group;
    const counts = signers.has(signer);
    if (counts) yield group;
    const last = group;
    group = await next(counts ? group : { miner, signer });
    if (group && Buffer.compare(bytesOf(group), bytesOf(last)) <= 0) throw noOrder(miner);
    if (slices.isOver) await slices.next(); // also where none of them counts
  }
}

const bytesOf = ({ miner, signer, environment, version, level }: ScoreGroup) =>
  Buffer.from([miner, signer, environment, version, level].join('\0'));

/** A name that is no text comes back as another one, and what is behind that is the same again. */
const noOrder = (miner: string) =>
  new QuarryError({ code: 'DATABASE_CORRUPT', message: say('results.noOrder', { miner: miner.slice(0, 64) }) });

const isAsked = ({ environment, version, level }: ScoreGroup, asked: readonly AskedIn[] | undefined) =>
  !asked || asked.some((way) => way.environment === environment && way.version === version && way.level === level);

async function* summed(ask: Ask, group: ScoreGroup, since: number) {
  let after = { createdAt: since, id: 0 };
  for (;;) {
    const slice = { after, rows: SUMMED_TOGETHER };
    const read = await ask((db) => sumQuery(db, group, slice).executeTakeFirstOrThrow());
    const { count, sum, squares, block, at } = read;
    const all = { count: Number(count), sum: sum ?? 0, squares: squares ?? 0, ...timesOf(read) };
    if (at !== null) yield { ...all, block, at };
    const end = await (Number(count) === SUMMED_TOGETHER
      ? ask((db) => sumEndQuery(db, group, slice).executeTakeFirst())
      : undefined);
    if (!end) return;
    after = { createdAt: end.created_at, id: end.id };
    await setImmediate();
  }
}

/** PostgreSQL tells sums as texts. */
const timesOf = ({ zeros, negatives }: Record<'zeros' | 'negatives', number | string | null>) => ({
  ...{ zeros: Number(zeros ?? 0), negatives: Number(negatives ?? 0) },
});

async function* sifted(ask: Ask, group: ScoreGroup, since: number, sift: NonNullable<Counted['sift']>) {
  const { environment, miner, version, level } = group;
  let after = { createdAt: since, id: 0 };
  for (;;) {
    const rows = await ask((db) => scoresQuery(db, group, { after, rows: SCORES_TOGETHER }).execute());
    const scores = rows.map(({ id, created_at: at, score, block }) => ({
      ...{ id, environment, miner, version, level, at, score, block },
    }));
    for (const { score, block, at } of await sift(scores))
      yield {
        count: 1,
        sum: score,
        squares: score ** 2,
        zeros: Number(score === 0),
        negatives: Number(score < 0),
        block,
        at,
      };
    const last = rows.at(-1);
    if (!last || rows.length < SCORES_TOGETHER) return;
    after = { createdAt: last.created_at, id: last.id };
    await setImmediate();
  }
}

/** Who was there first must not change with how far one looks back. */
async function sinceEver(ask: Ask, means: MinerMean[]): Promise<MinerMean[]> {
  const miners = [...new Set(means.map(({ miner }) => miner))];
  const firsts = await ask((db) => firstSeen(db, miners));
  return means.map((mean) => ({ ...mean, since: Math.min(mean.since, firsts.get(mean.miner) ?? mean.since) }));
}
