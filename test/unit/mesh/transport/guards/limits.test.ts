import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { BanList } from '../../../../../src-main/mesh/transport/guards/ban-list.ts';
import { QuietLog, Refusals } from '../../../../../src-main/mesh/transport/guards/refusals.ts';
import { BanStore } from '../../../../../src-main/store/mesh/bans.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';
import { testLog as log } from '../../../../support/mesh-node.ts';

describe('the ban list', () => {
  it('bans at the second grave offence, longer each time, and lets it run out', () => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    const lengths = [1, 2, 3].map(() => {
      expect(bans.report('x', 'protocol error')).toBe(false);
      expect(bans.report('x', 'protocol error')).toBe(true);
      const ban = bans.find('x')!;
      now = ban.expiresAt;
      expect(bans.find('x')).toBeUndefined();
      return ban.expiresAt - ban.bannedAt;
    });
    expect(lengths).toEqual([600_000, 1_200_000, 2_400_000]);
  });

  it('forgives small offences with time', () => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    for (let count = 0; count < 100; count++) {
      expect(bans.report('x', 'no hello')).toBe(false);
      now += 600_000;
    }
  });

  it('does not weigh an offence more because the clock was set back', () => {
    let now = 10 * 3_600_000;
    const bans = new BanList({ log, now: () => now });
    bans.report('x', 'no hello');
    now -= 3_600_000;
    expect(bans.report('x', 'no hello')).toBe(false);
  });

  it('bans once for what came in one go', () => {
    const bans = new BanList({ log, now: () => 0 });
    for (let count = 0; count < 50; count++) bans.report('x', 'wrong signature');
    expect(bans.find('x')).toMatchObject({ times: 1, expiresAt: 600_000 });
  });

  it('bans at once for a forged signature', () => {
    const bans = new BanList({ log });
    expect(bans.report('x', 'wrong signature')).toBe(true);
  });

  it('bans who brings four void receipts in ten minutes, and no one who brings one now and then', () => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    const report = () => {
      now += 100; // by a clock that goes on: what fades in between must not make it five
      return bans.report('x', 'void receipt');
    };
    expect([1, 2, 3, 4].map(report)).toEqual([false, false, false, true]);
    for (let count = 0; count < 100; count++) {
      expect(bans.report('y', 'void receipt')).toBe(false);
      now += 600_000;
    }
  });

  it('survives a restart', async () => {
    const db = await memoryDatabase();
    const store = new BanStore(db);
    const before = new BanList({ store, log, now: () => 1_000 });
    before.ban('x', 'test', 5_000);
    before.ban('y', 'test', 5_000);
    before.lift('y');
    await expect.poll(async () => (await store.load(0)).length).toBe(1);
    const after = new BanList({ store, log, now: () => 2_000 });
    await after.open();
    expect(after.list()).toEqual([{ nodeId: 'x', reason: 'test', bannedAt: 1_000, expiresAt: 6_000, times: 1 }]);
    await db.destroy();
  });

  it('forgets a ban a week after it ran out', async () => {
    const db = await memoryDatabase();
    const store = new BanStore(db);
    await store.write(new Map([['x', { nodeId: 'x', reason: 'test', bannedAt: 0, expiresAt: 1, times: 4 }]]));
    const bans = new BanList({ store, log, now: () => 8 * 86_400_000 });
    await bans.open();
    expect(bans.ban('x', 'again').times).toBe(1);
    await bans.close();
    await db.destroy();
  });

  it('of a crowd is one line a second in the log, with the number of those left out', () => {
    let now = 0;
    const lines: { peer: string; suppressed: number }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const bans = new BanList({ log: pino({ level: 'warn' }, { write }), now: () => now });
    for (let number = 0; number < 500; number++) bans.ban(`key ${number}`, 'wrong signature');
    now = 1_000;
    bans.ban('last', 'wrong signature');
    expect(lines.map(({ peer, suppressed }) => [peer, suppressed])).toEqual([
      ['key 0', 0],
      ['last', 499],
    ]);
    expect(bans.list()).toHaveLength(501);
  });

  it('of a crowd is written with the others, and what is not written yet when the list is closed', async () => {
    vi.useFakeTimers();
    const written: string[][] = [];
    const write = async (changes: ReadonlyMap<string, unknown>) => void written.push([...changes.keys()]);
    const bans = new BanList({ store: { write, load: async () => [], prune: async () => {} }, log });
    const crowd = Array.from({ length: 500 }, (_, number) => `key ${number}`);
    for (const id of crowd) bans.ban(id, 'test');
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([crowd]);
    bans.ban('last', 'test');
    await bans.close();
    expect(written).toEqual([crowd, ['last']]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe('a quiet log', () => {
  it('is due once in its time for each kind, with the number of those left out', () => {
    let now = 0;
    const quiet = new QuietLog(60_000, () => now);
    expect(Array.from({ length: 100 }, () => quiet.due('a')).filter((due) => due !== undefined)).toEqual([0]);
    expect(quiet.due('b')).toBe(0);
    now = 60_000;
    expect(quiet.due('a')).toBe(99);
  });
});

describe('refusals', () => {
  it('are all counted, but a flood of them is not a flood of log lines', () => {
    const lines: object[] = [];
    let now = 0;
    const refusals = new Refusals({ info: (line: object) => lines.push(line) } as never, () => now);
    for (let count = 0; count < 50; count++) refusals.note('banned', { peer: 'x' });
    now = 1_000;
    refusals.note('banned', { peer: 'y' });
    expect(refusals.counts()).toEqual({ banned: 51 });
    expect(lines).toEqual([
      { peer: 'x', reason: 'banned', suppressed: 0 },
      { peer: 'y', reason: 'banned', suppressed: 49 },
    ]);
  });
});
