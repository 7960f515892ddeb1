import { expect, it, vi } from 'vitest';
import { Changes } from '../../../../src-main/base/changes.ts';
import { whileLive } from '../../../../src-main/focus/recording/while-live.ts';

it('does something while anything is recorded, once for each, and not after the end', async () => {
  const recorder: { live: unknown } = { live: null };
  const changes = new Changes();
  const ending = new AbortController();
  const end = vi.fn();
  const begin = vi.fn(() => end);
  const counts = () => [begin.mock.calls.length, end.mock.calls.length];
  const become = async (live: unknown) => {
    recorder.live = live;
    changes.tell();
    await new Promise((resolve) => setImmediate(resolve));
    return counts();
  };
  const done = whileLive(recorder, changes, begin, ending.signal);
  expect(counts()).toEqual([0, 0]);
  expect(await become({})).toEqual([1, 0]);
  expect(await become({})).toEqual([1, 0]);
  expect(await become(null)).toEqual([1, 1]);
  expect(await become({})).toEqual([2, 1]);
  ending.abort();
  await done;
  expect(counts()).toEqual([2, 2]);
});
