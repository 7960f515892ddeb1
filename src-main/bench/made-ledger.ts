import { createHash } from 'node:crypto';
import SQLite from 'better-sqlite3';
import { owes } from '../credits/books/accounts.ts';
import { earnKey } from '../credits/books/entry-keys.ts';
import { ACHIEVEMENTS } from '../credits/score/achievements.ts';
import type { ScoreState } from '../credits/score/score.ts';
import { SUM_UP } from '../store/credits/own-entries.ts';
import { openDatabase } from '../store/database.ts';

const CLIENTS = 5_000;
/** Entries written between two turns of the event loop. */
const BATCH = 50_000;
const POINTS = 10;
const COST = 2;
const MODEL = 'bench';

/** Indexes that are quicker made at the end. */
const LATER = /CREATE INDEX/;

/** What a made ledger ends with. */
export interface MadeLedger {
  seq: number;
  hash: string;
  receipts: number;
  score: ScoreState;
  /** Unix milliseconds of the last receipt. */
  at: number;
}

/**
 * Writes a ledger of so many entries straight into a database file: all tables and lists as the books would leave them, but signatures and
 * the hash chain are only of the right length. It is for measuring what has not to be read again.
 *
 * @param worker the node's id, 64 hex
 * @param every one entry in so many is a receipt that was paid for, the others are daily refills of clients
 */
export async function makeLedger(path: string, worker: string, entries: number, every: number): Promise<MadeLedger> {
  await (await openDatabase(path)).destroy();
  const sqlite = new SQLite(path);
  try {
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -500000'])
      sqlite.pragma(pragma);
    const schema = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as Made[];
    const aside = schema.filter(({ type, sql }) => type === 'trigger' || LATER.test(sql));
    for (const { type, name } of aside) sqlite.exec(`DROP ${type} ${name}`);
    const made = new Writing(sqlite, { worker, entries, every });
    for (let from = 1; from <= entries; from += BATCH) {
      made.write(from, Math.min(from + BATCH - 1, entries));
      await new Promise(setImmediate);
    }
    const end = made.end();
    for (const { sql } of aside) sqlite.exec(sql);
    return end;
  } finally {
    sqlite.pragma('journal_mode = WAL');
    sqlite.close();
  }
}

type Postings = [account: string, amount: number][];

interface Made {
  type: string;
  name: string;
  sql: string;
}

/** Names in rising order, as a clock would give them: random ones would cost the making a day. */
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

