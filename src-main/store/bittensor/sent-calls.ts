import { type Generated, type Selectable, type SqlBool, sql } from 'kysely';
import type { CALL_STATES, ChainActionName, ChainNetwork } from '../../../src-preload/contract/chain.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** A call that was signed here. Amounts are rao, as text: they are larger than the numbers of JavaScript. */
interface SentCallTable {
  id: Generated<number>;
  /** Unix milliseconds. */
  at: number;
  network: ChainNetwork;
  /** Hash of the chain's first block, `0x…`: a chain of one's own is made anew under the same name. */
  genesis: string;
  action: ChainActionName;
  state: (typeof CALL_STATES)[number];
  /** ss58 of who signed. */
  signer: string;
  /** Payee, or the hotkey that it is about. */
  target: string | null;
  netuid: number | null;
  moves: string;
  fee: string;
  hash: string;
  /** As it was handed in, `0x…`: by this it is found in a block. */
  extrinsic: string;
  /** Blocks that may have it in: those after the first, up to the last. */
  after_block: number;
  last_block: number;
  /** The one that has it in. */
  block: number | null;
  /** Why it failed in its block, or why nobody tells what it did there, as JSON of `QuarryErrorData`. */
  error: string | null;
  /** What the endpoint that was given it said against it, likewise. It may come into a block all the same. */
  refusal: string | null;
  /** What it is for, in the words of whoever had it drafted; null for what a person wanted on its own. */
  purpose: string | null;
}

/** Weights that were committed to: what has to be said again, word for word, to reveal them. */
interface WeightCommitTable {
  /** The call that commits to them. */
  call: number;
  hotkey: string;
  netuid: number;
  /** JSON: lists of numbers. */
  uids: string;
  weights: string;
  salt: string;
  version_key: string;
  /** The last call that was to reveal them. */
  revealed_by: number | null;
}

interface CallTables {
  sent_calls: SentCallTable;
  weight_commits: WeightCommitTable;
}

const SCHEMA = [
  `CREATE TABLE sent_calls (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    network TEXT NOT NULL,
    genesis TEXT NOT NULL,
    action TEXT NOT NULL,
    state TEXT NOT NULL,
    signer TEXT NOT NULL,
    target TEXT,
    netuid INTEGER,
    moves TEXT NOT NULL,
    fee TEXT NOT NULL,
    hash TEXT NOT NULL,
    extrinsic TEXT NOT NULL,
    after_block INTEGER NOT NULL,
    last_block INTEGER NOT NULL,
    block INTEGER,
    error TEXT
  ) STRICT`,
  "CREATE INDEX sent_calls_open ON sent_calls (id) WHERE state IN ('waiting', 'unknown')",
  'CREATE INDEX sent_calls_by_target ON sent_calls (target, action)',
  `CREATE TABLE weight_commits (
    call INTEGER PRIMARY KEY,
    hotkey TEXT NOT NULL,
    netuid INTEGER NOT NULL,
    uids TEXT NOT NULL,
    weights TEXT NOT NULL,
    salt TEXT NOT NULL,
    version_key TEXT NOT NULL,
    revealed_by INTEGER
  ) STRICT`,
  'CREATE INDEX weight_commits_by_hotkey ON weight_commits (hotkey, netuid)',
];

/** A call that an endpoint refused counted as failed before; no block has told of it. */
const REFUSALS = [
  'ALTER TABLE sent_calls ADD COLUMN refusal TEXT',
  "UPDATE sent_calls SET refusal = error, error = NULL, state = 'unknown' WHERE state = 'failed' AND block IS NULL",
];

/** Whoever stakes with one validator a thousand times has a thousand calls about it: of these only the newest are asked for. */
const BY_TIME = [
  'DROP INDEX sent_calls_by_target',
  'CREATE INDEX sent_calls_by_target ON sent_calls (target, action, at)',
];

const PURPOSE = ['ALTER TABLE sent_calls ADD COLUMN purpose TEXT'];

export const sentCalls: TableGroup<CallTables> = {
  migrations: {
    '0524-sent-calls': SCHEMA,
    '0526-call-refusals': REFUSALS,
    '0527-calls-by-time': BY_TIME,
    '0538-call-purpose': PURPOSE,
  },
};

