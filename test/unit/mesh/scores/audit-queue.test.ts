import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditQueue, type Turn } from '../../../../src-main/mesh/scores/audit-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose work is noted, and answered as `answer` says. */
function recorded(answer: (subject: string, turn: number) => Turn | Promise<Turn>) {
  const turns: string[] = [];
  const dropped: string[] = [];
  const work = async (subject: string) => {
    turns.push(subject);
    return await answer(subject, turns.length);
  };
  const queue = new AuditQueue(work, { onDrop: (subject) => void dropped.push(subject) });
  return { queue, turns, dropped };
}

/** A log that is nowhere: a turn waits five seconds for it, and in vain. */
const nowhere = () => new Promise<Turn>((resolve) => setTimeout(() => resolve('waiting'), 5_000));

/** Turns under way end, those of others follow, each in a turn of the event loop of its own. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

describe('the audit queue', () => {
  it('gives a subject one turn for several pushes', async () => {
    const { queue, turns } = recorded(() => 'done');
    queue.push('a', 'peer');
    queue.push('b', 'peer');
    await settle();
    expect(turns).toEqual(['a', 'b']);
    queue.push('a', 'peer');
    await settle();
    expect(turns).toEqual(['a', 'b', 'a']);
  });

  it('gives a subject with more to do turn after turn', async () => {
    const { queue, turns } = recorded((_, turn) => (turn < 5 ? 'more' : 'done'));
    queue.push('a', 'peer');
    await settle();
    expect(turns).toHaveLength(5);
  });

  it('gives another turn to what was pushed during its turn', async () => {
    let finish: (turn: Turn) => void = () => undefined;
    const { queue, turns } = recorded((_, turn) =>
      turn === 1 ? new Promise((resolve) => (finish = resolve)) : 'done',
    );
    queue.push('a', 'peer');
    await settle();
    queue.push('a', 'peer');
    expect(turns).toHaveLength(1);
    finish('done');
    await settle();
    expect(turns).toHaveLength(2);
  });

  it('lets a subject that waits wait longer each time, whoever pushes it', async () => {
    const { queue, turns } = recorded(() => 'waiting');
    queue.push('a', 'peer');
    for (const [waitMs, count] of [
      [1_999, 1],
      [1, 2],
      [3_999, 2],
      [1, 3],
      [7_999, 3],
      [1, 4],
    ] as const) {
      queue.push('a', 'peer');
      await vi.advanceTimersByTimeAsync(waitMs);
      expect(turns).toHaveLength(count);
    }
    await queue.close();
  });

  it('ends a wait when what it was for may have come', async () => {
    const { queue, turns } = recorded((_, turn) => (turn === 1 ? 'waiting' : 'done'));
    queue.push('a', 'peer');
    await settle();
    queue.retryAll();
    await settle();
    expect(turns).toHaveLength(2);
  });

  it('works on eight subjects at a time, so that one that hangs holds up nobody', async () => {
    const { queue, turns } = recorded((subject) => (subject === 'hangs' ? new Promise<Turn>(() => undefined) : 'done'));
    queue.push('hangs', 'peer');
    for (let count = 0; count < 20; count++) queue.push(`subject ${count}`, 'peer');
    await settle();
    expect(turns).toHaveLength(21);
  });

  it('waits for the turns under way when it closes, and leaves no timer', async () => {
    let finish: (turn: Turn) => void = () => undefined;
    const { queue, turns } = recorded((subject) =>
      subject === 'a' ? new Promise((resolve) => (finish = resolve)) : 'waiting',
    );
    queue.push('a', 'peer');
    queue.push('b', 'peer');
    await settle();
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    await settle();
    expect(closed).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    finish('more');
    await closing;
    queue.push('c', 'peer');
    await settle();
    expect(turns).toEqual(['a', 'b']);
  });
});

it('between two turns everything else has its own, however many subjects are due', async () => {
  const { queue, turns } = recorded(() => 'done');
  for (let count = 0; count < 200; count++) queue.push(`subject ${count}`, `peer ${count % 10}`);
  const seen: number[] = [];
  while (turns.length < 200) {
    await new Promise(setImmediate);
    seen.push(turns.length);
  }
  expect(Math.max(...seen.map((count, at) => count - (seen[at - 1] ?? 0)))).toBeLessThanOrEqual(16);
  await queue.close();
});

it('looks at peers to find the next subject, not at all that wait', async () => {
  let looked = 0;
  const turns: string[] = [];
  const work = async (subject: string): Promise<Turn> => {
    turns.push(subject);
    return 'done';
  };
  // Whoever is looked at is weighed by what the clock says.
  const queue = new AuditQueue(work, { now: () => looked++ });
  for (let count = 0; count < 2_000; count++) queue.push(`subject ${count}`, `peer ${count % 4}`, true);
  while (turns.length < 2_000) await settle();
  expect(looked).toBeLessThan(4 * 2_000);
  await queue.close();
});

describe('peers that speak of logs which are nowhere', () => {
  /** Pushes a subject as the auditor does: if there is room. */
  const speak = (queue: AuditQueue, subject: string, sender: string, proven = false) => {
    const admitted = queue.admits(subject, sender, proven);
    if (admitted) queue.push(subject, sender, proven);
    return admitted;
  };
  const flood = (queue: AuditQueue, count: number, sender: string) =>
    Array.from({ length: count }, (_, n) => speak(queue, `fake ${n} of ${sender}`, sender)).filter(Boolean).length;

  it('hold up nobody else: 400 of one peer, and an honest worker has its turn at once', async () => {
    const { queue, turns } = recorded((subject) => (subject === 'honest' ? 'done' : nowhere()));
    flood(queue, 400, 'liar');
    await settle();
    expect(turns).toHaveLength(4);
    speak(queue, 'honest', 'honest');
    await settle();
    expect(turns.at(-1)).toBe('honest');
    await vi.runOnlyPendingTimersAsync();
    await Promise.all([queue.close(), vi.advanceTimersByTimeAsync(5_000)]);
  });

  it('hold up others once, while all places are theirs, and from then on come last', async () => {
    const { queue, turns } = recorded((subject) => (subject.startsWith('honest') ? 'done' : nowhere()));
    for (let liar = 0; liar < 20; liar++) flood(queue, 20, `liar ${liar}`);
    await settle();
    speak(queue, 'honest', 'honest');
    await vi.advanceTimersByTimeAsync(20_000); // twenty liars, eight places, each waited for once
    expect(turns).toContain('honest');
    speak(queue, 'honest again', 'honest');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(turns).toContain('honest again');
    await Promise.all([queue.close(), vi.advanceTimersByTimeAsync(5_000)]);
  });

  it('come after proven logs, whoever brings these', async () => {
    const { queue, turns } = recorded((subject) => (subject === 'proven' ? 'done' : nowhere()));
    for (const liar of ['a', 'b', 'c']) flood(queue, 100, liar);
    await vi.advanceTimersByTimeAsync(4_000);
    speak(queue, 'proven', 'a', true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns.slice(8, 16)).toContain('proven');
    await Promise.all([queue.close(), vi.advanceTimersByTimeAsync(5_000)]);
  });

  it('are retried no more than eight at a time', async () => {
    let running = 0;
    let most = 0;
    const { queue } = recorded(async () => {
      most = Math.max(most, ++running);
      const turn = await nowhere();
      running--;
      return turn;
    });
    for (const liar of ['a', 'b', 'c', 'd']) flood(queue, 50, liar);
    for (let second = 0; second < 60; second++) {
      queue.retryAll();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(most).toBe(8);
    await Promise.all([queue.close(), vi.advanceTimersByTimeAsync(5_000)]);
  });

  it('find room for so many, and leave room for others’', async () => {
    const { queue, dropped } = recorded(nowhere);
    expect(flood(queue, 400, 'a')).toBe(256);
    for (const liar of ['b', 'c', 'd', 'e', 'f']) flood(queue, 400, liar);
    expect(queue.size).toBe(1_000);
    expect(speak(queue, 'honest', 'honest')).toBe(true);
    expect(dropped).not.toContain('honest');
    expect(queue.size).toBe(1_000);
    await Promise.all([queue.close(), vi.advanceTimersByTimeAsync(5_000)]);
  });

  it('whose word was false again and again are not heard until that is forgotten; of others, and of what is proven, all is', async () => {
    const { queue, turns } = recorded((subject) => (subject.startsWith('fake') ? 'false' : 'done'));
    for (let round = 0; round < 40; round++) {
      speak(queue, `fake ${round}`, 'liar');
      await settle();
    }
    expect(turns).toHaveLength(32);
    expect(speak(queue, 'of an honest one', 'liar')).toBe(false);
    expect(speak(queue, 'of an honest one', 'honest')).toBe(true);
    expect(speak(queue, 'proven', 'liar', true)).toBe(true);
    await settle();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(speak(queue, 'of another honest one', 'liar')).toBe(true);
    await queue.close();
  });

  it('are given up after eight turns in vain', async () => {
    const { queue, turns, dropped } = recorded(() => 'waiting');
    queue.push('a', 'peer');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([turns.length, dropped, queue.size]).toEqual([8, ['a'], 0]);
  });

  it('are given up when those are gone who spoke of them', async () => {
    const { queue, dropped } = recorded(nowhere);
    queue.push('only a', 'a');
    queue.push('both', 'a');
    queue.heard('both', 'b');
    await vi.advanceTimersByTimeAsync(5_000);
    queue.left('a');
    expect(dropped).toEqual(['only a']);
    expect(queue.size).toBe(1);
    await queue.close();
  });

  it('are given up after their turn when those have gone meanwhile', async () => {
    const { queue, dropped } = recorded(nowhere);
    queue.push('a', 'peer');
    await settle();
    queue.left('peer');
    expect(dropped).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([dropped, queue.size]).toEqual([['a'], 0]);
  });
});
