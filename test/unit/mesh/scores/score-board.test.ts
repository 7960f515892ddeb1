import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_SCORE } from '../../../../src-main/credits/score/score.ts';
import { type Followed, ScoreBoard } from '../../../../src-main/mesh/scores/score-board.ts';
import type { ScoreUpdate, ScoreVerify } from '../../../../src-main/mesh/scores/score-messages.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { ScoreStore } from '../../../../src-main/store/mesh/scores.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

const id = (number: number) => number.toString(16).padStart(64, '0');
const SELF = id(0);
const WORKER = id(1);
const LOG = 'd'.repeat(64);
const DAY = 86_400_000;

let db: Db;
let store: ScoreStore;
let now: number;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ScoreStore(db);
  now = Date.UTC(2026, 10, 20);
});
afterEach(async () => {
  for (const board of boards.splice(0)) await board.close();
  await db.destroy();
});

const boards: ScoreBoard[] = [];
async function openBoard(lookEveryMs?: number): Promise<ScoreBoard> {
  const board = new ScoreBoard({ store, self: SELF, now: () => now, lookEveryMs, log: testLog });
  boards.push(board);
  await board.open();
  return board;
}

const claim = (seq: number, total = seq * 10): ScoreUpdate => ({
  v: 2,
  type: 'score-update',
  id: '0'.repeat(32),
  ts: 1,
  from: WORKER,
  sig: 'b'.repeat(128),
  workerId: WORKER,
  total,
  seq,
  receiptsRoot: 'c'.repeat(64),
  logKey: LOG,
});
const statement = (witness: number, seq: number): ScoreVerify => ({
  v: 2,
  type: 'score-verify',
  id: '0'.repeat(32),
  ts: 1,
  from: id(witness),
  sig: 'b'.repeat(128),
  claim: claim(seq),
});

/** The worker's log was checked up to an entry, with this total. */
async function prove(board: ScoreBoard, seq: number, total = seq * 10): Promise<Followed> {
  const followed = board.follow(WORKER, LOG);
  await board.advance(followed, { seq, state: { ...NO_SCORE, total } }, []);
  return followed;
}

/** A node has served a stranger, as this node has seen for itself. */
async function makeFit(witness: number): Promise<void> {
  const worker = id(witness);
  const row = {
    worker,
    log_key: id(witness + 5_000),
    seq: 1,
    state: JSON.stringify(NO_SCORE),
    claim: null,
    updated_at: now,
  };
  const entry = { worker, seq: 1, request_id: id(witness), client: id(9_999), day: 1, counted: 5, total: 5 };
  await store.advance([entry], row);
}

async function confirmedBy(...statements: ScoreVerify[]): Promise<number> {
  const board = await openBoard();
  const followed = await prove(board, 9);
  for (const one of statements) await board.witness(followed, one);
  await board.close();
  return board.standing(WORKER).points;
}

describe('what counts', () => {
  beforeEach(async () => {
    for (const witness of [2, 3, 4, 5]) await makeFit(witness);
  });

  it('is the third-newest claim that fit witnesses confirm', async () => {
    expect(await confirmedBy(statement(2, 9), statement(3, 7), statement(4, 5), statement(5, 3))).toBe(50);
  });

  it('is nothing with two witnesses', async () => {
    expect(await confirmedBy(statement(2, 9), statement(3, 9))).toBe(0);
  });

  it.each([
    ['this node itself', 0],
    ['the worker', 1],
    ['one who has dealt with nobody else', 6],
  ])('does not rest on %s', async (_, witness) => {
    if (witness < 2) await makeFit(witness);
    expect(await confirmedBy(statement(2, 9), statement(3, 9), statement(witness, 9))).toBe(0);
  });

  it('does not rest on one who was found out', async () => {
    const board = await openBoard();
    board.condemn(id(4), 'forged', 'test', {});
    await board.close();
    expect(await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9))).toBe(0);
  });

  it('is less when failures came after the claim', async () => {
    const board = await openBoard();
    const followed = await prove(board, 9, 88);
    for (const witness of [2, 3, 4]) await board.witness(followed, statement(witness, 9));
    expect(board.standing(WORKER)).toEqual({ points: 88, tier: 'bronze' });
  });

  it('keeps why a worker was found out so that screens can word it in their language, a restart or not', async () => {
    const detail = say('score.inflated', { claimed: 1_000, proven: 90 });
    const mark = { detail: 'it claims 1000 points; its log proves 90', said: { detail } };
    const board = await openBoard();
    board.condemn(WORKER, 'inflated', detail, {});
    expect(board.marks()).toMatchObject([mark]);
    await board.close();
    expect((await openBoard()).marks()).toMatchObject([mark]);
  });

  it('forgets marks that are over while it works', async () => {
    const board = await openBoard(1);
    board.condemn(WORKER, 'inflated', 'it claims more', {});
    await until(async () => expect(await store.marks()).toHaveLength(1));
    now += 31 * DAY;
    await until(async () => expect(await store.marks()).toHaveLength(0));
    await board.close();
  });

  it.each(['two entries with number 2', '{"key":', '5'])(
    'shows what an older version kept as it stands: %s',
    async (detail) => {
      const row = { worker: WORKER, reason: 'forged', detail, evidence: '{}', at: now, expires_at: now + DAY };
      await store.putMark(row);
      expect((await openBoard()).marks()).toEqual([
        { worker: WORKER, reason: 'forged', detail, at: now, expiresAt: now + DAY },
      ]);
    },
  );

  it('says that another model was used, whatever else is found of the worker meanwhile', async () => {
    const board = await openBoard();
    board.condemn(WORKER, 'inflated', 'it claims more', {});
    board.condemn(WORKER, 'model', 'another model', {});
    board.condemn(WORKER, 'rewritten', 'a second log', {});
    expect(board.mark(WORKER)?.reason).toBe('model');
    now += 31 * DAY;
    board.condemn(WORKER, 'rewritten', 'a second log', {});
    expect(board.mark(WORKER)?.reason).toBe('rewritten');
  });

  it('is nothing for a worker that was found out, for thirty days, a restart or not', async () => {
    expect(await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9))).toBe(90);
    const board = await openBoard();
    board.condemn(WORKER, 'inflated', 'it claims more', { claims: [claim(9, 1_000)] });
    expect(board.standing(WORKER).points).toBe(0);
    await board.close();
    const again = await openBoard();
    expect(again.marks()).toMatchObject([{ worker: WORKER, reason: 'inflated', detail: 'it claims more' }]);
    expect(again.standing(WORKER).points).toBe(0);
    now += 30 * DAY;
    expect(again.standing(WORKER).points).toBe(90);
    expect(again.marks()).toEqual([]);
  });
});

