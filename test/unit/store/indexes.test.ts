import { readFileSync } from 'node:fs';
import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../src-main/activity/history.ts';
import { openEarning } from '../../../src-main/app/parts/node/earning.ts';
import { collectEvidence } from '../../../src-main/credits/books/evidence.ts';
import { type CreditBook, openCreditBook } from '../../../src-main/credits/ledger/credit-book.ts';
import { ACHIEVEMENTS } from '../../../src-main/credits/score/achievements.ts';
import { NO_SCORE } from '../../../src-main/credits/score/score.ts';
import { verify } from '../../../src-main/mesh/transport/identity.ts';
import { loadConfig } from '../../../src-main/settings/config.ts';
import { ActivityStore } from '../../../src-main/store/activity.ts';
import { BalanceSampleStore } from '../../../src-main/store/bittensor/balance-samples.ts';
import { SentCallStore } from '../../../src-main/store/bittensor/sent-calls.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import { type Db, migrations, type Tables } from '../../../src-main/store/database.ts';
import { ScoreStore } from '../../../src-main/store/mesh/scores.ts';
import { migrate } from '../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../src-main/store/sqlite.ts';
import { HISTORY_RANGES } from '../../../src-preload/contract/activity.ts';
import { type CreditNode, NOON, testIdentity } from '../../support/credit-nodes.ts';
import { liveOn } from '../../support/live-ledger.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

interface Index {
  table: string;
  name: string;
  /** `c` was made by name, `u` and `pk` by a rule of the table. */
  origin: 'c' | 'u' | 'pk';
  columns: string;
}

async function schema(): Promise<Index[]> {
  const db = await memoryDatabase();
  const { rows } = await sql<Index>`
    SELECT made.name AS "table", list.name, list.origin,
      (SELECT group_concat(name, ', ') FROM pragma_index_info(list.name)) AS columns
    FROM sqlite_schema AS made, pragma_index_list(made.name) AS list
    WHERE made.type = 'table' AND made.name NOT LIKE 'kysely%' ORDER BY 1, 2`.execute(db);
  await db.destroy();
  return rows;
}

describe('the indexes', () => {
  it('are those that docs/architecture.md names, each with the query that needs it', async () => {
    const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
    const section = /\n## Indexes\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
    const named = [...section.matchAll(/^\| `(\w+)` \((.+?)\) \| (?:`(\w+)`|(unique|key)) \| (.{10,}) \|$/gm)];
    const found = named.map(([, table, columns, name, rule]) => `${table} (${columns}): ${name ?? rule}`);
    const real = (await schema()).map(
      ({ table, name, origin, columns }) =>
        `${table} (${columns}): ${origin === 'c' ? name : origin === 'u' ? 'unique' : 'key'}`,
    );
    expect(found.sort()).toEqual(real.sort());
  });
});

/** Tables that grow for as long as a node lives. */
const LONG = [
  'ledger_entries',
  'postings',
  'balances',
  'receipts',
  'own_entries',
  'own_sums',
  'scored_events',
  'counted_receipts',
  'score_entries',
  'turns',
  'activity_minutes',
  'sent_calls',
  'weight_commits',
  'balance_samples',
];

/** A database that remembers what it was asked. */
async function watchedDatabase(): Promise<{ db: Db; asked: Map<string, CompiledQuery> }> {
  const asked = new Map<string, CompiledQuery>();
  const dialect = new QuarryDialect(openSqlite(':memory:'));
  const log = ({ query }: LogEvent) => void asked.set(query.sql, query);
  const db = new Kysely<Tables>({ dialect, log });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  asked.clear();
  return { db, asked };
}

