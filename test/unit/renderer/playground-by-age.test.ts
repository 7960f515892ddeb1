import { expect, it } from 'vitest';
import type { Conversation } from '../../../src-preload/contract/conversations.ts';
import { byAge } from '../../../src-renderer/pages/playground/conversations/by-age.ts';

const at = (...date: [year: number, month: number, day: number, hour?: number]) => new Date(...date).getTime();

function grouped(now: number, ...times: number[]) {
  const conversations = times.map((updatedAt): Conversation => {
    return { id: String(updatedAt), title: '', createdAt: 0, updatedAt, options: { target: 'local' } };
  });
  return byAge(conversations, now).map(({ age, conversations }) => [age, conversations.map((one) => one.updatedAt)]);
}

it('conversations stand by today, yesterday, this month, and the months before', () => {
  const now = at(2026, 10, 22, 15);
  const [soon, noon] = [now + 60_000, at(2026, 10, 22, 12)]; // another clock may be ahead
  const [midnight, late, early] = [at(2026, 10, 22), at(2026, 10, 21, 23), at(2026, 10, 21)];
  const [before, first, october, september] = [
    at(2026, 10, 20, 23),
    at(2026, 10, 1),
    at(2026, 9, 31, 23),
    at(2026, 8, 1),
  ];
  expect(grouped(now, soon, noon, midnight, late, early, before, first, october, september)).toEqual([
    ['today', [soon, noon, midnight]],
    ['yesterday', [late, early]],
    ['month', [before, first]],
    [at(2026, 9, 1), [october]],
    [at(2026, 8, 1), [september]],
  ]);
});

it('yesterday is yesterday on the first day of a month, too', () => {
  expect(grouped(at(2026, 10, 1, 9), at(2026, 9, 31, 20), at(2026, 9, 30))).toEqual([
    ['yesterday', [at(2026, 9, 31, 20)]],
    [at(2026, 9, 1), [at(2026, 9, 30)]],
  ]);
});
