import { type CompiledQuery, Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { CompetitionStore } from '../../../../src-main/store/competition/competition-store.ts';
import {
  type CompetitionTables,
  competitionTables,
} from '../../../../src-main/store/competition/competition-tables.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';

/** A store that remembers what it asked, with the way that SQLite goes for it. */
function watchedStore() {
  const sqlite = openSqlite(':memory:');
  const { migrations } = competitionTables({ integer: 'INTEGER', text: 'TEXT', end: '' });
  for (const statement of Object.values(migrations).flat()) if (typeof statement === 'string') sqlite.exec(statement);
  const asked: CompiledQuery[] = [];
  const db = new Kysely<CompetitionTables>({
    dialect: new QuarryDialect(sqlite),
    log: ({ query }) => void asked.push(query),
  });
  const store = new CompetitionStore((query) => query(db), 'server');
  /** Of each query the first step of its plan that begins so. */
  const plans = (begins = '') =>
    asked.map(({ sql, parameters }) => {
      const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      return steps.map(({ detail }) => detail).find((detail) => detail.startsWith(begins));
    });
  return { store, asked, plans, [Symbol.asyncDispose]: () => db.destroy() };
}

it('what is asked of a round goes through its own submissions alone, however many rounds there were', async () => {
  await using watched = watchedStore();
  const { submissions } = watched.store;
  await submissions.inRound(3, ['wrong', 'right']);
  await submissions.nextToJudge(3, 5);
  await submissions.nextTry(3);
  await submissions.counts(3);
  await submissions.counts(3, 'ann');
  expect(watched.plans()).toEqual(
    Array(5).fill(expect.stringMatching(/ competition_submissions_by_round \(server=\? AND counts_in=\?/)),
  );
});

it('a list of rounds leaves their records where they are', async () => {
  await using watched = watchedStore();
  await watched.store.rounds.list(undefined, 20);
  await watched.store.rounds.hasBaseline('a'.repeat(64));
  for (const { sql } of watched.asked) expect(sql).not.toMatch(/record|\*/);
});

it('who committed first is found by the artefact, and looked for no further', async () => {
  await using watched = watchedStore();
  await watched.store.submissions.owners([{ track: 'kernel', sha256: 'a'.repeat(64) }], 3);
  expect(watched.plans('SEARCH one').at(0)).toMatch(/ competition_submissions_by_artefact \(server=\? AND sha256=\?/);
  expect(watched.plans('SEARCH own').at(0)).toMatch(/\(server=\? AND number=\?\)/);
  expect(watched.plans('USE TEMP B-TREE')).toEqual([undefined]);
});