describe('the word of witnesses that nobody has dealt with counts', () => {
  /** What a witness serves or asks, as its log or the other's shows. */
  async function deal(board: ScoreBoard, worker: number, client: number): Promise<void> {
    const followed = board.follow(id(worker), id(worker + 5_000));
    const seq = followed.proven.seq + 1;
    const entry = { worker: id(worker), seq, request_id: id(seq), client: id(client), day: 1, counted: 5, total: 5 };
    await board.advance(followed, { seq, state: NO_SCORE }, [entry]);
  }

  async function heard(lookEveryMs?: number): Promise<ScoreBoard> {
    const board = await openBoard(lookEveryMs);
    const followed = await prove(board, 9);
    for (const witness of [2, 3, 4]) await board.witness(followed, statement(witness, 9));
    expect(board.standing(WORKER).points).toBe(0);
    return board;
  }

  it('as soon as a log shows that they have served or asked somebody else than the worker', async () => {
    const board = await heard();
    for (const witness of [2, 3, 4]) await deal(board, witness, 1);
    expect(board.standing(WORKER).points).toBe(0);
    await deal(board, 2, 9_999);
    await deal(board, 9_998, 3);
    expect(board.standing(WORKER).points).toBe(0);
    await deal(board, 4, 9_999);
    expect(board.standing(WORKER).points).toBe(90);
    await board.close();
    expect((await openBoard()).standing(WORKER).points).toBe(90);
  });

  it('soon after this node has served or asked them itself', async () => {
    const board = await heard(5);
    const receipt = { reason: null, charged: 1, body: '', worker_sig: '', client_sig: '', day: 1, counted: 1 };
    for (const [at, witness] of [2, 3, 4].entries()) {
      const [worker, client] = at === 0 ? [SELF, id(witness)] : [id(witness), SELF];
      const role = at === 0 ? ('worker' as const) : ('client' as const);
      const row = { ...receipt, id: id(at), role, request_id: id(at), worker, client };
      await db.insertInto('receipts').values(row).execute();
    }
    await until(() => expect(board.standing(WORKER).points).toBe(90));
    await board.close();
    expect((await openBoard()).standing(WORKER).points).toBe(90);
  });

  it('and until then one after the other is asked about that counts for nothing', async () => {
    const board = await heard();
    for (const worker of [2, 3, 4]) await deal(board, worker, 9_999); // they claim nothing
    const other = board.follow(id(5), id(5_005));
    await board.advance(other, { seq: 1, state: { ...NO_SCORE, total: 10 } }, []);
    board.accept(other, { ...claim(1), from: id(5), workerId: id(5) });
    const followed = board.find(WORKER);
    if (followed) board.accept(followed, claim(9));
    expect(Array.from({ length: 4 }, () => board.nextUnconfirmed())).toEqual([id(5), undefined, id(5), undefined]);
    board.condemn(id(3), 'forged', 'test', {});
    expect(Array.from({ length: 3 }, () => board.nextUnconfirmed())).toEqual([WORKER, id(5), undefined]);
  });

  it('again when the mark of one of them has ended', async () => {
    const board = await heard();
    for (const witness of [2, 3, 4]) await deal(board, witness, 9_999);
    board.condemn(id(3), 'forged', 'test', {});
    expect(board.standing(WORKER).points).toBe(0);
    now += 30 * DAY;
    expect(board.standing(WORKER).points).toBe(90);
  });
});

