import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Corestore from 'corestore';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FalseLog, LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { ScoreAuditor } from '../../../../src-main/mesh/scores/score-auditor.ts';
import { ScoreBoard } from '../../../../src-main/mesh/scores/score-board.ts';
import { ScoreLog } from '../../../../src-main/mesh/scores/score-log.ts';
import {
  type ScoreUpdate,
  type ScoreVerify,
  scoreMessageSchema,
} from '../../../../src-main/mesh/scores/score-messages.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { ScoreStore } from '../../../../src-main/store/mesh/scores.ts';
import { NOON, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

const honest = testIdentity(1);
/** No test waits so long for a log that is nowhere. */
const NEVER_MS = 3_600_000;

let dir: string;
let db: Db;
let cores: Corestore;
let shelf: LogShelf;
let board: ScoreBoard;
let auditor: ScoreAuditor;
let proven: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-auditor-'));
  db = await memoryDatabase();
  cores = new Corestore(dir);
  await cores.ready();
  shelf = new LogShelf(cores);
  const store = new ScoreStore(db);
  board = new ScoreBoard({ store, self: testIdentity(9).id, now: () => NOON, log: testLog });
  proven = [];
  auditor = new ScoreAuditor({
    board,
    store,
    shelf,
    now: () => NOON,
    blockTimeoutMs: NEVER_MS,
    onProven: ({ worker }) => proven.push(worker),
    onWitnessed: () => {},
    log: testLog,
  });
});
afterEach(async () => {
  await Promise.all([auditor.close(), shelf.close()]);
  await cores.close();
  await db.destroy();
  await rm(dir, { recursive: true, force: true });
});

/** A claim of a worker that has no log, or of none that anyone could read. */
function fakeClaim(number: number): ScoreUpdate {
  const identity = testIdentity(1_000 + number);
  const hex = number.toString(16).padStart(64, '0');
  const body = { type: 'score-update' as const, workerId: identity.id, total: 5_000, seq: 500 };
  return signEvidence<ScoreUpdate>({ ...body, receiptsRoot: hex, logKey: hex }, identity, NOON);
}

/** The honest worker's claim; its log is here to be read. */
async function honestClaim(entries = 1): Promise<ScoreUpdate> {
  const receipts = Array.from({ length: entries }, () => signedReceipt(honest, testIdentity(2)));
  const events = {
    scored: async (after: number) =>
      receipts.map((receipt, at) => ({ seq: at + 1, type: 'receipt' as const, receipt })).slice(after),
    scoredAt: async () => 0,
  };
  const log = await ScoreLog.open({ store: cores, identity: honest, events });
  const seq = await log.publish();
  const receiptsRoot = (await (await shelf.take(log.key)).root(seq)) ?? '';
  const body = { type: 'score-update' as const, workerId: honest.id, total: 15, seq };
  const claim = signEvidence<ScoreUpdate>({ ...body, receiptsRoot, logKey: log.key }, honest, NOON);
  await log.close();
  return claim;
}

describe('400 claims of a liar whose logs are nowhere', () => {
  it('do not keep an honest worker’s log from being read', async () => {
    const claim = await honestClaim();
    for (let number = 0; number < 400; number++) auditor.claim(fakeClaim(number), 'liar');
    auditor.claim(claim, honest.id);
    await until(() => expect(proven).toEqual([honest.id]));
    expect(board.find(honest.id)?.proven.state.total).toBe(15);
  });

  it('nor when the liar was the first to speak of that worker', async () => {
    const claim = await honestClaim();
    for (let number = 0; number < 400; number++) auditor.claim(fakeClaim(number), 'liar');
    auditor.claim(claim, 'liar'); // over what the liar may have waiting
    expect(auditor.isNews(claim, honest.id)).toBe(true);
    auditor.claim(claim, honest.id);
    await until(() => expect(proven).toEqual([honest.id]));
  });

  it('take so much room and no more, leave nothing in the database, and are forgotten when the liar is gone', async () => {
    for (let number = 0; number < 400; number++) auditor.claim(fakeClaim(number), 'liar');
    expect(auditor.waiting).toBe(256);
    expect([...board.followed]).toHaveLength(256);
    auditor.left('liar');
    await until(() => expect(auditor.waiting).toBeLessThanOrEqual(4)); // those whose turn it is
    await shelf.close(); // ends their waits
    await until(() => expect([auditor.waiting, [...board.followed].length]).toEqual([0, 0]));
    expect(await new ScoreStore(db).logs()).toEqual([]);
  });
});

