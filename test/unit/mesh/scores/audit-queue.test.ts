import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditQueue, type Turn } from '../../../../src-main/mesh/scores/audit-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose work is noted, and answered as `answer` says. */
function recorded(answer: (subject: string, turn: number) => Turn | Promise<Turn>) {
  const turns: string[] = [];
  const queue = new AuditQueue(async (subject) => {
    turns.push(subject);
    return await answer(subject, turns.length);
  });
  return { queue, turns };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the audit queue', () => {
  it('gives a subject one turn for several pushes', async () => {
    const { queue, turns } = recorded(() => 'done');
    queue.push('a');
    queue.push('b');
    await settle();
    expect(turns).toEqual(['a', 'b']);
    queue.push('a');
    await settle();
    expect(turns).toEqual(['a', 'b', 'a']);
  });

  it('gives a subject with more to do turn after turn', async () => {
    const { queue, turns } = recorded((_, turn) => (turn < 5 ? 'more' : 'done'));
    queue.push('a');
    await settle();
    expect(turns).toHaveLength(5);
  });

  it('gives another turn to what was pushed during its turn', async () => {
    let finish: (turn: Turn) => void = () => undefined;
    const { queue, turns } = recorded((_, turn) =>
      turn === 1 ? new Promise((resolve) => (finish = resolve)) : 'done',
    );
    queue.push('a');
    await settle();
    queue.push('a');
    expect(turns).toHaveLength(1);
    finish('done');
    await settle();
    expect(turns).toHaveLength(2);
  });

  it('lets a subject that waits wait longer each time, whoever pushes it', async () => {
    const { queue, turns } = recorded(() => 'waiting');
    queue.push('a');
    for (const [waitMs, count] of [
      [1_999, 1],
      [1, 2],
      [3_999, 2],
      [1, 3],
      [7_999, 3],
      [1, 4],
    ] as const) {
      queue.push('a');
      await vi.advanceTimersByTimeAsync(waitMs);
      expect(turns).toHaveLength(count);
    }
    await queue.close();
  });

  it('ends a wait when what it was for may have come', async () => {
    const { queue, turns } = recorded((_, turn) => (turn === 1 ? 'waiting' : 'done'));
    queue.push('a');
    await settle();
    queue.retry('a');
    await settle();
    expect(turns).toHaveLength(2);
  });

  it('works on eight subjects at a time, so that one that hangs holds up nobody', async () => {
    const { queue, turns } = recorded((subject) => (subject === 'hangs' ? new Promise<Turn>(() => undefined) : 'done'));
    queue.push('hangs');
    for (let count = 0; count < 20; count++) queue.push(`subject ${count}`);
    await settle();
    expect(turns).toHaveLength(21);
  });

  it('waits for the turns under way when it closes, and leaves no timer', async () => {
    let finish: (turn: Turn) => void = () => undefined;
    const { queue, turns } = recorded((subject) =>
      subject === 'a' ? new Promise((resolve) => (finish = resolve)) : 'waiting',
    );
    queue.push('a');
    queue.push('b');
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
    queue.push('c');
    await settle();
    expect(turns).toEqual(['a', 'b']);
  });
});
