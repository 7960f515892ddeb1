import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type Compilable, type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DrawnAssignment } from '../../src-main/store/results/leases.ts';
import {
  chosenQuery,
  countQuery,
  endQuery,
  LOOKED_THROUGH,
  latelyQuery,
  MOST_LOOKS,
  othersQuery,
  type ResultChoice,
} from '../../src-main/store/results/result-list.ts';
import { rowOf, type StoredResult } from '../../src-main/store/results/result-rows.ts';
import {
  DELETED_TOGETHER,
  FETCHED_TOGETHER,
  MOST_RESULTS,
  PAGE_BYTES,
  ResultsDb,
  type ResultsDbOptions,
} from '../../src-main/store/results/results-db.ts';
import { type Cursor, deleteQuery, pageQuery, someQuery } from '../../src-main/store/results/results-queries.ts';
import type { ResultTables } from '../../src-main/store/results/results-tables.ts';
import { type Counted, SCORES_TOGETHER, SUMMED_TOGETHER } from '../../src-main/store/results/score-means.ts';
import { nextGroupQuery, scoresQuery, sumEndQuery, sumQuery } from '../../src-main/store/results/score-queries.ts';
import type { SignedResult } from '../../src-main/store/results/signed-result.ts';

/** Who has signed them. */
const SIGNER = 'f'.repeat(64);
/** A moment, in Unix milliseconds. */
export const MOMENT = Date.UTC(2026, 10, 20, 12);

export function signedResult(changes: Partial<SignedResult> = {}): SignedResult {
  const payload = '{"score":"0.75"}';
  return {
    environment: 'sat',
    environmentVersion: '1.0.0',
    challengeId: 'c'.repeat(64),
    miner: 'miner',
    model: 'someone/some-model',
    revision: 'a'.repeat(40),
    score: 0.75,
    success: true,
    latencyMs: 1_234,
    createdAt: MOMENT,
    level: 'usual',
    seed: 'd'.repeat(64),
    uid: 7,
    block: null,
    attempts: 1,
    error: null,
    signer: SIGNER,
    signature: 'e'.repeat(128),
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    payload,
    ...changes,
  };
}

/** An empty place for results. */
export interface ResultsPlace {
  options: ResultsDbOptions;
  /** A connection of the test's own. */
  connect(): Promise<Kysely<ResultTables>>;
  /** Says how a statement after it would be executed. */
  explain: string;
  /** What a plan must not say: that it goes through all rows. */
  wholeTable: RegExp;
  remove(): Promise<void>;
}

const numbered = (number: number, changes: Partial<SignedResult> = {}) =>
  signedResult({ challengeId: `challenge ${number}`, createdAt: MOMENT + number, ...changes });
const many = (count: number, changes: Partial<SignedResult> = {}) =>
  Array.from({ length: count }, (_, number) => numbered(number, changes));
const numbersOf = (results: StoredResult[]) => results.map(({ createdAt }) => createdAt - MOMENT);

/** A challenge that a validator drew; the database believes whatever it is told. */
const drawn = (changes: Partial<DrawnAssignment> = {}): DrawnAssignment => ({
  ...{ environment: 'sat', version: '1.0.0', level: 'usual', seed: 'a'.repeat(64), miner: 'miner' },
  ...{ drawnBy: 'own', signature: 'e'.repeat(128), ...changes },
});

/** Stored by the database itself: results number 1, 2, 3, …, each of a moment of its own unless all are of one. */
const stored = (count: number, { payload = '{}', moment = 'n' as 'n' | '0' } = {}) => sql`
  INSERT INTO results (environment, environment_version, challenge_id, miner, model, revision, score, success, latency_ms,
    created_at, signer, signature, payload_sha256, payload)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(count)})
  SELECT 'environment ' || (n % 5), '1', 'challenge ' || n, 'miner ' || (n % 256), 'model', 'revision', (n % 101) / 100.0,
    1, 10, ${sql.lit(MOMENT)} + ${sql.raw(moment)}, 'signer', 'signature', 'sha256', ${sql.lit(payload)} FROM numbers`;