describe('a liar', () => {
  /** Claims of one worker about two logs, both nowhere: whoever wants to say it needs no log to be found out. */
  function twoLogs(number: number): ScoreUpdate[] {
    const { sig: _, id: __, v: ___, ts: ____, from: _____, ...body } = fakeClaim(number);
    const other = { ...body, logKey: testIdentity(number).id };
    return [fakeClaim(number), signEvidence<ScoreUpdate>(other, testIdentity(1_000 + number), NOON)];
  }

  it('cannot claim anything for no entries: that is no message', () => {
    expect(scoreMessageSchema.safeParse({ ...fakeClaim(1), seq: 0 }).success).toBe(false);
    expect(scoreMessageSchema.safeParse({ ...fakeClaim(1), seq: 1 }).success).toBe(true);
  });

  it('that contradicts itself under hundreds of keys leaves nothing, and is soon not heard any more', async () => {
    for (let round = 0; round < 40; round++) {
      for (let number = 10 * round; number < 10 * round + 10; number++) {
        for (const claim of twoLogs(number)) auditor.claim(claim, 'liar');
      }
      await until(() => expect(auditor.waiting).toBe(0));
    }
    expect([board.marks(), [...board.followed]]).toEqual([[], []]);
    expect(await new ScoreStore(db).marks()).toEqual([]);
    auditor.claim(fakeClaim(500), 'liar');
    expect(auditor.waiting).toBe(0);
    auditor.claim(await honestClaim(), honest.id);
    await until(() => expect(proven).toEqual([honest.id]));
  });

  it('that names another’s log as its own and leaves does not close it for those who read it', async () => {
    const claim = await honestClaim();
    const log = await shelf.take(claim.logKey);
    const { sig: _, id: __, v: ___, ts: ____, from: _____, ...body } = fakeClaim(1);
    for (let number = 2; number < 6; number++) auditor.claim(fakeClaim(number), 'liar'); // its places: the next one waits
    auditor.claim(signEvidence<ScoreUpdate>({ ...body, logKey: claim.logKey }, testIdentity(1_001), NOON), 'liar');
    board.follow(honest.id, claim.logKey);
    auditor.left('liar');
    expect(await shelf.take(claim.logKey)).toBe(log);
    auditor.claim(claim, honest.id);
    await until(() => expect(proven).toEqual([honest.id]));
  });
});

it('a log that its own node proves while others speak of it is read once', async () => {
  const claim = await honestClaim(3);
  const followed = board.follow(honest.id, claim.logKey);
  auditor.claim(claim, 'peer');
  await new Promise(setImmediate); // its turn has begun
  expect(await auditor.prove(followed, claim.seq)).toBeUndefined();
  await until(() => expect(auditor.waiting).toBe(0));
  expect(followed.proven.seq).toBe(claim.seq);
});

describe('a log that is closed while it is read', () => {
  it('is no false log: it is read again later', async () => {
    const { logKey } = await honestClaim(2);
    const log = await shelf.take(logKey);
    const entries = log.read(1, 2, NEVER_MS);
    expect((await entries.next()).done).toBe(false);
    await log.close();
    const failure = await entries.next().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(FalseLog);
  });
});

describe('what is known already', () => {
  it('is no news, and need not be verified', async () => {
    const claim = await honestClaim();
    const statement = signEvidence<ScoreVerify>({ type: 'score-verify', claim }, testIdentity(3), NOON);
    expect(auditor.isNews(claim, 'a')).toBe(true);
    auditor.claim(claim, 'a');
    expect(auditor.isNews({ ...claim, id: '0'.repeat(32) }, 'b')).toBe(false);
    expect(auditor.isNews(statement, 'b')).toBe(true);
    await until(() => expect(proven).toEqual([honest.id]));
    expect(auditor.isNews(claim, 'a')).toBe(false);
    expect(auditor.isNews(statement, 'a')).toBe(true);
    auditor.statement(statement, 'a');
    await until(() => expect(board.find(honest.id)?.witnesses.size).toBe(1));
    expect(auditor.isNews(statement, 'b')).toBe(false);
    expect(auditor.isNews({ ...claim, total: 99 }, 'b')).toBe(true); // a contradiction is
  });
});