describe('memory', () => {
  it('holds eight statements about a worker, the newest', async () => {
    const board = await openBoard();
    const followed = await prove(board, 100);
    for (let witness = 2; witness < 10; witness++) await board.witness(followed, statement(witness, witness));
    expect(await board.witness(followed, statement(10, 1))).toBe(false);
    expect(await board.witness(followed, statement(11, 50))).toBe(true);
    expect([...followed.witnesses.keys()].sort()).toEqual([3, 4, 5, 6, 7, 8, 9, 11].map(id));
    await board.close();
    expect(await store.witnesses([WORKER])).toHaveLength(8);
  });

  it('lets a fit witness take the place of one that never dealt with anyone', async () => {
    for (const witness of [2, 3, 4]) await makeFit(witness);
    const board = await openBoard();
    const followed = await prove(board, 9);
    for (let witness = 20; witness < 28; witness++) await board.witness(followed, statement(witness, 9));
    for (const witness of [2, 3, 4]) expect(await board.witness(followed, statement(witness, 9))).toBe(true);
    expect(await board.witness(followed, statement(28, 9))).toBe(false);
    expect(board.standing(WORKER).points).toBe(90);
  });

  it('forgets those first of whom nothing is proven', async () => {
    const board = await openBoard();
    await prove(board, 1);
    for (let worker = 10; worker < 2_100; worker++) board.follow(id(worker), id(worker + 10_000));
    expect(board.find(WORKER)).toBeDefined();
    expect(board.forget(WORKER)).toBeUndefined();
    expect(board.forget(id(2_099))).toBe(id(12_099));
    expect(board.find(id(2_099))).toBeUndefined();
  });

  it('holds a thousand of whom nothing is proven: they make room for each other, and for nobody else', async () => {
    for (const witness of [2, 3, 4]) await makeFit(witness);
    await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9));
    const board = await openBoard();
    for (let worker = 10; worker < 2_100; worker++) board.follow(id(worker), id(worker + 10_000));
    expect([...board.followed]).toHaveLength(4 + 1_024);
    expect(board.standing(WORKER).points).toBe(90);
    expect([board.follows(id(10_010)), board.follows(id(12_099))]).toEqual([false, true]);
  });

  it('holds two thousand workers whose logs were read: one that counts for nothing makes room', async () => {
    for (const witness of [2, 3, 4]) await makeFit(witness);
    await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9));
    const board = await openBoard();
    for (let worker = 10; worker < 2_100; worker++) {
      const followed = board.follow(id(worker), id(worker + 10_000));
      await board.advance(followed, { seq: 1, state: NO_SCORE }, []);
    }
    expect([...board.followed]).toHaveLength(2_000);
    expect(board.standing(WORKER).points).toBe(90);
    expect(board.find(id(2_099))).toBeDefined();
    await until(async () => expect(await store.logs()).toHaveLength(2_000));
  });

  it('keeps five thousand marks: those go first of whom nothing was ever proven', async () => {
    const board = await openBoard();
    await prove(board, 1);
    board.condemn(WORKER, 'forged', 'test', {});
    for (let liar = 10; liar < 5_200; liar++) board.condemn(id(liar), 'inflated', 'test', {});
    expect(board.marks()).toHaveLength(5_000);
    expect([board.mark(WORKER)?.reason, board.mark(id(10)), board.mark(id(5_199))?.reason]).toEqual([
      'forged',
      undefined,
      'inflated',
    ]);
    await board.close();
    expect(await store.marks()).toHaveLength(5_000);
  });

  it('forgets entries that nothing rests on, some each time that the log moves', async () => {
    const board = await openBoard();
    const followed = await prove(board, 1);
    const entries = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => ({
        ...{ worker: WORKER, seq: from + index, request_id: null, client: null, day: null, counted: 0, total: 0 },
      }));
    const move = async (from: number, to: number, latest: number) =>
      await board.advance(followed, { seq: to, state: { ...NO_SCORE, latest } }, entries(from, to));
    const kept = async () => (await db.selectFrom('score_entries').select('seq').execute()).length;
    for (let from = 2; from < 4_000; from += 1_000) await move(from, from + 999, 0);
    expect(await kept()).toBe(4_000);
    await move(4_002, 4_002, DAY); // from here on, up to 3,002
    expect(await kept()).toBe(4_001 - 1_024);
    for (const seq of [4_003, 4_004, 4_005]) await move(seq, seq, DAY);
    expect(await kept()).toBe(4_004 - 3_001);
  });

  it('forgets a log that has not moved for ninety days', async () => {
    await prove(await openBoard(), 3);
    now += 91 * DAY;
    expect([...(await openBoard()).followed]).toEqual([]);
  });
});