export type SentCallRow = Selectable<SentCallTable>;

/** What a validator hides until it is revealed. */
export interface HiddenWeights {
  hotkey: string;
  netuid: number;
  uids: readonly number[];
  values: readonly number[];
  salt: readonly number[];
  versionKey: bigint;
}

/** A {@link HiddenWeights} that was committed to. */
export interface WeightCommit extends HiddenWeights {
  /** Id of the call that committed to them. */
  call: number;
  /** The block that has it in; where that is not known, the first that may. */
  block: number;
}

/** What makes a call the same as another. Without `moves`, also one of another amount: what alpha brings is known afterwards only. */
export type SameCall = Pick<SentCallRow, 'network' | 'action' | 'target' | 'netuid'> &
  Partial<Pick<SentCallRow, 'moves'>>;

type NewCall = Omit<SentCallRow, 'id' | 'state' | 'block' | 'error' | 'refusal' | 'purpose'> & {
  purpose?: string | null;
};

/** What the blocks tell of a call. */
export type CallFate = Pick<SentCallRow, 'state'> & Partial<Pick<SentCallRow, 'block' | 'error' | 'moves' | 'fee'>>;

/** Waiting longer than this, no block that an endpoint still knows will tell. Milliseconds. */
const ASKED_FOR_MS = 30 * 86_400_000;
const MOST_OPEN = 256;
/** In the words of the index that has only these: values that are bound to a statement do not find it. */
const IS_OPEN = sql<SqlBool>`state IN ('waiting', 'unknown')`;
/** Commits of a hotkey that are looked through: months of them, and the chain takes no reveal after some epochs. */
const MOST_COMMITS = 2_048;

