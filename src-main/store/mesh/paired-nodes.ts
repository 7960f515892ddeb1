import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** A node of the same owner. */
export interface PairedNode {
  nodeId: string;
  /** What it called itself last. */
  name: string;
  /** Unix milliseconds: when they were paired. */
  since: number;
  /** Whether it may start and stop mining here. */
  mayControl: boolean;
  /** What it said of itself last, as JSON, and when it was heard last (Unix milliseconds). */
  summary: string | undefined;
  seenAt: number | undefined;
}

/** A {@link PairedNode}, as it is kept. */
interface PairedNodeRow {
  node_id: string;
  name: string;
  since: number;
  may_control: number;
  summary: string | null;
  seen_at: number | null;
}

interface PairedNodeTables {
  paired_nodes: PairedNodeRow;
}

const SCHEMA = [
  'CREATE TABLE paired_nodes (node_id TEXT PRIMARY KEY, name TEXT NOT NULL, since INTEGER NOT NULL, may_control INTEGER NOT NULL, summary TEXT, seen_at INTEGER) STRICT, WITHOUT ROWID',
];

export const pairedNodes: TableGroup<PairedNodeTables> = { migrations: { '0518-paired-nodes': SCHEMA } };

/** The nodes that this one is paired with. */
export class PairedNodeStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async list(): Promise<PairedNode[]> {
    const rows = await this.#db.selectFrom('paired_nodes').selectAll().execute();
    return rows.map((row) => ({
      nodeId: row.node_id,
      name: row.name,
      since: row.since,
      mayControl: row.may_control !== 0,
      summary: row.summary ?? undefined,
      seenAt: row.seen_at ?? undefined,
    }));
  }

  /** Takes the place of what was kept of the same node. On the disk when this resolves. */
  async put({ nodeId, name, since, mayControl, summary, seenAt }: PairedNode): Promise<void> {
    const kept = { name, since, may_control: mayControl ? 1 : 0, summary: summary ?? null, seen_at: seenAt ?? null };
    const put = this.#db.insertInto('paired_nodes').values({ node_id: nodeId, ...kept });
    await put.onConflict((conflict) => conflict.column('node_id').doUpdateSet(kept)).execute();
  }

  /** Idempotent. */
  async remove(nodeId: string): Promise<void> {
    await this.#db.deleteFrom('paired_nodes').where('node_id', '=', nodeId).execute();
  }
}
