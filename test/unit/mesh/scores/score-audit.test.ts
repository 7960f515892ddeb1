import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Corestore from 'corestore';
import Hyperbee from 'hyperbee';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { NO_SCORE } from '../../../../src-main/credits/score/score.ts';
import { LogBudget } from '../../../../src-main/mesh/scores/log-budget.ts';
import { LogShelf, type OpenLog } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { LogStore } from '../../../../src-main/mesh/scores/log-store.ts';
import { type AuditStep, auditSlice, type Proven } from '../../../../src-main/mesh/scores/score-audit.ts';
import { encodeEntry } from '../../../../src-main/mesh/scores/score-entry.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { ScoreStore } from '../../../../src-main/store/mesh/scores.ts';
import { NOON, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';

const worker = testIdentity(1);
const ENTRIES = 300;
const receipts = Array.from({ length: ENTRIES }, () => signedReceipt(worker, testIdentity(2)));

let db: Db;
let store: ScoreStore;
beforeEach(async () => {
  breaths = 0;
  db = await memoryDatabase();
  store = new ScoreStore(db);
});
afterEach(() => db.destroy());

const keepLog = (seq: number) =>
  store.putLog({ worker: worker.id, log_key: 'a'.repeat(64), seq, state: '{}', claim: null, updated_at: 0 });

/** How often everything else could have had its turn. */
let breaths = 0;
const pace = {
  async breathe() {
    breaths++;
  },
};

/** Checks a whole log, slice by slice. */
async function audit(log: OpenLog, proven: Proven, upTo: number, random: () => number): Promise<AuditStep> {
  for (let from = proven; ; ) {
    const step = await auditSlice({ worker: worker.id, log, proven: from }, upTo, {
      store,
      now: NOON,
      timeoutMs: 10_000,
      random,
      pace,
    });
    if (step.outcome !== 'checked' || step.proven.seq === upTo) return step;
    from = step.proven;
  }
}

const BEGINNING = { seq: 0, state: NO_SCORE };
const NEVER = () => 0.999;
const ALWAYS = () => 0;

describe('signatures of a log', () => {
  /** A log with another receipt at a place. */
  function logWith(place: number, change: (receipt: Receipt) => Receipt): OpenLog {
    const changed = receipts.map((receipt, index) => (index + 1 === place ? change(receipt) : receipt));
    return {
      rewritten: false,
      async *read(from: number, to: number) {
        for (let seq = from; seq <= to; seq++) {
          const receipt = changed[seq - 1];
          if (receipt) yield encodeEntry({ type: 'receipt', receipt }, seq);
        }
      },
    } as unknown as OpenLog;
  }
  const forge = (receipt: Receipt): Receipt => ({ ...receipt, clientSig: receipt.workerSig });
  const inflate = ({ body, ...sigs }: Receipt): Receipt => ({ ...sigs, body: { ...body, points: body.points - 1 } });

  it.each<[string, number, (receipt: Receipt) => Receipt, () => number, string]>([
    ['a forged one among the first is found', 200, forge, NEVER, 'false'],
    ['a forged one that is drawn is found', 290, forge, ALWAYS, 'false'],
    ['a forged one that is not drawn is not', 290, forge, NEVER, 'checked'],
    ['points that the formula does not give are found, drawn or not', 290, inflate, NEVER, 'false'],
  ])('are checked by sample: %s', async (_, place, change, random, outcome) => {
    const step = await audit(logWith(place, change), BEGINNING, ENTRIES, random);
    // Between any two entries everything else may have its turn.
    expect(breaths).toBeGreaterThanOrEqual(outcome === 'false' ? place : ENTRIES);
    expect(step).toMatchObject(outcome === 'false' ? { outcome, reason: 'forged' } : { outcome });
  });
});

describe('a log', () => {
  let dir: string;
  let theirs: Corestore;
  let ours: LogStore;
  let shelf: LogShelf;
  /** Blocks that were fetched. */
  let came: number;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quarry-audit-'));
    theirs = new Corestore(join(dir, 'theirs'));
    ours = new LogStore(join(dir, 'ours'));
    await Promise.all([theirs.ready(), ours.ready()]);
    came = 0;
    shelf = new LogShelf(ours, { onBlock: () => void came++ });
  });
  afterEach(async () => {
    await shelf.close();
    await Promise.all([theirs.close(), ours.close()]);
    await rm(dir, { recursive: true, force: true });
  });

  function connect(): void {
    type Side = NodeJS.ReadWriteStream & { on(event: 'error', listener: () => void): unknown };
    const replicate = (cores: Corestore, initiator: boolean) =>
      (cores as unknown as { replicate(initiator: boolean): Side }).replicate(initiator);
    const [there, here] = [replicate(theirs, true), replicate(ours, false)];
    there.pipe(here).pipe(there);
  }

  it.each([
    ['whose blocks had to go', 100_000, 1],
    ['that had to go whole', 1, 0],
  ])('%s is proven further from where it was, and its root is the same', async (_what, maxBytes, left) => {
    const core = theirs.get({ name: 'log' });
    await core.ready();
    const bee = new Hyperbee(core, { keyEncoding: 'utf-8', valueEncoding: 'json' });
    await bee.ready();
    const write = async (from: number, to: number) => {
      for (let seq = from; seq <= to; seq++) {
        const receipt = receipts[seq - 1];
        const { key, value } = encodeEntry({ type: 'receipt', receipt: receipt as Receipt }, seq);
        await bee.put(key, value);
      }
    };
    await write(1, 200);
    connect();
    const key = core.key.toString('hex');
    const half = await audit(await shelf.take(key), BEGINNING, 200, NEVER);
    if (half.outcome !== 'checked') throw new Error(half.outcome);
    expect(came).toBe(200);
    await keepLog(200);
    const options = {
      store: ours,
      shelf,
      own: () => 'f'.repeat(64),
      followed: () => [{ logKey: key, proven: { seq: 200 } }],
    };
    await new LogBudget({ ...options, maxBytes, log: testLog }).look();
    expect((await Array.fromAsync(ours.list())).length).toBe(left);
    expect(await (await shelf.take(key)).root(200)).toBeUndefined(); // nobody is waited for
    await write(201, ENTRIES);
    const log = await shelf.take(key);
    const whole = await audit(log, half.proven, ENTRIES, NEVER);
    expect(whole).toMatchObject({ outcome: 'checked', proven: { seq: ENTRIES } });
    expect(came).toBe(ENTRIES);
    expect(await log.root(ENTRIES)).toBe((await core.treeHash(ENTRIES + 1)).toString('hex'));
  });
});
