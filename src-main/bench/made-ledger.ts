import { createHash } from 'node:crypto';
import SQLite from 'better-sqlite3';
import { ACHIEVEMENTS } from '../credits/score/achievements.ts';
import type { ScoreState } from '../credits/score/score.ts';
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
 * Writes a ledger of so many entries straight into a database file, each a receipt that was paid for: all tables and lists as the books
 * would leave them, but signatures and the hash chain are only of the right length. It is for measuring what has not to be read again.
 *
 * @param worker the node's id, 64 hex
 */
export async function makeLedger(path: string, worker: string, entries: number): Promise<MadeLedger> {
  await (await openDatabase(path)).destroy();
  const sqlite = new SQLite(path);
  try {
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -500000'])
      sqlite.pragma(pragma);
    const schema = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as Made[];
    const aside = schema.filter(({ type, sql }) => type === 'trigger' || LATER.test(sql));
    for (const { type, name } of aside) sqlite.exec(`DROP ${type} ${name}`);
    const made = new Writing(sqlite, worker, entries);
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
  readonly #clients = Array.from({ length: CLIENTS }, (_, index) =>
    createHash('sha256').update(`bench client ${index}`).digest('hex'),
  );
  readonly #statements: Record<string, SQLite.Statement>;

  constructor(sqlite: SQLite.Database, worker: string, entries: number) {
    this.#sqlite = sqlite;
    this.#worker = worker;
    this.#entries = entries;
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
    const { receipt, posting, entry, own, event, counted } = this.#statements;
    this.#sqlite.transaction(() => {
      for (let seq = from; seq <= to; seq++) {
        const at = this.#at(seq);
        const client = this.#clients[seq % CLIENTS] ?? '';
        const [id, requestId] = [hex(seq, 64), hex(seq, 32)];
        const body = this.#body(requestId, client, at);
        const day = Math.floor(at / 86_400_000);
        const row = [id, 'worker', requestId, this.#worker, client, day, POINTS, null, COST, body];
        receipt?.run(...row, 'a'.repeat(128), 'b'.repeat(128));
        for (const [account, amount] of postingsOf(client)) posting?.run(seq, account, amount);
        const chain = [hex(seq - 1, 64), hex(seq, 64)];
        entry?.run(seq, at, 'earn', `earn:${id}`, requestId, id, null, '', ...chain);
        own?.run(seq, at, 'earn', POINTS, POINTS, 0);
        event?.run(seq, seq);
        counted?.run(seq, at, 400, MODEL);
      }
    })();
  }

  /** What follows from all of it. */
  end(): MadeLedger {
    const [seq, hash, at] = [this.#entries, hex(this.#entries, 64), this.#at(this.#entries)];
    const score: ScoreState = {
      total: seq * POINTS,
      served: seq,
      fast: seq,
      streak: seq,
      models: [MODEL],
      runStart: at,
      runLast: at,
      latest: at,
      achievements: ACHIEVEMENTS.map(({ id }) => id),
    };
    this.#sqlite.transaction(() => {
      this.#sqlite.exec('INSERT INTO balances SELECT account, SUM(amount) FROM postings GROUP BY account');
      this.#sqlite.prepare('UPDATE ledger_head SET seq = ?, hash = ?').run(seq, hash);
      this.#sqlite.prepare('INSERT INTO own_score VALUES (1, ?)').run(JSON.stringify(score));
      const achievement = this.#sqlite.prepare(`INSERT INTO achievements VALUES (?, ?, ?, ?, '[]')`);
      for (const [index, { id, bonus }] of ACHIEVEMENTS.entries()) achievement.run(id, at, bonus, index + 1);
    })();
    return { seq, hash, at, receipts: seq, score };
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

function postingsOf(client: string): [account: string, amount: number][] {
  return [
    [`client:${client}:spent`, COST],
    ['issue:allowance', -COST],
    ['issue:points', -POINTS],
    ['own:available', POINTS],
    ['score:earned', POINTS],
    ['score:issued', -POINTS],
  ];
}
