import { expect, it, vi } from 'vitest';
import { ListenerSet } from '../../../src-main/base/listener-set.ts';

it('tells those who want to know, until they do not', () => {
  const set = new ListenerSet<[name: string, count: number]>();
  const [one, two] = [vi.fn(), vi.fn()];
  const leave = set.subscribe(one);
  set.subscribe(two);
  set.tell('a', 1);
  leave();
  leave();
  set.tell('b', 2);
  expect(one.mock.calls).toEqual([['a', 1]]);
  expect(two.mock.calls).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  set.clear();
  set.tell('c', 3);
  expect(two).toHaveBeenCalledTimes(2);
});

it('tells everybody before it throws what the first that failed has thrown', () => {
  const set = new ListenerSet();
  const last = vi.fn();
  for (const name of ['first', 'second']) {
    set.subscribe(() => {
      throw new Error(name);
    });
  }
  set.subscribe(last);
  expect(() => set.tell()).toThrow('first');
  expect(last).toHaveBeenCalledOnce();
});
