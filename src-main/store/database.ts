import { Kysely } from 'kysely';
import { explainSqliteError } from '../base/sqlite-error.ts';
import { activity } from './activity.ts';
import { axonNonces } from './bittensor/axon-nonces.ts';
import { balanceSamples } from './bittensor/balance-samples.ts';
import { payments } from './bittensor/payments.ts';
import { sentCalls } from './bittensor/sent-calls.ts';
import { calibrations } from './calibrations.ts';
import { clipLooks } from './clips/clip-looks.ts';
import { clipShards } from './clips/clip-shards.ts';
import { clipSubmissions } from './clips/clip-submissions.ts';
import { clips } from './clips/clip-tables.ts';
import { competitionEntries } from './competition-entries.ts';
import { conversations } from './conversations/conversations.ts';
import { presets } from './conversations/presets.ts';
import { ledger } from './credits/ledger-tables.ts';
import { ownEntries } from './credits/own-entries.ts';
import { proofs } from './credits/proofs.ts';
import { draftPairs } from './draft-pairs.ts';
import { evaluations } from './evaluations.ts';
import { focusRecordings } from './focus/focus-recordings.ts';
import { focusScores } from './focus/focus-scores.ts';
import { focusTasks } from './focus/focus-tasks.ts';
import { learningAdapters } from './learning/learning-adapters.ts';
import { learningCompletions } from './learning/learning-completions.ts';
import { learningRuns } from './learning/learning-runs.ts';
import { marketExaminations } from './market/market-examinations.ts';
import { marketOrders } from './market/market-order-tables.ts';
import { focusMarket } from './market/market-tables.ts';
import { bans } from './mesh/bans.ts';
import { inferenceAudits } from './mesh/inference-audits.ts';
import { pairedNodes } from './mesh/paired-nodes.ts';
import { scores } from './mesh/scores.ts';
import { inOrder, migrate, type TableGroup, type TablesOf } from './migrate.ts';
import { modelLoads } from './model-loads.ts';
import { optimiser } from './optimiser.ts';
import { openSqlite, QuarryDialect } from './sqlite.ts';
import { webSessions } from './web-sessions.ts';

/** Every table of the embedded database, by the group that owns it. A new group of tables is a line here. */
const GROUPS = [
  ledger,
  bans,
  axonNonces,
  payments,
  sentCalls,
  balanceSamples,
  scores,
  calibrations,
  draftPairs,
  ownEntries,
  conversations,
  proofs,
  webSessions,
  activity,
  presets,
  pairedNodes,
  focusRecordings,
  focusTasks,
  focusMarket,
  focusScores,
  marketOrders,
  marketExaminations,
  learningCompletions,
  learningRuns,
  learningAdapters,
  evaluations,
  inferenceAudits,
  modelLoads,
  optimiser,
  competitionEntries,
  clips,
  clipShards,
  clipSubmissions,
  clipLooks,
] as const;

export type Tables = TablesOf<(typeof GROUPS)[number]>;
export type Db = Kysely<Tables>;

/** Number of the last migration that shipped before there was one counter: each group had a hundred to itself. */
const LAST_UNCOUNTED = 500;
export const migrations = inOrder(GROUPS, LAST_UNCOUNTED);
/** Tables that are emptied in the copy that goes into a backup. */
export const LEFT_OUT_OF_BACKUPS = GROUPS.flatMap((group: TableGroup<unknown>) => group.leftOutOfBackups ?? []);
/** Kysely's own names. */
const BOOK = { table: 'kysely_migration', lockTable: 'kysely_migration_lock' };

/**
 * Opens (and creates, and migrates) the database file.
 *
 * @param path file, or `:memory:` in tests
 * @throws DATABASE_CORRUPT when the file is not a sound SQLite database; DATABASE_NEWER; DISK_FULL when it cannot grow
 */
export async function openDatabase(path: string): Promise<Db> {
  const sqlite = openSqlite(path);
  const db = new Kysely<Tables>({ dialect: new QuarryDialect(sqlite) });
  try {
    await migrate(db, { migrations, book: BOOK, place: path });
    return db;
  } catch (error) {
    await db.destroy();
    throw explainSqliteError(error, path);
  }
}