/** Calls that were sent from here, and weights that wait to be revealed. */
export class SentCallStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Keeps a call, with the weights that it commits to, or that of the commit that it reveals. On the disk when this resolves.
   * @returns its id
   */
  add(call: NewCall, { hides, reveals }: { hides?: HiddenWeights; reveals?: number } = {}): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const unknown = { state: 'waiting', block: null, error: null, refusal: null } as const;
      const added = trx.insertInto('sent_calls').values({ ...call, ...unknown });
      const { id } = await added.returning('id').executeTakeFirstOrThrow();
      if (hides) {
        await trx
          .insertInto('weight_commits')
          .values({ call: id, revealed_by: null, ...asRow(hides) })
          .execute();
      }
      if (reveals !== undefined) {
        await trx.updateTable('weight_commits').set({ revealed_by: id }).where('call', '=', reveals).execute();
      }
      return id;
    });
  }

  async settle(id: number, fate: CallFate): Promise<void> {
    await this.#db.updateTable('sent_calls').set(fate).where('id', '=', id).execute();
  }

  /** Keeps what an endpoint said against a call. @param refusal JSON of `QuarryErrorData` */
  async refuse(id: number, refusal: string): Promise<void> {
    await this.#db.updateTable('sent_calls').set({ refusal }).where('id', '=', id).execute();
  }

  async get(id: number): Promise<SentCallRow | undefined> {
    return this.#db.selectFrom('sent_calls').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The newest first. @param before id of the last one that is known */
  async page({ before, limit }: { before?: number | undefined; limit: number }): Promise<SentCallRow[]> {
    const newest = this.#db.selectFrom('sent_calls').selectAll().orderBy('id', 'desc').limit(limit);
    return (before === undefined ? newest : newest.where('id', '<', before)).execute();
  }

  /** Calls of which it is not known what came of them, the newest first: of these somebody is most likely to tell. @param now Unix milliseconds */
  async open(now: number): Promise<SentCallRow[]> {
    const open = this.#db.selectFrom('sent_calls').selectAll().where(IS_OPEN);
    return open
      .where('at', '>', now - ASKED_FOR_MS)
      .orderBy('id', 'desc')
      .limit(MOST_OPEN)
      .execute();
  }

  /** Whether money was sent to an address before, and has arrived. */
  async hasPaid(network: ChainNetwork, target: string): Promise<boolean> {
    const sent = this.#db.selectFrom('sent_calls').select('id').where('target', '=', target);
    const paid = sent.where('action', '=', 'transfer').where('state', '=', 'done').where('network', '=', network);
    return (await paid.limit(1).executeTakeFirst()) !== undefined;
  }

  /** Whether the same was signed before, and may still come about: it is under way, or was not found in the blocks since a moment. */
  async mayCome({ network, action, target, netuid, moves }: SameCall, since: number): Promise<boolean> {
    const recent = this.#db.selectFrom('sent_calls').select('id').where('target', '=', target).where('at', '>', since);
    const same = recent
      .where('action', '=', action)
      .where('network', '=', network)
      .where('netuid', 'is not distinct from', netuid);
    const asMuch = moves === undefined ? same : same.where('moves', '=', moves);
    const open = asMuch.where('state', 'in', ['waiting', 'unknown', 'expired']);
    return (await open.limit(1).executeTakeFirst()) !== undefined;
  }

  /** Transfers like this one, for the same purpose or none, that have come about, or may yet; those for it first, the oldest first. @param like.at when it was signed at the earliest, Unix milliseconds */
  async transfers({
    genesis,
    signer,
    target,
    moves,
    at,
    purpose,
  }: Pick<SentCallRow, 'genesis' | 'signer' | 'moves' | 'at'> & { target: string; purpose: string }): Promise<
    SentCallRow[]
  > {
    const sent = this.#db.selectFrom('sent_calls').selectAll().where('target', '=', target);
    const same = sent.where('action', '=', 'transfer').where('at', '>=', at).where('genesis', '=', genesis);
    const open = same.where('state', 'in', ['waiting', 'unknown', 'done']).where('signer', '=', signer);
    const fitting = open
      .where('moves', '=', moves)
      .where(({ or, eb }) => or([eb('purpose', '=', purpose), eb('purpose', 'is', null)]));
    return fitting.orderBy('purpose', 'desc').orderBy('at').limit(MOST_OPEN).execute();
  }

  /** Weights of a hotkey that were committed to and, as far as it is known, not revealed; the newest first. */
  async hidden(genesis: string, hotkey: string, netuid: number): Promise<WeightCommit[]> {
    const newest = this.#db
      .selectFrom('weight_commits')
      .selectAll()
      .where('hotkey', '=', hotkey)
      .where('netuid', '=', netuid)
      .orderBy('call', 'desc')
      .limit(MOST_COMMITS);
    const rows = await this.#db
      .selectFrom(newest.as('commits'))
      .innerJoin('sent_calls as commit', 'commit.id', 'commits.call')
      .leftJoin('sent_calls as reveal', 'reveal.id', 'commits.revealed_by')
      .selectAll('commits')
      .select(['commit.block', 'commit.after_block'])
      .where('commit.genesis', '=', genesis)
      .where('commit.state', 'in', ['done', 'waiting', 'unknown'])
      .where((reveal) =>
        reveal.or([
          reveal('reveal.id', 'is', null),
          reveal('reveal.state', 'in', ['failed', 'expired', 'unknown']),
          reveal.and([reveal('reveal.state', '=', 'waiting'), reveal('reveal.refusal', 'is not', null)]),
        ]),
      )
      .orderBy('call', 'desc')
      .limit(MOST_OPEN)
      .execute();
    return rows.map((row) => ({ ...fromRow(row), call: row.call, block: row.block ?? row.after_block + 1 }));
  }
}

function asRow({ hotkey, netuid, uids, values, salt, versionKey }: HiddenWeights) {
  const [kept, weights, salted] = [uids, values, salt].map((list) => JSON.stringify(list)) as [string, string, string];
  return { hotkey, netuid, uids: kept, weights, salt: salted, version_key: String(versionKey) };
}

function fromRow(row: Omit<Selectable<WeightCommitTable>, 'call'>): HiddenWeights {
  const { hotkey, netuid, version_key } = row;
  const [uids, values, salt] = [row.uids, row.weights, row.salt].map((list) => JSON.parse(list));
  return { hotkey, netuid, uids, values, salt, versionKey: BigInt(version_key) };
}
