import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_SCORE } from '../../../../src-main/credits/score/score.ts';
import { type Followed, ScoreBoard } from '../../../../src-main/mesh/scores/score-board.ts';
import type { ScoreUpdate, ScoreVerify } from '../../../../src-main/mesh/scores/score-messages.ts';
import { type Db, openDatabase } from '../../../../src-main/store/database.ts';
import { ScoreStore } from '../../../../src-main/store/scores.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { testLog } from '../../../support/mesh-node.ts';

const id = (number: number) => number.toString(16).padStart(64, '0');
const SELF = id(0);
const WORKER = id(1);
const LOG = 'd'.repeat(64);
const DAY = 86_400_000;

let db: Db;
let store: ScoreStore;
let now: number;
beforeEach(async () => {
  db = await openDatabase(':memory:');
  store = new ScoreStore(db);
  now = Date.UTC(2026, 10, 20);
});
afterEach(() => db.destroy());

async function openBoard(): Promise<ScoreBoard> {
  const board = new ScoreBoard({ store, self: SELF, now: () => now, log: testLog });
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
  await board.confirm(followed);
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
    await board.condemn(id(4), 'forged', 'test', {});
    expect(await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9))).toBe(0);
  });

  it('is less when failures came after the claim', async () => {
    const board = await openBoard();
    const followed = await prove(board, 9, 88);
    for (const witness of [2, 3, 4]) await board.witness(followed, statement(witness, 9));
    await board.confirm(followed);
    expect(board.standing(WORKER)).toEqual({ points: 88, tier: 'bronze' });
  });

  it('keeps why a worker was found out so that screens can word it in their language, a restart or not', async () => {
    const detail = say('score.inflated', { claimed: 1_000, proven: 90 });
    const mark = { detail: 'it claims 1000 points; its log proves 90', said: { detail } };
    const board = await openBoard();
    await board.condemn(WORKER, 'inflated', detail, {});
    expect(board.marks()).toMatchObject([mark]);
    expect((await openBoard()).marks()).toMatchObject([mark]);
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

  it('is nothing for a worker that was found out, for thirty days, a restart or not', async () => {
    expect(await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9))).toBe(90);
    const board = await openBoard();
    await board.condemn(WORKER, 'inflated', 'it claims more', { claims: [claim(9, 1_000)] });
    expect(board.standing(WORKER).points).toBe(0);
    const again = await openBoard();
    expect(again.marks()).toMatchObject([{ worker: WORKER, reason: 'inflated', detail: 'it claims more' }]);
    expect(again.standing(WORKER).points).toBe(0);
    now += 30 * DAY;
    expect(again.standing(WORKER).points).toBe(90);
    expect(again.marks()).toEqual([]);
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
    expect(await store.witnesses()).toHaveLength(8);
  });

  it('lets a fit witness take the place of one that never dealt with anyone', async () => {
    for (const witness of [2, 3, 4]) await makeFit(witness);
    const board = await openBoard();
    const followed = await prove(board, 9);
    for (let witness = 20; witness < 28; witness++) await board.witness(followed, statement(witness, 9));
    for (const witness of [2, 3, 4]) expect(await board.witness(followed, statement(witness, 9))).toBe(true);
    expect(await board.witness(followed, statement(28, 9))).toBe(false);
    await board.confirm(followed);
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

  it('holds two thousand workers: one that counts for nothing makes room', async () => {
    for (const witness of [2, 3, 4]) await makeFit(witness);
    await confirmedBy(statement(2, 9), statement(3, 9), statement(4, 9));
    const board = await openBoard();
    for (let worker = 10; worker < 2_100; worker++) board.follow(id(worker), id(worker + 10_000));
    expect([...board.followed]).toHaveLength(2_000);
    expect(board.standing(WORKER).points).toBe(90);
  });

  it('forgets a log that has not moved for ninety days', async () => {
    await prove(await openBoard(), 3);
    now += 91 * DAY;
    expect([...(await openBoard()).followed]).toEqual([]);
  });
});
