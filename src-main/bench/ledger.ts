import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Pace } from '../base/pace.ts';
import { signCheckpoint } from '../credits/audit/checkpoint.ts';
import { BalanceDigest, keptBalances } from '../credits/audit/kept-balances.ts';
import { collectEvidence } from '../credits/books/evidence.ts';
import { type CreditBook, openCreditBook } from '../credits/ledger/credit-book.ts';
import { costOf } from '../credits/price.ts';
import { type ReceiptBody, receiptBytes } from '../credits/receipt.ts';
import { ACHIEVEMENTS } from '../credits/score/achievements.ts';
import { pointsFor } from '../credits/score/points.ts';
import { type Identity, identityFromSeed, verify } from '../mesh/transport/identity.ts';
import { putCheckpoint } from '../store/credits/proofs.ts';
import { type Db, openDatabase } from '../store/database.ts';
import { type MadeLedger, makeLedger } from './made-ledger.ts';
import { type BenchEvent, benchRow, note } from './row.ts';

export interface BenchLedgerOptions {
  /** Entries that were proven before. */
  entries: number;
  /** One of them in so many is a receipt, the others are daily refills. Default 1. */
  every?: number;
  /** Receipts that came since: a day's growth. */
  day: number;
  /** Runs of what is quick. Default 5. */
  runs?: number;
}

const MIB = 1024 * 1024;
/** Clients of the day: no two nodes have more receipts a day that count than the rules allow. */
const CLIENTS = 2_000;

/**
 * A long ledger: the start, the proof from a checkpoint after a day's growth, and what achievements are shown by. It has no peer: the
 * goals are absolute. The ledger lies in a temporary folder, some 3 kB a receipt.
 */
export async function* benchLedger({
  entries,
  every = 1,
  day,
  runs = 5,
}: BenchLedgerOptions): AsyncGenerator<BenchEvent> {
  const dir = await mkdtemp(join(tmpdir(), 'quarry-bench-ledger-'));
  const path = join(dir, 'quarry.db');
  const identity = identityFromSeed(Buffer.alloc(32, 7));
  try {
    const made = await makeLedger(path, identity.id, entries, every);
    const { size } = await stat(path);
    yield note(`A ledger of ${entries.toLocaleString('en')} entries has ${Math.round(size / MIB)} MiB.`);
    yield await startRow(path, identity, made, runs);
    const { db, book } = await open(path, identity);
    try {
      yield await evidenceRow(db, made, runs);
      await believe(db, identity, made);
      await liveADay(db, book, identity, made, day);
      yield* proofRows(book, entries, day);
    } finally {
      await book.close();
      await db.destroy();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function open(path: string, identity: Identity): Promise<{ db: Db; book: CreditBook }> {
  const db = await openDatabase(path);
  return { db, book: await openCreditBook({ db, identity, verify, log: pino({ level: 'silent' }) }) };
}

async function startRow(path: string, identity: Identity, made: MadeLedger, runs: number): Promise<BenchEvent> {
  const ours: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const { db, book } = await open(path, identity);
    const published = await book.scoredAt(made.receipts); // as the score log does
    ours.push((performance.now() - start) / 1_000);
    if (published === undefined) throw new Error('The ledger is shorter than it was made.');
    await book.close();
    await db.destroy();
  }
  const what = `start with ${made.seq.toLocaleString('en')} entries`;
  return { type: 'row', row: benchRow({ bench: 'ledger', case: what, unit: 's', goal: '≤ 2', ours }) };
}

/** The slowest of all achievements. */
async function evidenceRow(db: Db, { score, receipts }: MadeLedger, runs: number): Promise<BenchEvent> {
  const ours: number[] = [];
  for (let run = 0; run < runs; run++) {
    const times: number[] = [];
    for (const achievement of ACHIEVEMENTS) {
      const start = performance.now();
      await collectEvidence(db, achievement, score);
      times.push(performance.now() - start);
    }
    ours.push(Math.max(...times));
  }
  const what = `evidence of an achievement, ${receipts.toLocaleString('en')} receipts`;
  return { type: 'row', row: benchRow({ bench: 'ledger', case: what, unit: 'ms', goal: '≤ 20', ours }) };
}

/** The made ledger counts as proven: it would not stand a proof. */
async function believe(db: Db, identity: Identity, { seq, hash, receipts, score }: MadeLedger): Promise<void> {
  const digest = new BalanceDigest();
  for await (const { account, balance } of keptBalances(db, seq, new Pace())) digest.add(account, balance);
  const body = {
    v: 1 as const,
    node: identity.id,
    fullAt: Date.now(),
    seq,
    hash,
    balances: digest.hex(),
    receipts,
    open: [],
    score,
  };
  const row = signCheckpoint(body, (bytes) => identity.sign(bytes));
  await db.transaction().execute((trx) => putCheckpoint(trx, row));
}

/** Receipts that are really signed, booked by the books themselves. */
async function liveADay(db: Db, book: CreditBook, identity: Identity, made: MadeLedger, day: number): Promise<void> {
  await sql`PRAGMA synchronous = OFF`.execute(db);
  const clients = Array.from({ length: CLIENTS }, (_, index) => identityFromSeed(Buffer.alloc(32, `client ${index} `)));
  const AT_ONCE = 64;
  for (let from = 0; from < day; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, day - from) }, (_, index) => from + index);
    await Promise.all(
      numbers.map((number) => {
        const client = clients[number % CLIENTS] ?? identity;
        const body = receiptBody(identity.id, client.id, made, number);
        const bytes = receiptBytes(body);
        return book.worker.settle({ body, workerSig: identity.sign(bytes), clientSig: client.sign(bytes) });
      }),
    );
  }
}

function receiptBody(worker: string, client: string, { at }: MadeLedger, number: number): ReceiptBody {
  const work = { promptChars: 160, resultChars: 400, processingMs: 400 };
  return {
    v: 2,
    requestId: (2 ** 52 + number).toString(16).padStart(32, 'f'),
    worker,
    client,
    model: 'bench',
    promptHash: 'a'.repeat(64),
    resultHash: 'b'.repeat(64),
    promptTokens: 40,
    completionTokens: 100,
    firstTokenMs: 50,
    servedAt: at + number,
    ...work,
    points: pointsFor(work),
    cost: costOf({ completionTokens: 100 }),
  };
}

async function* proofRows(book: CreditBook, entries: number, day: number): AsyncGenerator<BenchEvent> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  delays.enable();
  const [start, busy] = [performance.now(), process.cpuUsage()];
  const report = await book.verify();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(busy);
  delays.disable();
  clearInterval(timer);
  if (!report.ok || report.provenBefore !== entries) throw new Error(`The proof failed: ${report.problems.join('; ')}`);
  const what = `proof of ${day.toLocaleString('en')} receipts after ${entries.toLocaleString('en')} entries`;
  const rows = [
    { case: what, unit: 's', goal: '≤ 10', ours: [seconds] },
    { case: `${what}: processor time`, unit: 's', goal: '≤ 10', ours: [(user + system) / 1e6] },
    { case: `${what}: more memory`, unit: 'MiB', goal: '≤ 200', ours: [(most - before) / MIB] },
    { case: `${what}: event loop p99`, unit: 'ms', goal: '≤ 20', ours: [delays.percentile(99) / 1e6] },
  ];
  for (const row of rows) yield { type: 'row', row: benchRow({ bench: 'ledger', ...row }) };
}
