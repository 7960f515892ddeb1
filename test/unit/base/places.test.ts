import { expect, it } from 'vitest';
import { Places } from '../../../src-main/base/places.ts';
import { until } from '../../support/until.ts';

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  const work = () => {
    begun = true;
    return promise;
  };
  return { work, end: resolve, fail: reject, isBegun: () => begun };
}

it('gives places in the order in which they were asked for, and no more than there are', async () => {
  const places = new Places(2);
  const works = [held(), held(), held(), held()];
  const taken = works.map(({ work }) => places.take(work));
  const begun = () => works.map(({ isBegun }) => isBegun());
  await until(() => expect(begun()).toEqual([true, true, false, false]));
  works[1]!.end('second');
  expect(await taken[1]).toBe('second');
  await until(() => expect(begun()).toEqual([true, true, true, false]));
  works[0]!.fail(new Error('of the first'));
  await expect(taken[0]).rejects.toThrow('of the first');
  works[2]!.end('third');
  works[3]!.end('fourth');
  expect(await Promise.all(taken.slice(2))).toEqual(['third', 'fourth']);
});

it('forgets who waits no longer', async () => {
  const places = new Places(1);
  const [first, second, third] = [held(), held(), held()];
  const abort = new AbortController();
  const taken = [places.take(first.work), places.take(second.work, abort.signal), places.take(third.work)];
  const gaveUp = expect(taken[1]).rejects.toThrow('enough');
  abort.abort(new Error('enough'));
  await gaveUp;
  await expect(places.take(second.work, abort.signal)).rejects.toThrow('enough');
  first.end('first');
  third.end('third');
  expect([await taken[0], await taken[2], second.isBegun()]).toEqual(['first', 'third', false]);
  expect(await places.take(async () => 'free again')).toBe('free again');
});
