import { describe, expect, it } from 'vitest';
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
  const taken = [places.take(first.work), places.take(second.work, { signal: abort.signal }), places.take(third.work)];
  const gaveUp = expect(taken[1]).rejects.toThrow('enough');
  abort.abort(new Error('enough'));
  await gaveUp;
  await expect(places.take(second.work, { signal: abort.signal })).rejects.toThrow('enough');
  first.end('first');
  third.end('third');
  expect([await taken[0], await taken[2], second.isBegun()]).toEqual(['first', 'third', false]);
  expect(await places.take(async () => 'free again')).toBe('free again');
});

describe('parties', () => {
  /** Works of parties, of which each takes as long as is said, by a clock that is set. */
  function timed(count: number) {
    let now = 0;
    const places = new Places(count, () => now);
    const begun: string[] = [];
    const running: { name: string; end: () => void }[] = [];
    return {
      begun,
      take: (party: string, name = party, signal?: AbortSignal) =>
        places.take(
          () => {
            begun.push(name);
            const { promise, resolve } = Promise.withResolvers<void>();
            running.push({ name, end: resolve });
            return promise;
          },
          { party, signal },
        ),
      async end(name: string, ms: number) {
        await until(() => expect(running.map((one) => one.name)).toContain(name));
        now += ms;
        const at = running.findIndex((one) => one.name === name);
        running.splice(at, 1)[0]!.end();
        await new Promise(setImmediate);
      },
    };
  }

  it('have the same time, so that one whose works take long delays itself', async () => {
    const { take, end, begun } = timed(1);
    const all = [take('slow', 's1'), take('slow', 's2'), take('slow', 's3')];
    for (const name of ['q1', 'q2', 'q3', 'q4']) all.push(take('quick', name));
    await end('s1', 30);
    for (const name of ['q1', 'q2', 'q3', 'q4']) await end(name, 1);
    await end('s2', 30);
    all.push(take('quick', 'q5'), take('new', 'n1'), take('new', 'n2'));
    await end('s3', 30); // it had begun, as nobody else wanted anything
    for (const name of ['q5', 'n1', 'n2']) await end(name, 1);
    await Promise.all(all);
    expect(begun).toEqual(['s1', 'q1', 'q2', 'q3', 'q4', 's2', 's3', 'q5', 'n1', 'n2']);
  });

  it('leave a half of the places to others, whoever came first', async () => {
    const { take, end, begun } = timed(3);
    const all = ['1', '2', '3', '4'].map((name) => take('spins', name));
    await until(() => expect(begun).toEqual(['1', '2']));
    for (let turn = 0; turn < 5; turn++) {
      const own = take('honest', `honest ${turn}`);
      await end(`honest ${turn}`, 1);
      await own;
    }
    for (const name of ['1', '2', '3', '4']) await end(name, 1);
    await Promise.all(all);
    expect(begun).toHaveLength(9);
  });

  it('save nothing up while they want nothing', async () => {
    const { take, end, begun } = timed(1);
    const all = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3')];
    await end('a1', 100);
    all.push(take('b', 'b1'), take('b', 'b2'));
    await end('a2', 100);
    await end('b1', 60);
    await end('b2', 60);
    await end('a3', 1);
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });
});
