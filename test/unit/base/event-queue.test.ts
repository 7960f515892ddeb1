import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src-main/base/event-queue.ts';

async function collect<T>(queue: EventQueue<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

describe('EventQueue', () => {
  it('gives events in order, before and after the consumer came', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    const collected = collect(queue);
    queue.push(2);
    await Promise.resolve();
    queue.push(3);
    queue.end();
    expect(await collected).toEqual([1, 2, 3]);
  });

  it('gives what is queued before the error', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.fail(new Error('broken'));
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of queue) seen.push(event);
    })();
    await expect(reading).rejects.toThrow('broken');
    expect(seen).toEqual([1]);
  });

  it('folds those that wait into fewer, before more than the most do', async () => {
    const queue = new EventQueue<number>({ most: 3, fold: (waiting) => [waiting.reduce((sum, each) => sum + each)] });
    for (const each of [1, 2, 3, 4, 5]) queue.push(each);
    queue.end();
    expect(await collect(queue)).toEqual([10, 5]);
  });

  it('takes nothing after its end', async () => {
    const queue = new EventQueue<number>();
    queue.end();
    queue.push(1);
    queue.fail(new Error('late'));
    expect(await collect(queue)).toEqual([]);
  });
});