/** Everything that a node asks of its database while it works, starts or is looked at; not what rebuilds it. */
async function work(db: Db): Promise<void> {
  const identity = testIdentity(1);
  const clock = { now: NOON };
  const open = () => openCreditBook({ db, identity, verify, now: () => clock.now, log: pino({ level: 'silent' }) });
  const book = await open();
  const node: CreditNode = { identity, db, book, clock, close: () => book.close(), die: () => book.close() };
  await liveOn(node, 3);
  await book.close();
  const again = await open();
  await again.verify();
  await liveOn({ ...node, book: again }, 2);
  await again.verify();
  await again.verify({ full: true });
  await again.scored(1, 10);
  await again.scoredAt(2);
  await again.holdings();
  await again.summary();
  await again.sources();
  await again.served(10);
  await again.days(7);
  await again.entries({ limit: 10 });
  await again.entries({ limit: 10, kinds: ['earn', 'pay'], before: 9 });
  await Array.fromAsync(again.csv({}));
  await lookAtEarning(db, again);
  await again.client.unacknowledged(testIdentity(7).id);
  const state = { ...NO_SCORE, models: ['tiny'], runStart: NOON };
  for (const achievement of ACHIEVEMENTS) await collectEvidence(db, achievement, state);
  await again.close();
  const scores = new ScoreStore(db);
  await scores.hasReceipt('a', 'b');
  await scores.countPair('a', 'b', 1);
  await scores.totalAt('a', 1);
  await scores.partners(['a', 'b']);
  await scores.ownReceipts(await scores.lastOwnReceipt(), 10);
  await scores.putClaim({ worker: 'a', claim: null, updated_at: 1 });
  await scores.witnesses(['a']);
  await scores.removeLog('a');
  const conversations = new ConversationStore(db);
  await conversations.list({ limit: 10 });
  await conversations.turns('a');
  await conversations.newestAnswers(10);
  await conversations.remove('a');
  await conversations.interruptAll();
  await lookAtChain(db);
}

async function lookAtChain(db: Db): Promise<void> {
  const calls = new SentCallStore(db);
  await calls.page({ limit: 10 });
  await calls.page({ before: 9, limit: 10 });
  await calls.open(NOON);
  await calls.hasPaid('finney', 'a');
  await calls.mayCome({ network: 'finney', action: 'stake', target: 'a', netuid: 1 }, NOON);
  await calls.hidden('0x00', 'a', 1);
  const samples = new BalanceSampleStore(db);
  await samples.keep('finney', new Map([['a', 1n]]), NOON);
  await samples.since('finney', 'a', NOON);
}

async function lookAtEarning(db: Db, credits: CreditBook): Promise<void> {
  const store = new ActivityStore(db);
  const hour = {
    seen: NOON,
    on_ms: 60_000,
    serving_ms: 3_600_000,
    tokens: 1,
    answers: 10,
    points: 50,
    busy: 0,
    joules: 0,
  };
  await store.add({ at: NOON - 60_000, model: 'tiny', ...hour });
  const models = { desk: { list: async () => [], catalogue: async () => [] } };
  const earning = openEarning({ db, config: loadConfig({ env: {} }) }, { credits, models, now: () => NOON });
  await earning.today();
  await earning.forecasts();
  for (const range of HISTORY_RANGES) await readHistory(range, NOON, { db, store });
}

/** Reads from an end until it has enough. */
const STOPS = /^(?!.* where ).* order by "(seq|id)" desc limit \?$/;
/** Holds the few that it is about. */
const PARTIAL = /INDEX (turns_answering|counted_receipts_fast|sent_calls_open)/;

it('nothing that a node asks of its database reads a long table from end to end', async () => {
  const { db, asked } = await watchedDatabase();
  await work(db);
  expect(asked.size).toBeGreaterThan(60);
  const scans: string[] = [];
  for (const { sql: text, parameters } of [...asked.values()]) {
    if (!/^\s*(select|with|insert|update|delete)/i.test(text) || STOPS.test(text)) continue;
    const { rows } = await db.executeQuery<{ detail: string }>({
      ...sql`SELECT 1`.compile(db),
      sql: `EXPLAIN QUERY PLAN ${text}`,
      parameters,
    });
    for (const { detail } of rows) {
      const [, name = ''] = /^SCAN (\w+)/.exec(detail) ?? [];
      const aliased = [...text.matchAll(/"?(\w+)"? as "?(\w+)"?/gi)].find(([, , alias]) => alias === name)?.[1];
      if (LONG.includes(aliased ?? name) && !PARTIAL.test(detail)) scans.push(`${detail}: ${text}`);
    }
  }
  expect(scans).toEqual([]);
  await db.destroy();
});
