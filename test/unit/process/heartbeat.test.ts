import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CheckedChild } from '../../../src-main/process/checked-child.ts';
import { Heartbeat } from '../../../src-main/process/heartbeat.ts';
import { nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { sentence, type Words } from '../../../src-preload/contract/saying.ts';
import { until } from '../../support/until.ts';

const HANGING = new URL('../../fixtures/child-that-hangs.ts', import.meta.url);
const SECOND = 1_000;

describe('a heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  interface Beating {
    answers?: () => boolean;
    isDue?: () => boolean;
    now?: () => number;
  }

  function beating({ answers = () => false, isDue = () => true, now = () => Date.now() }: Beating = {}) {
    const told: string[] = [];
    let pings = 0;
    const heart: Heartbeat = new Heartbeat({
      ping: {},
      isDue,
      now,
      send: () => {
        pings++;
        if (answers()) setImmediate(() => heart.heard());
      },
      onHang: (why) => told.push(sentence(why)),
    });
    return { heart, told, pings: () => pings };
  }

  it('tells once of a child that answers nothing for a minute', () => {
    const { told } = beating();
    vi.advanceTimersByTime(69 * SECOND);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(600 * SECOND);
    expect(told).toEqual(['was ended: for 60 seconds it said nothing, not even that it is there']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells nothing of one that answers, or says something else in time', () => {
    const { heart, told, pings } = beating({ answers: () => true });
    vi.advanceTimersByTime(600 * SECOND);
    expect(pings()).toBe(60);
    heart.close();
    const silent = beating();
    for (let each = 0; each < 10; each++) {
      vi.advanceTimersByTime(55 * SECOND);
      silent.heart.heard();
    }
    silent.heart.close();
    expect([...told, ...silent.told]).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks nothing, and counts nothing, while the child may be silent', () => {
    let due = true;
    const { told, pings, heart } = beating({ isDue: () => due });
    vi.advanceTimersByTime(55 * SECOND);
    expect(pings()).toBe(5);
    due = false;
    vi.advanceTimersByTime(600 * SECOND);
    due = true;
    vi.advanceTimersByTime(60 * SECOND);
    expect(told).toEqual([]);
    heart.close();
  });

  it('counts no time in which its own timer was late: this process was blocked, or the machine slept', () => {
    let clock = 0;
    const { told, heart } = beating({ now: () => clock });
    for (let each = 0; each < 100; each++) {
      clock += 25 * SECOND;
      vi.advanceTimersByTime(10 * SECOND);
    }
    expect(told).toEqual([]);
    for (let each = 0; each < 6; each++) {
      clock += 10 * SECOND;
      vi.advanceTimersByTime(10 * SECOND);
    }
    expect(told).toHaveLength(1);
    heart.close();
  });

  it('counts the silence of a child that reads nothing either', () => {
    const told: Words[] = [];
    const send = () => {
      throw new Error('too much waits');
    };
    new Heartbeat({ ping: {}, isDue: () => true, send, onHang: (why) => told.push(why) });
    vi.advanceTimersByTime(70 * SECOND);
    expect(told).toHaveLength(1);
  });
});

describe('a real child', () => {
  const running: CheckedChild<unknown>[] = [];
  afterEach(() => Promise.all(running.splice(0).map((child) => child.close())));

  function started(patienceMs: number) {
    const heard: unknown[] = [];
    const { promise: death, resolve: onDeath } = Promise.withResolvers<Words>();
    const child = new CheckedChild({
      spawner: nodeSpawner,
      launch: { name: 'the hanging', run: HANGING, env: {} },
      messages: z.unknown(),
      // What comes before it has begun is no silence of its.
      heartbeat: { ping: { blockMs: 0 }, isDue: () => heard.length > 0, everyMs: 50, patienceMs },
      onMessage: (message) => heard.push(message),
      onDeath,
    });
    running.push(child);
    child.send({ blockMs: 0 });
    return { child, death, heard };
  }

  it('is ended when its main thread is blocked for good', async () => {
    const { child, death, heard } = started(400);
    await until(() => expect(heard).not.toEqual([])); // a busy machine might keep it from answering more for as long as that
    child.send({ blockMs: 600_000 });
    expect(sentence(await death)).toMatch(/^was ended: for 0.4 seconds/);
  });

  it('lives on when it was blocked, or stopped, for less', async () => {
    const { child, death, heard } = started(20_000);
    let died = false;
    void death.then(() => (died = true));
    await until(() => expect(heard.length).toBeGreaterThan(2));
    child.send({ blockMs: 300 });
    process.kill(child.pid as number, 'SIGSTOP');
    const before = heard.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(child.pid as number, 'SIGCONT');
    await until(() => expect(heard.length).toBeGreaterThan(before + 3));
    expect(died).toBe(false);
  });
});