class Writing {
  readonly #sqlite: SQLite.Database;
  readonly #worker: string;
  readonly #start: number;
  readonly #entries: number;
  readonly #every: number;
  readonly #clients = Array.from({ length: CLIENTS }, (_, index) =>
    createHash('sha256').update(`bench client ${index}`).digest('hex'),
  );
  readonly #statements: Record<string, SQLite.Statement>;

  constructor(sqlite: SQLite.Database, { worker, entries, every }: { worker: string; entries: number; every: number }) {
    this.#sqlite = sqlite;
    this.#worker = worker;
    this.#entries = entries;
    this.#every = every;
    this.#start = Date.now() - entries * 1_000 - 86_400_000;
    const into = (table: string, columns: string) =>
      sqlite.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, '?')})`);
    this.#statements = {
      receipt: into(
        'receipts',
        'id, role, request_id, worker, client, day, counted, reason, charged, body, worker_sig, client_sig',
      ),
      posting: into('postings', 'entry, account, amount'),
      entry: into('ledger_entries', 'seq, at, kind, key, request_id, receipt_id, closes, memo, prev, hash'),
      own: into('own_entries', 'seq, at, kind, amount, points, spent'),
      event: into('scored_events', 'place, seq'),
      counted: into('counted_receipts', 'seq, served_at, processing_ms, model'),
    };
  }

  write(from: number, to: number): void {
    this.#sqlite.transaction(() => {
      for (let seq = from; seq <= to; seq++) {
        if (seq % this.#every === 0) this.#receipt(seq);
        else this.#refill(seq);
      }
    })();
  }

  #receipt(seq: number): void {
    const { receipt, own, event, counted } = this.#statements;
    const [at, client, id, requestId] = [this.#at(seq), this.#client(seq), hex(seq, 64), hex(seq, 32)];
    const day = Math.floor(at / 86_400_000);
    const row = [id, 'worker', requestId, this.#worker, client, day, POINTS, null, COST];
    receipt?.run(...row, this.#body(requestId, client, at), 'a'.repeat(128), 'b'.repeat(128));
    this.#entry(seq, { kind: 'earn', key: earnKey(id), requestId, id }, earned(client));
    own?.run(seq, at, 'earn', POINTS, POINTS, 0);
    event?.run(seq / this.#every, seq);
    counted?.run(seq, at, 400, MODEL);
  }

  #refill(seq: number): void {
    const client = this.#client(seq);
    const key = `allowance:client:${client}:${String(Math.ceil(seq / CLIENTS)).padStart(9, '0')}`;
    this.#entry(seq, { kind: 'allowance', key }, [
      ['issue:allowance', -COST],
      [`client:${client}:available`, COST],
    ]);
  }

  #entry(
    seq: number,
    {
      kind,
      key,
      requestId = null,
      id = null,
    }: { kind: string; key: string; requestId?: string | null; id?: string | null },
    postings: Postings,
  ): void {
    const { posting, entry } = this.#statements;
    for (const [account, amount] of postings) posting?.run(seq, account, amount);
    entry?.run(seq, this.#at(seq), kind, key, requestId, id, null, '', hex(seq - 1, 64), hex(seq, 64));
  }

  /** What follows from all of it. */
  end(): MadeLedger {
    const [seq, hash, at] = [this.#entries, hex(this.#entries, 64), this.#at(this.#entries)];
    const receipts = Math.floor(seq / this.#every);
    const score: ScoreState = {
      total: receipts * POINTS,
      served: receipts,
      fast: receipts,
      streak: receipts,
      models: [MODEL],
      runStart: at,
      runLast: at,
      latest: at,
      achievements: ACHIEVEMENTS.map(({ id }) => id),
    };
    this.#sqlite.transaction(() => {
      this.#sqlite.exec('INSERT INTO balances SELECT account, SUM(amount) FROM postings GROUP BY account');
      this.#sqlite.exec(SUM_UP);
      this.#sqlite.prepare('UPDATE ledger_head SET seq = ?, hash = ?').run(seq, hash);
      this.#sqlite.prepare('INSERT INTO own_score VALUES (1, ?)').run(JSON.stringify(score));
      const achievement = this.#sqlite.prepare(`INSERT INTO achievements VALUES (?, ?, ?, ?, '[]')`);
      for (const [index, { id, bonus }] of ACHIEVEMENTS.entries()) achievement.run(id, at, bonus, index + 1);
    })();
    return { seq, hash, at, receipts, score };
  }

  #client(seq: number): string {
    return this.#clients[seq % CLIENTS] ?? '';
  }

  #at(seq: number): number {
    return this.#start + seq * 1_000;
  }

  #body(requestId: string, client: string, servedAt: number): string {
    const hash = 'c'.repeat(64);
    return JSON.stringify({
      v: 2,
      requestId,
      worker: this.#worker,
      client,
      model: MODEL,
      promptHash: hash,
      resultHash: hash,
      promptTokens: 40,
      completionTokens: 100,
      promptChars: 160,
      resultChars: 400,
      firstTokenMs: 50,
      processingMs: 400,
      servedAt,
      points: POINTS,
      cost: COST,
    });
  }
}

function earned(client: string): Postings {
  return [
    [owes(client), COST],
    ['issue:allowance', -COST],
    ['issue:points', -POINTS],
    ['own:available', POINTS],
    ['score:earned', POINTS],
    ['score:issued', -POINTS],
  ];
}