/** Does something, and counts meanwhile how often everybody else got a turn. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let [turns, going] = [0, true];
  const take = () => {
    turns++;
    if (going) setImmediate(take);
  };
  setImmediate(take);
  const result = await work();
  going = false;
  return { turns, result };
}

/** What every place for results does, in the same way. */
export function resultsContract(make: () => Promise<ResultsPlace>): void {
  let place: ResultsPlace;
  let results: ResultsDb;
  beforeEach(async () => {
    place = await make();
    results = new ResultsDb(place.options);
    await results.open();
  });
  afterEach(async () => {
    await results.close();
    await place.remove();
  });

  const everything = async () => {
    const all: StoredResult[] = [];
    for await (const result of results.export()) all.push(result);
    return all;
  };

  const means = (since: number, counted: Partial<Counted> = {}) =>
    results.means(since, { signers: [SIGNER], ...counted });

  describe('a result', () => {
    it('comes back as it was stored', async () => {
      const odd = {
        miner: 'Grüße «🪨» \\ \' " %_',
        score: 0.1 + 0.2,
        success: false,
        createdAt: 8_640_000_000_000_000,
      };
      expect(await results.add(signedResult(odd))).toBe(true);
      const [stored] = await results.page();
      expect(stored).toEqual({ ...signedResult(odd), id: expect.any(Number) });
    });

    it('is kept once for each signer, miner and challenge, and the first one stays', async () => {
      expect(await results.add(signedResult({ score: 1 }))).toBe(true);
      expect(await results.add(signedResult({ score: 0 }))).toBe(false);
      const others = [{ signer: 'another' }, { miner: 'another' }, { challengeId: 'another' }, { miner: 'MINER' }];
      for (const other of others) expect(await results.add(signedResult(other))).toBe(true);
      const stored = (await everything()).filter((one) => one.challengeId === signedResult().challengeId);
      expect(stored.map(({ score }) => score)).not.toContain(0);
      expect(await everything()).toHaveLength(5);
    });

    it('is counted as new once among many', async () => {
      await results.add(numbered(3));
      expect(await results.addAll([...many(6), numbered(5)])).toBe(5);
      expect(await results.addAll([])).toBe(0);
    });

    it('is kept by one of two that store the same many at once', async () => {
      const all = many(200);
      const added = await Promise.all([results.addAll(all), results.addAll(all.toReversed())]);
      expect(added.toSorted()).toEqual([0, 200]);
    });

    it.each<[string, Partial<SignedResult>]>([
      ['environment', { environment: '' }],
      ['miner', { miner: 'm'.repeat(129) }],
      ['miner', { miner: 'a\0b' }],
      ['model', { model: '\ud800' }],
      ['score', { score: Number.NaN }],
      ['score', { score: Number.POSITIVE_INFINITY }],
      ['score', { score: 1.7e308 }],
      ['score', { score: -1_000_001 }],
      ['latencyMs', { latencyMs: -1 }],
      ['latencyMs', { latencyMs: 1.5 }],
      ['createdAt', { createdAt: 2 ** 60 }],
      ['signature', { signature: 'e'.repeat(257) }],
      ['payloadSha256', { payloadSha256: 'F'.repeat(64) }],
      ['payload', { payload: 'x'.repeat(2 ** 18 + 1) }],
      ['payload', { payload: '€'.repeat(100_000) }],
    ])('is refused, with all that came with it, for its %s', async (field, changes) => {
      const both = results.addAll([numbered(1), signedResult(changes)]);
      await expect(both).rejects.toMatchObject({ code: 'BAD_REQUEST', field });
      expect(await everything()).toEqual([]);
    });
  });

  describe('results', () => {
    it('are paged through, newest first, also where many are of one moment', async () => {
      await results.addAll(
        many(7).map((result) => ({ ...result, createdAt: MOMENT + (result.createdAt > MOMENT + 3 ? 1 : 0) })),
      );
      const seen: StoredResult[] = [];
      for (;;) {
        const page = await results.page({ before: seen.at(-1), limit: 2 });
        if (page.length === 0) break;
        seen.push(...page);
        await results.add(numbered(1_000 + seen.length)); // what comes in is not seen
      }
      expect(numbersOf(seen)).toEqual([1, 1, 1, 0, 0, 0, 0]);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
    });

    it('are exported newest first, more than one page of them', async () => {
      for (const start of [0, 400, 800]) {
        await results.addAll(Array.from({ length: 400 }, (_, number) => numbered(start + number)));
      }
      expect(numbersOf(await everything())).toEqual(Array.from({ length: 1_200 }, (_, index) => 1_199 - index));
    });

    it('are averaged for each miner and environment since a moment', async () => {
      await results.addAll([
        numbered(-1, { miner: 'a', score: 0 }),
        numbered(0, { miner: 'a', score: 1 }),
        numbered(1, { miner: 'a', score: 0.5 }),
        numbered(2, { miner: 'B', score: -2 }),
        numbered(3, { miner: 'a', environment: 'ded', score: 0.25 }),
        numbered(4, { miner: 'Ä', score: 0 }),
        numbered(3, { miner: 'a', score: 0, success: false, challengeId: 'unanswered' }),
      ]);
      expect(await means(MOMENT)).toEqual([
        {
          environment: 'ded',
          miner: 'a',
          version: '1.0.0',
          level: 'usual',
          count: 1,
          mean: 0.25,
          meanSquare: 0.0625,
          zeros: 0,
          negatives: 0,
          since: MOMENT - 1, // its first ever, in whatever environment
          block: null,
        },
        {
          environment: 'sat',
          miner: 'B',
          version: '1.0.0',
          level: 'usual',
          count: 1,
          mean: -2,
          meanSquare: 4,
          zeros: 0,
          negatives: 1,
          since: MOMENT + 2,
          block: null,
        },
        {
          environment: 'sat',
          miner: 'a',
          version: '1.0.0',
          level: 'usual',
          count: 3, // one of them without an answer
          mean: 0.5,
          meanSquare: 1.25 / 3,
          zeros: 1,
          negatives: 0,
          since: MOMENT - 1,
          block: null,
        },
        {
          environment: 'sat',
          miner: 'Ä',
          version: '1.0.0',
          level: 'usual',
          count: 1,
          mean: 0,
          meanSquare: 0,
          zeros: 1,
          negatives: 0,
          since: MOMENT + 4,
          block: null,
        },
      ]);
      expect(await means(MOMENT + 5)).toEqual([]);
    });

    it('of another version or level are averaged apart, or left out', async () => {
      const ways = [
        {},
        { environmentVersion: '2', score: 0 },
        { level: 'easy', score: 1 },
        { environment: 'ded', level: 'easy', score: 0.5 },
      ];
      await results.addAll(ways.map((way, at) => numbered(at, way)));
      const found = await means(MOMENT);
      expect(found.map(({ environment, version, level, mean }) => [environment, version, level, mean])).toEqual([
        ['ded', '1.0.0', 'easy', 0.5],
        ['sat', '1.0.0', 'easy', 1],
        ['sat', '1.0.0', 'usual', 0.75],
        ['sat', '2', 'usual', 0],
      ]);
      const easy = { environment: 'sat', version: '1.0.0', level: 'easy' };
      expect(await means(MOMENT, { asked: [easy, { ...easy, version: '3' }] })).toEqual([found[1]]);
      expect(await means(MOMENT, { asked: [] })).toEqual([]);
    });

    it('that others have signed do not count, and are told of', async () => {
      await results.addAll([
        ...[0, 1, 2].map((at) => numbered(at, { signer: 'own', score: 1 })),
        ...[3, 4].map((at) => numbered(at, { signer: 'friend', score: 0 })),
        ...[5, 6, 7].map((at) => numbered(at, { signer: 'stranger', score: 0.5 })),
        numbered(8, { signer: 'Own', score: 0.5 }),
      ]);
      const by = async (...signers: string[]) =>
        (await results.means(MOMENT, { signers })).map(({ count, mean }) => [count, mean]);
      expect(await by('own')).toEqual([[3, 1]]);
      expect(await by('own', 'friend')).toEqual([[5, 0.6]]);
      expect(await by('nobody')).toEqual([]);
      expect(await results.list.ofOthers(MOMENT, ['own', 'friend'])).toEqual({ results: 4, validators: 2 });
      expect(await results.list.ofOthers(MOMENT + 8, ['own'])).toEqual({ results: 1, validators: 1 });
      expect(await results.list.ofOthers(MOMENT + 9, ['own'])).toEqual({ results: 0, validators: 0 });
    });

    it('that somebody else wrote with numbers beyond all measure neither stop the counting nor count', async () => {
      await results.addAll([numbered(0, { score: 1 }), numbered(1, { score: 0 })]);
      const db = await place.connect();
      const beyond = '4611686018427388304'; // 2^62 + 400, which JavaScript rounds down
      const values = (count: number) =>
        Array.from({ length: count }, (_, at) => numbered(at + 10, { challengeId: `beyond ${at}` })).map(rowOf);
      for (const some of [
        values(500),
        values(500).map((row) => ({ ...row, challenge_id: `more ${row.challenge_id}` })),
      ])
        await db.insertInto('results').values(some).execute();
      await sql`UPDATE results SET created_at = ${sql.lit(beyond)} WHERE challenge_id LIKE '%beyond%'`.execute(db);
      await sql`UPDATE results SET score = 1e200 WHERE challenge_id = 'beyond 1'`.execute(db);
      await sql`UPDATE results SET created_at = ${MOMENT}, score = 1e200 WHERE challenge_id = 'beyond 2'`.execute(db);
      await sql`UPDATE results SET created_at = ${MOMENT}, id = 9223372036854775807 WHERE challenge_id = 'beyond 3'`.execute(
        db,
      );
      await db.destroy();
      expect(await means(MOMENT)).toMatchObject([{ count: 3, mean: 1 / 3 }]);
      const sifted: number[] = [];
      const sift = async (scores: readonly { id: number }[]) => {
        sifted.push(...scores.map(({ id }) => id));
        return [];
      };
      await means(MOMENT, { sift });
      expect(sifted).toHaveLength(3);
    });

    it('are not taken over where a lease has a number that cannot be named', async () => {
      const drawn = { drawnBy: 'd', signature: '', environment: 'sat', version: '1', level: 'usual', miner: 'miner' };
      for (const seed of ['a', 'b', 'c']) await results.leases.begin({ ...drawn, seed: seed.repeat(64) }, 'holder', 5);
      const db = await place.connect();
      await sql`UPDATE leases SET id = 9223372036854775807 WHERE seed LIKE 'a%'`.execute(db);
      await sql`UPDATE leases SET until = -4611686018427388304 WHERE seed LIKE 'b%'`.execute(db);
      await db.destroy();
      const at = { now: 10, until: 20, drawnBy: ['d'] };
      expect(await results.leases.takeOver('miner', 'other', at)).toMatchObject({ seed: 'c'.repeat(64) });
      expect(await results.leases.takeOver('miner', 'other', at)).toBeUndefined();
      expect(await results.leases.lapsed(10, ['d'])).toEqual([]);
    });

    it('are leased by the clock of the database, whatever that of a validator says', async () => {
      const ahead = Date.now() + 3_600_000;
      const clock = vi.spyOn(Date, 'now').mockReturnValue(ahead);
      const now = await results.leases.now();
      clock.mockRestore();
      expect(ahead - now).toBeGreaterThan(3_000_000);
      expect(ahead - now).toBeLessThan(4_200_000);
    });

    it('are leased to others only where one of these has drawn the challenge, and is late', async () => {
      const { leases } = results;
      const db = await place.connect();
      await sql`INSERT INTO leases (environment, environment_version, level, seed, miner, holder, until)
        VALUES ('sat', '1.0.0', 'usual', 'of before there were signatures', 'old', 'h', 1)`.execute(db);
      await db.destroy();
      await leases.begin(drawn({ seed: '1', miner: 'late' }), 'h', MOMENT);
      await leases.begin(drawn({ seed: '2', miner: 'late', drawnBy: 'stranger' }), 'h', MOMENT - 9);
      await leases.begin(drawn({ seed: '3', miner: 'planted', drawnBy: 'stranger' }), 'h', MOMENT);
      await leases.begin(drawn({ seed: '4', miner: 'asked' }), 'h', MOMENT + 9);
      const drawnBy = ['own', 'friend'];
      const now = MOMENT + 1;
      expect(await leases.lapsed(now, drawnBy)).toEqual(['late']);
      expect(await leases.lapsed(now, ['stranger'])).toEqual(expect.arrayContaining(['late', 'planted']));
      const taking = { now, until: MOMENT + 1_000, drawnBy };
      for (const miner of ['old', 'planted', 'asked'])
        expect(await leases.takeOver(miner, 'me', taking)).toBeUndefined();
      const both = await Promise.all([leases.takeOver('late', 'me', taking), leases.takeOver('late', 'you', taking)]);
      expect(both.filter((lease) => lease !== undefined)).toEqual([
        {
          ...drawn({ seed: '1', miner: 'late' }),
          id: expect.any(Number),
          holder: expect.any(String),
          until: taking.until,
        },
      ]);
      expect(await leases.lapsed(now, drawnBy)).toEqual([]);
      await leases.forgetBefore(MOMENT + 9); // what nobody takes over goes, too
      expect(await leases.count()).toBe(2);
    });

    it('of one challenge count once, whichever of those who count has ended it', async () => {
      const { leases } = results;
      const end = async (seed: string, signer: string, signers: string[]) =>
        leases.end(await leases.begin(drawn({ seed }), 'h', MOMENT), signedResult({ seed, signer }), signers);
      const { miner, challengeId } = signedResult();
      expect(await leases.hasResult({ miner, challengeId }, ['own', 'friend'])).toBe(false);
      expect(await end('1', 'own', ['own', 'friend'])).toBe(true);
      expect(await end('2', 'friend', ['friend', 'own'])).toBe(true);
      expect((await everything()).map(({ signer }) => signer)).toEqual(['own']);
      expect(await end('3', 'stranger', ['stranger'])).toBe(true); // who trusts nobody counts for himself
      expect(await everything()).toHaveLength(2);
      expect(await leases.count()).toBe(0);
      expect(await leases.hasResult({ miner, challengeId }, ['own', 'friend'])).toBe(true);
      expect(await leases.hasResult({ miner: 'another', challengeId }, ['own', 'friend'])).toBe(false);
    });

    it('of the last minutes are counted by miner, of one signer alone', async () => {
      await results.addAll([
        ...[0, 1, 2].map((at) => numbered(at, { miner: 'a' })),
        ...[3, 4].map((at) => numbered(at, { miner: 'b', success: false })),
        numbered(5, { miner: 'a', signer: 'another' }),
      ]);
      const lately = async (since: number) =>
        (await results.list.lately(since, signedResult().signer)).sort((a, b) => (a.miner < b.miner ? -1 : 1));
      expect(await lately(MOMENT + 1)).toEqual([
        { miner: 'a', count: 2 },
        { miner: 'b', count: 2 },
      ]);
      expect(await lately(MOMENT + 5)).toEqual([]);
      await expect(results.list.lately(-1, 'own')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });

    it('do not tell otherwise who was first when old ones are left out or forgotten', async () => {
      await results.addAll([numbered(5, { miner: 'a' }), numbered(9, { miner: 'b' }), numbered(7, { miner: 'b' })]);
      const lease = await results.leases.begin(drawn({ miner: 'c' }), 'holder', MOMENT);
      await results.leases.end(lease, numbered(6, { miner: 'c' }), ['holder']);
      await results.addAll(['c', 'b', 'a'].map((miner, at) => numbered(20 + at, { miner })));
      const firsts = async (since: number) =>
        (await means(since)).map(({ miner, count, since: first }) => [miner, count, first - MOMENT]);
      expect(await firsts(MOMENT + 20)).toEqual([
        ['a', 1, 5],
        ['b', 1, 7],
        ['c', 1, 6],
      ]);
      await results.deleteBefore(MOMENT + 20);
      expect(await firsts(0)).toEqual(await firsts(MOMENT + 20));
    });

    it('that are older than the list of miners tell of them, too', async () => {
      await results.addAll([numbered(5, { miner: 'a' }), numbered(3, { miner: 'a' })]);
      const db = await place.connect();
      await sql`DROP TABLE miners_seen`.execute(db);
      await sql`DROP INDEX results_in_groups`.execute(db);
      await sql`DROP INDEX results_by_moment`.execute(db);
      await sql`CREATE INDEX results_by_version ON results (created_at)`.execute(db);
      await sql`DROP INDEX leases_by_drawer`.execute(db);
      for (const column of ['drawn_by', 'signature']) {
        await sql`ALTER TABLE leases DROP COLUMN ${sql.raw(column)}`.execute(db);
      }
      const tables = ['rounds', 'submissions', 'verdicts', 'addresses', 'nonces', 'clocks', 'interventions'];
      for (const table of tables) await sql`DROP TABLE ${sql.raw(`competition_${table}`)}`.execute(db);
      await sql`DROP TABLE miner_hotkeys`.execute(db);
      await sql`DELETE FROM quarry_migrations WHERE name >= '0009-miners-seen'`.execute(db);
      await db.destroy();
      const again = new ResultsDb(place.options);
      await again.open();
      expect(await again.means(MOMENT + 4, { signers: [SIGNER] })).toMatchObject([
        { miner: 'a', count: 1, since: MOMENT + 3 },
      ]);
      await again.close();
    });

    it('are found by their number', async () => {
      await results.addAll(many(3));
      const [newest] = await results.page();
      expect(await results.get(newest?.id ?? 0)).toEqual(newest);
      expect(await results.get(9_999)).toBeUndefined();
      await expect(results.get(1.5)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });

    it('from before a moment are forgotten, and no others', async () => {
      await results.addAll(many(10));
      expect(await results.deleteBefore(MOMENT + 6)).toBe(6);
      expect(await results.deleteBefore(MOMENT + 6)).toBe(0);
      expect(numbersOf(await everything())).toEqual([9, 8, 7, 6]);
    });

    it('are taken and given in bounded numbers', async () => {
      await expect(results.addAll(many(MOST_RESULTS + 1))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      for (const limit of [0, MOST_RESULTS + 1, 1.5]) {
        await expect(results.page({ limit })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      }
      expect(await results.addAll(many(MOST_RESULTS))).toBe(MOST_RESULTS);
    });

    it('are taken up to a number of bytes, all or none', async () => {
      const payload = '€'.repeat(85_000); // 255,000 bytes
      expect(await results.addAll(many(32, { payload }))).toBe(32);
      const tooLarge = results.addAll(many(33, { payload, signer: 'another' }));
      await expect(tooLarge).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('8.4 MB'),
      });
      expect(await everything()).toHaveLength(32);
    });

    it('are averaged whatever scores were taken', async () => {
      await results.addAll([numbered(1, { score: 1_000_000 }), numbered(2, { score: 5e-324 })]);
      expect(await means(MOMENT)).toMatchObject([{ mean: 500_000 }]);
    });

    it.each([Number.NaN, 0.5, -1, 1e300, Number.POSITIVE_INFINITY, '1) OR 1=1--', '5'])(
      'are not asked for by the moment %s, which is none',
      async (value) => {
        await results.add(signedResult());
        const moment = value as number;
        const refused = { code: 'BAD_REQUEST' };
        await expect(means(moment)).rejects.toMatchObject({ ...refused, field: 'since' });
        await expect(results.deleteBefore(moment)).rejects.toMatchObject({ ...refused, field: 'moment' });
        const cursors: [string, Cursor][] = [
          ['before.createdAt', { createdAt: moment, id: 1 }],
          ['before.id', { createdAt: MOMENT, id: moment }],
        ];
        for (const [field, before] of cursors) {
          await expect(results.page({ before })).rejects.toMatchObject({ ...refused, field });
        }
        expect(await everything()).toHaveLength(1);
      },
    );

    it('are found by an index among 100,000, and deleted in pieces', async () => {
      const db = await place.connect();
      try {
        await stored(100_000).execute(db);
        await sql`ANALYZE`.execute(db);
        const plan = async (query: Compilable) => {
          const compiled = query.compile();
          const { rows } = await db.executeQuery({ ...compiled, sql: `${place.explain} ${compiled.sql}` });
          return rows.map((row) => Object.values(row as object).join(' ')).join('\n');
        };
        const middle = { createdAt: MOMENT + 50_000, id: 50_000 };
        const group = { miner: 'miner 7', signer: 'signer', environment: 'sat', version: '1.0.0', level: '' };
        const slice = { after: middle, rows: SCORES_TOGETHER };
        const fromGroups = [
          nextGroupQuery(db, group),
          nextGroupQuery(db, { miner: 'miner 7', signer: 'signer' }),
          scoresQuery(db, group, slice),
          sumQuery(db, group, slice),
          sumEndQuery(db, group, slice),
        ];
        for (const query of [
          pageQuery(db, undefined, { rows: 100, bytes: PAGE_BYTES }),
          pageQuery(db, middle, { rows: 100, bytes: PAGE_BYTES }),
          ...fromGroups,
          othersQuery(db, middle, { since: MOMENT, signers: ['signer'] }),
          deleteQuery(db, MOMENT + 100, DELETED_TOGETHER),
          chosenQuery(db, { miner: 'miner 7', outcome: 'right' }, middle, 50),
          endQuery(db, middle),
          countQuery(db, MOMENT + 100, MOMENT + 200),
          latelyQuery(db, MOMENT + 99_000, 'signer'),
        ]) {
          const found = await plan(query);
          expect(found).toMatch(/index/i);
          expect(found).not.toMatch(place.wholeTable);
        }
        expect(await plan(someQuery(db, [1, 5, 50_000], FETCHED_TOGETHER))).not.toMatch(
          /scan results\b(?! using)|seq scan/i,
        );
        for (const query of fromGroups) expect(await plan(query)).toMatch(/covering index|index only/i);
      } finally {
        await db.destroy();
      }
      expect(await results.page({ before: { createdAt: MOMENT + 2, id: 2 } })).toHaveLength(1);
      const deleting = await turnsDuring(() => results.deleteBefore(MOMENT + 12_000));
      expect(deleting.result).toBe(11_999);
      expect(deleting.turns).toBeGreaterThanOrEqual(11_999 / DELETED_TOGETHER.rows);
    });

    it('are exported a hundred at a time', async () => {
      const db = await place.connect();
      await stored(1_001).execute(db);
      await db.destroy();
      const exporting = await turnsDuring(() => Array.fromAsync(results.export()));
      expect(numbersOf(exporting.result)).toEqual(Array.from({ length: 1_001 }, (_, at) => 1_001 - at));
      expect(exporting.turns).toBeGreaterThanOrEqual(10);
    });

    it('are looked through by miner, environment and outcome, newest first, a page at a time', async () => {
      await results.addAll([
        numbered(1, { miner: 'a', score: 1 }),
        numbered(2, { miner: 'a', score: 0.5 }),
        numbered(3, { miner: 'a', score: 0, success: false }),
        numbered(4, { miner: 'a', environment: 'ded', score: 1 }),
        numbered(5, { miner: 'b', score: 1 }),
      ]);
      const found = async (choice: ResultChoice) =>
        (await results.list.page(choice, { limit: 50 })).results.map(({ createdAt }) => createdAt - MOMENT);
      expect(await found({})).toEqual([5, 4, 3, 2, 1]);
      expect(await found({ miner: 'a' })).toEqual([4, 3, 2, 1]);
      expect(await found({ miner: 'a', environment: 'sat' })).toEqual([3, 2, 1]);
      expect(await found({ outcome: 'right' })).toEqual([5, 4, 1]);
      expect(await found({ outcome: 'wrong' })).toEqual([2]);
      expect(await found({ outcome: 'silent' })).toEqual([3]);
      expect(await found({ miner: 'nobody' })).toEqual([]);
      const { results: first, next } = await results.list.page({ outcome: 'right' }, { limit: 2 });
      expect(first.map(({ createdAt }) => createdAt - MOMENT)).toEqual([5, 4]);
      const second = await results.list.page({ outcome: 'right' }, { before: next, limit: 2 });
      expect(second.results.map(({ createdAt }) => createdAt - MOMENT)).toEqual([1]);
      expect(second.next).toBeUndefined();
      expect(first[0]).toEqual({
        ...{ id: expect.any(Number), environment: 'sat', environmentVersion: '1.0.0', miner: 'b' },
        ...{ model: 'someone/some-model', score: 1, success: true, latencyMs: 1_234, createdAt: MOMENT + 5 },
      });
      const before = { createdAt: -1, id: 1 };
      await expect(results.list.page({}, { before, limit: 2 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });

    it('are looked through in bounded pieces where few are looked for, and none is missed', async () => {
      const db = await place.connect();
      await stored((MOST_LOOKS + 2) * LOOKED_THROUGH).execute(db);
      await sql`UPDATE results SET miner = 'rare' WHERE id IN (1, ${sql.lit(LOOKED_THROUGH)}, ${sql.lit((MOST_LOOKS + 1) * LOOKED_THROUGH)})`.execute(
        db,
      );
      await db.destroy();
      const looking = await turnsDuring(() => results.list.page({ miner: 'rare' }, { limit: 50 }));
      expect(looking.turns).toBeGreaterThanOrEqual(MOST_LOOKS - 1);
      const { results: found, next } = looking.result;
      expect(found.map(({ createdAt }) => createdAt - MOMENT)).toEqual([(MOST_LOOKS + 1) * LOOKED_THROUGH]);
      expect((next?.createdAt ?? 0) - MOMENT).toBe(2 * LOOKED_THROUGH + 1);
      const rest = await results.list.page({ miner: 'rare' }, { before: next, limit: 50 });
      expect(rest.results.map(({ createdAt }) => createdAt - MOMENT)).toEqual([LOOKED_THROUGH, 1]);
      expect(rest.next).toBeUndefined();
    });

    it('are counted since a moment, hour by hour, with those that no answer came to', async () => {
      const hour = 3_600_000;
      await results.addAll([
        numbered(-1),
        numbered(0),
        numbered(hour - 1, { success: false }),
        numbered(hour),
        numbered(5 * hour),
      ]);
      expect(await results.list.counts(MOMENT, MOMENT + 3 * hour)).toEqual({ asked: 4, answered: 3 });
      expect(await results.list.counts(MOMENT + 6 * hour, MOMENT)).toEqual({ asked: 0, answered: 0 });
    });

    it('are averaged in slices, with turns for others in between, also where all are of one moment', async () => {
      const count = 2 * SUMMED_TOGETHER + 1;
      const db = await place.connect();
      await stored(count, { moment: '0' }).execute(db);
      const own = sql<{
        count: number;
        mean: number;
        meanSquare: number;
        zeros: number | string;
        negatives: number | string;
      }>`
        SELECT environment, environment_version AS version, level, miner, count(*) AS count, avg(score) AS mean, avg(score * score) AS "meanSquare",
          sum(CASE WHEN score = 0 THEN 1 ELSE 0 END) AS zeros,
          sum(CASE WHEN score < 0 THEN 1 ELSE 0 END) AS negatives,
          min(created_at) AS since FROM results
        GROUP BY environment, environment_version, level, miner ORDER BY environment, miner`;
      const { rows } = await own.execute(db);
      await db.destroy();
      const averaging = await turnsDuring(() => results.means(MOMENT, { signers: ['signer'] }));
      expect(averaging.result).toEqual(
        rows.map((row) => ({
          ...row,
          zeros: Number(row.zeros),
          negatives: Number(row.negatives),
          block: null,
          mean: expect.closeTo(row.mean, 10),
          meanSquare: expect.closeTo(row.meanSquare, 10),
        })),
      );
      expect(averaging.turns).toBeGreaterThanOrEqual(2);
    });

    it('are given and forgotten in bounded numbers of bytes, of the largest too', async () => {
      const largest = 256 * 1024;
      const db = await place.connect();
      await stored(MOST_RESULTS, { payload: 'x'.repeat(largest) }).execute(db);
      const page = await results.page({ limit: MOST_RESULTS });
      expect(numbersOf(page)).toEqual([500, 499, 498, 497, 496, 495, 494, 493]);
      const some = await Array.fromAsync(results.some([9_999, 3, 7, 1, 5, 8, 2]));
      expect(numbersOf(some).sort()).toEqual([1, 2, 3, 5, 7, 8]);
      expect(page.length * largest).toBe(PAGE_BYTES);
      const one = pageQuery(db, undefined, { rows: MOST_RESULTS, bytes: 1 });
      expect(await one.execute()).toMatchObject([{ created_at: MOMENT + 500 }]);

      const exported: number[] = [];
      const exporting = await turnsDuring(async () => {
        for await (const { createdAt } of results.export()) exported.push(createdAt - MOMENT);
      });
      expect(exported).toEqual(Array.from({ length: MOST_RESULTS }, (_, index) => MOST_RESULTS - index));
      expect(exporting.turns).toBeGreaterThanOrEqual((MOST_RESULTS * largest) / PAGE_BYTES);

      const { numDeletedRows } = await deleteQuery(db, MOMENT + 400, DELETED_TOGETHER).executeTakeFirstOrThrow();
      expect(Number(numDeletedRows) * largest).toBe(DELETED_TOGETHER.bytes);
      await db.destroy();
      const deleting = await turnsDuring(() => results.deleteBefore(MOMENT + 500));
      expect(deleting.result).toBe(499 - Number(numDeletedRows));
      expect(deleting.turns).toBeGreaterThanOrEqual((deleting.result * largest) / DELETED_TOGETHER.bytes);
      expect(numbersOf(await everything())).toEqual([500]);
    });
  });

  describe('the database', () => {
    it('is opened and closed as often as one likes', async () => {
      await Promise.all([results.open(), results.open()]);
      await results.add(signedResult());
      await Promise.all([results.close(), results.close()]);
      await results.close();
      await expect(results.page()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
      await results.open();
      expect(await everything()).toHaveLength(1);
    });

    it('is opened for the first time by two of one process at once', async () => {
      const empty = await make();
      const both = [new ResultsDb(empty.options), new ResultsDb(empty.options)];
      await Promise.all(both.map((one) => one.open()));
      expect(await Promise.all(both.map((one) => one.add(signedResult())))).toHaveLength(2);
      await Promise.all(both.map((one) => one.close()));
      await empty.remove();
    });

    it('is opened for the first time by several processes at once', async () => {
      const empty = await make();
      const { dataDir, url = '' } = empty.options;
      const child = new URL('results-child.ts', import.meta.url).pathname;
      const runs = ['one', 'two', 'three'].map((name) => promisify(execFile)('node', [child, dataDir, url, name]));
      const said = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as boolean[]);
      expect(said.map(([own]) => own)).toEqual([true, true, true]);
      expect(said.filter(([, shared]) => shared)).toHaveLength(1);
      await empty.remove();
    });

    it('that a newer Quarry has used is refused, and not changed', async () => {
      const db = await place.connect();
      await sql`INSERT INTO quarry_migrations VALUES ('0999-wonders', '2030-01-01T00:00:00.000Z')`.execute(db);
      await db.destroy();
      await expect(new ResultsDb(place.options).open()).rejects.toMatchObject({
        code: 'DATABASE_NEWER',
        message: expect.stringContaining('0999-wonders'),
      });
    });
  });

  describe('a hotkey', () => {
    const taken = { code: 'BAD_REQUEST', field: 'hotkey', message: expect.stringContaining('«endpoint/b»') };

    it('stands for one miner, and a miner has one', async () => {
      const { hotkeys } = results;
      await hotkeys.put({ miner: 'endpoint/b', hotkey: '5B' });
      await hotkeys.put({ miner: 'endpoint/a', hotkey: '5A' });
      await hotkeys.put({ miner: 'endpoint/b', hotkey: '5B' });
      await expect(hotkeys.put({ miner: 'endpoint/a', hotkey: '5B' })).rejects.toMatchObject(taken);
      expect(await hotkeys.list()).toEqual([
        { miner: 'endpoint/a', hotkey: '5A' },
        { miner: 'endpoint/b', hotkey: '5B' },
      ]);
      await hotkeys.put({ miner: 'endpoint/b', hotkey: '5C' });
      await hotkeys.put({ miner: 'endpoint/a', hotkey: '5B' });
      await hotkeys.remove('endpoint/b');
      await hotkeys.remove('endpoint/b');
      expect(await hotkeys.list()).toEqual([{ miner: 'endpoint/a', hotkey: '5B' }]);
    });

    it('that two validators give to two miners at once stands for one of them, and the other is told', async () => {
      const other = new ResultsDb(place.options);
      await other.open();
      const both = [results, other].map(({ hotkeys }, at) => hotkeys.put({ miner: `endpoint/${at}`, hotkey: '5A' }));
      const done = await Promise.allSettled(both);
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(done.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { field: 'hotkey' } });
      expect(await results.hotkeys.list()).toHaveLength(1);
      await other.close();
    });
  });
}
