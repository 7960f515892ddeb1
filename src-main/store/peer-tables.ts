import type { Migration } from 'kysely/migration';

/** A node that this one does not talk to for a while. Times are Unix milliseconds. */
export interface BanRow {
  node_id: string;
  reason: string;
  banned_at: number;
  expires_at: number;
  /** How often the node was banned: each time lasts longer. */
  times: number;
}

export interface PeerTables {
  bans: BanRow;
}

export const peerMigrations: Record<string, Migration> = {
  '0100-bans': {
    async up(db) {
      await db.schema
        .createTable('bans')
        .addColumn('node_id', 'text', (column) => column.primaryKey())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('banned_at', 'integer', (column) => column.notNull())
        .addColumn('expires_at', 'integer', (column) => column.notNull())
        .addColumn('times', 'integer', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('bans_by_expiry').on('bans').column('expires_at').execute();
    },
  },
};
