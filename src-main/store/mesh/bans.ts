import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** A node that this one does not talk to until `expiresAt` (Unix milliseconds). */
export interface Ban {
  nodeId: string;
  reason: string;
  bannedAt: number;
  expiresAt: number;
  /** How often the node was banned so far, this time included. */
  times: number;
}

/** A {@link Ban}, as it is kept. */
interface BanRow {
  node_id: string;
  reason: string;
  banned_at: number;
  expires_at: number;
  /** How often the node was banned: each time lasts longer. */
  times: number;
}

interface BanTables {
  bans: BanRow;
}

const SCHEMA = [
  `create table "bans" ("node_id" text primary key, "reason" text not null, "banned_at" integer not null, "expires_at" integer not null, "times" integer not null)`,
  'create index "bans_by_expiry" on "bans" ("expires_at")',
];

export const bans: TableGroup<BanTables> = { migrations: { '0100-bans': SCHEMA } };

/** The bans that outlive a restart. */
export class BanStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Every ban on record, those that ran out after `since` included: they make the next one longer. */
  async load(since: number): Promise<Ban[]> {
    const rows = await this.#db.selectFrom('bans').selectAll().where('expires_at', '>', since).execute();
    return rows.map(banOf);
  }

  /** Writes bans by node, and takes back those of nodes without one: all of them or none. */
  async write(changes: ReadonlyMap<string, Ban | undefined>): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const [nodeId, ban] of changes) {
        if (ban) await put(trx, ban);
        else await trx.deleteFrom('bans').where('node_id', '=', nodeId).execute();
      }
    });
  }

  /** Forgets what ran out before `before`. */
  async prune(before: number): Promise<void> {
    await this.#db.deleteFrom('bans').where('expires_at', '<=', before).execute();
  }
}

async function put(db: Db, ban: Ban): Promise<void> {
  const row = rowOf(ban);
  const insert = db.insertInto('bans').values(row);
  await insert.onConflict((conflict) => conflict.column('node_id').doUpdateSet(row)).execute();
}

function banOf(row: BanRow): Ban {
  return {
    nodeId: row.node_id,
    reason: row.reason,
    bannedAt: row.banned_at,
    expiresAt: row.expires_at,
    times: row.times,
  };
}

function rowOf(ban: Ban): BanRow {
  return {
    node_id: ban.nodeId,
    reason: ban.reason,
    banned_at: ban.bannedAt,
    expires_at: ban.expiresAt,
    times: ban.times,
  };
}
