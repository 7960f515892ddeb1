import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { LogShelf } from '../../../../src-main/mesh/scores/log-shelf.ts';
import { HISTORY_TIMING, OwnHistory } from '../../../../src-main/mesh/scores/own-history.ts';
import type { ScoreLog } from '../../../../src-main/mesh/scores/score-log.ts';
import type { ScoreUpdate } from '../../../../src-main/mesh/scores/score-messages.ts';

const KEY = 'a'.repeat(64);

/** A node whose log was lost, and is being written anew from its ledger. */
async function openWith({ entries, booked }: { entries: number; booked: number }): Promise<OwnHistory> {
  const history = new OwnHistory({
    worker: 'b'.repeat(64),
    ownLog: { entries, key: KEY, hasAppended: true } as ScoreLog,
    shelf: {} as LogShelf,
    events: { scoredCount: async () => booked, recover: async () => {}, hold: () => {} },
    catchUpSince: undefined,
    timing: HISTORY_TIMING,
    blockTimeoutMs: 1,
    peers: () => 0,
    onLive: () => {},
    onSplit: () => {},
    log: pino({ level: 'silent' }),
  });
  await history.open();
  return history;
}

it('takes a claim for its own that its ledger bears out, while its log is still being written anew', async () => {
  const history = await openWith({ entries: 100, booked: 5_000 });
  expect(history.isLive).toBe(true);
  expect(history.isBeyond({ seq: 5_000, logKey: KEY })).toBe(false);
  expect(history.isBeyond({ seq: 5_001, logKey: KEY })).toBe(true);
  expect(history.isBeyond({ seq: 1, logKey: 'c'.repeat(64) })).toBe(true);
});

it('is not kept asking for ever by one who brings old claims, one after the other', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  let asked = 0;
  const history = new OwnHistory({
    worker: 'b'.repeat(64),
    ownLog: { entries: 0, key: KEY, hasAppended: false, publish: async () => {} } as unknown as ScoreLog,
    shelf: { take: () => Promise.reject(new Error(`nobody has it (${++asked})`)) } as unknown as LogShelf,
    events: { scoredCount: async () => 0, recover: async () => {}, hold: () => {} },
    catchUpSince: 1_790_000_000_000,
    timing: HISTORY_TIMING,
    blockTimeoutMs: 1,
    peers: () => 3,
    onLive: () => {},
    onSplit: () => {},
    log: pino({ level: 'silent' }),
  });
  try {
    await history.open();
    for (let seq = 1; seq <= 30; seq++) {
      history.heard({ seq, logKey: KEY, ts: 1_789_000_000_000 } as ScoreUpdate);
      await vi.advanceTimersByTimeAsync(30_000); // half of the quiet that is waited for
    }
    expect(asked).toBeGreaterThan(0);
  } finally {
    await history.close();
    vi.useRealTimers();
  }
});
