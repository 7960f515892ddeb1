import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import Rache from 'rache';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScoredEvent } from '../../../../src-main/credits/books/scored-events.ts';
import { LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { LogStore } from '../../../../src-main/mesh/scores/log-store.ts';
import { decodeEntry, encodeEntry } from '../../../../src-main/mesh/scores/score-entry.ts';
import { ScoreLog } from '../../../../src-main/mesh/scores/score-log.ts';
import { nextRequestId, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';

const identity = testIdentity(1);
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-score-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Events as a ledger would give them: numbers with gaps. */
function eventSource(events: ScoredEvent[]) {
  return {
    scored: async (after: number, limit: number) => events.filter(({ seq }) => seq > after).slice(0, limit),
    scoredAt: async (count: number) => (count === 0 ? 0 : events[count - 1]?.seq),
  };
}

const receiptEvent = (seq: number): ScoredEvent => ({
  seq,
  type: 'receipt',
  receipt: signedReceipt(identity, testIdentity(2)),
});
const failureEvent = (seq: number): ScoredEvent => ({ seq, type: 'failure', requestId: nextRequestId(), at: seq });

/** Opens the log in a folder, uses it, and closes everything. */
async function withLog<T>(
  folder: string,
  events: ScoredEvent[],
  use: (log: ScoreLog, shelf: LogShelf) => Promise<T>,
  treeNodes?: Rache,
) {
  const store = new LogStore(join(dir, folder), treeNodes);
  const log = await ScoreLog.open({ store, identity, events: eventSource(events) });
  const shelf = new LogShelf(store);
  const result = await use(log, shelf);
  await log.close();
  await shelf.close();
  await store.close();
  return result;
}

describe('a log of another node', () => {
  it('grows here only as it is read', async () => {
    const [theirs, ours] = [new LogStore(join(dir, 'theirs')), new LogStore(join(dir, 'ours'))];
    const writer = theirs.get({ name: 'log' });
    await writer.append([Buffer.from('first'), Buffer.from('second')]);
    const [there, here] = [theirs.replicate(true), ours.replicate(false)] as Duplex[];
    there?.pipe(here as Duplex).pipe(there);
    const reader = ours.get({ key: writer.key });
    const get = (index: number) => reader.get(index, { valueEncoding: 'binary' });
    expect((await get(1)).toString()).toBe('second');

    for (let count = 0; count < 50; count++) await writer.append([Buffer.from('more')]);
    // What the replication does by itself it does before it answers this.
    expect((await get(0)).toString()).toBe('first');
    expect(reader.length).toBe(2);
    expect((await get(51)).toString()).toBe('more');
    expect(reader.length).toBe(52);
    for (const end of [there, here]) end?.destroy();
    await Promise.all([theirs.close(), ours.close()]);
  });
});

describe('the score log', () => {
  it('has every event, in order', async () => {
    const events = [receiptEvent(3), failureEvent(9), receiptEvent(12)];
    const entries = await withLog('a', events, async (log, shelf) => {
      expect(await log.publish()).toBe(3);
      const open = await shelf.take(log.key);
      const read = [];
      for await (const raw of open.read(1, 3, 1_000)) read.push(decodeEntry(raw, read.length + 1));
      return read;
    });
    expect(entries).toEqual(events.map(({ seq, ...entry }) => entry));
  });

  it('keeps so many nodes of its tree in memory and no more, for writing and reading together', async () => {
    const treeNodes = new Rache({ maxSize: 20 });
    const events = Array.from({ length: 60 }, (_, index) => failureEvent(index + 1));
    const work = async (log: ScoreLog, shelf: LogShelf) => {
      await log.publish();
      const open = await shelf.take(log.key);
      for await (const raw of open.read(1, 60, 1_000)) decodeEntry(raw, 1);
      return treeNodes.globalSize;
    };
    expect(await withLog('a', events, work, treeNodes)).toBe(20);
  });

  it('goes on after a restart where it was', async () => {
    const events = [receiptEvent(3)];
    await withLog('a', events, (log) => log.publish());
    events.push(failureEvent(4), receiptEvent(5));
    expect(await withLog('a', events, (log) => log.publish())).toBe(3);
  });

  it('has the same root wherever and however often it was written', async () => {
    const events = [receiptEvent(3), failureEvent(9), receiptEvent(12), receiptEvent(13)];
    const root = async (log: ScoreLog, shelf: LogShelf) => (await shelf.take(log.key)).root(await log.publish());
    await withLog('b', events.slice(0, 2), (log) => log.publish());
    expect(await withLog('a', events, root)).toBe(await withLog('b', events, root));
  });

  it('publishes nothing when it has more than the ledger', async () => {
    const events = [receiptEvent(3), receiptEvent(4)];
    await withLog('a', events, (log) => log.publish());
    expect(await withLog('a', events.slice(0, 1), (log) => log.publish())).toBe(2);
  });
});

describe('an entry', () => {
  it('that stands in another place, or under another name, is none of ours', () => {
    const failure = encodeEntry({ type: 'failure', requestId: nextRequestId(), at: 1 }, 4);
    expect(decodeEntry(failure, 5)).toBeUndefined();
    const receipt = encodeEntry({ type: 'receipt', receipt: signedReceipt(identity, testIdentity(2)) }, 4);
    expect(decodeEntry(receipt, 9)).toBeDefined();
    expect(decodeEntry({ ...receipt, key: 'receipt/other' }, 4)).toBeUndefined();
    expect(decodeEntry({ key: 'bonus', value: 1 }, 4)).toBeUndefined();
  });
});
