import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { OngoingWork } from '../../../src-main/base/ongoing-work.ts';
import { until } from '../../support/until.ts';

function lines() {
  const told: { msg: string; thing?: string; level: number }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void told.push(JSON.parse(line)) });
  return { log, told: () => told.map(({ level, msg, thing }) => [level, msg, thing]) };
}

it('does a piece once at a time, and again once it is done', async () => {
  const { log } = lines();
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const all = new OngoingWork({ what: 'thing', work, log });
  all.start('a');
  all.start('a');
  all.start('b');
  expect([work.mock.calls.map(([id]: unknown[]) => id), all.has('a'), all.has('c')]).toEqual([['a', 'b'], true, false]);
  ends[0]?.();
  await until(() => expect(all.has('a')).toBe(false));
  all.start('a');
  expect(work).toHaveBeenCalledTimes(3);
  for (const end of ends) end();
  await all.close();
  all.start('d');
  expect(work).toHaveBeenCalledTimes(3);
});

it('keeps why a piece does not go on, and logs where that cannot be kept', async () => {
  const { log, told } = lines();
  const onFailed = vi.fn(async (id: string) => {
    if (id === 'b') throw new Error('full');
  });
  const work = async () => {
    throw new Error('gone');
  };
  const all = new OngoingWork({ what: 'thing', work, onFailed, log });
  all.start('a');
  all.start('b');
  await until(() => expect([all.has('a'), all.has('b')]).toEqual([false, false]));
  expect(onFailed.mock.calls.map(([id]) => id)).toEqual(['a', 'b']);
  expect(told()).toEqual([
    [40, 'thing: does not go on', 'a'],
    [40, 'thing: does not go on', 'b'],
    [50, 'thing: why it does not go on cannot be kept', 'b'],
  ]);
  await all.close();
});

it('waits when it is closed for what ends by the signal, which is no failure', async () => {
  const { log, told } = lines();
  const ended = vi.fn();
  const work = async (_id: string, signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ended();
    signal.throwIfAborted();
  };
  const all = new OngoingWork({ what: 'thing', work, log });
  all.start('a');
  await all.close();
  expect([ended.mock.calls.length, all.signal.aborted, told()]).toEqual([1, true, []]);
});
