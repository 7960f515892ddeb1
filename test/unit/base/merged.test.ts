import { expect, it } from 'vitest';
import { merged } from '../../../src-main/base/merged.ts';

/** Says these, one each time that the test lets it. */
function told<T>(...all: T[]) {
  const gates = all.map(() => Promise.withResolvers<void>());
  let asked = 0;
  let ended = false;
  async function* say() {
    try {
      for (const [at, each] of all.entries()) {
        asked++;
        await gates[at]?.promise;
        yield each;
      }
    } finally {
      ended = true;
    }
  }
  return {
    source: say(),
    say: (at: number) => gates[at]?.resolve(),
    fail: (at: number, error: unknown) => gates[at]?.reject(error),
    get asked() {
      return asked;
    },
    get ended() {
      return ended;
    },
  };
}

const never = () => expect.unreachable('it was stopped');

it('says what each says as it comes, with its place', async () => {
  const [a, b] = [told('a0', 'a1'), told('b0')];
  const all = merged([a.source, b.source], never);
  b.say(0);
  expect(await all.next()).toEqual({ done: false, value: [1, 'b0'] });
  a.say(0);
  expect(await all.next()).toEqual({ done: false, value: [0, 'a0'] });
  a.say(1);
  expect(await all.next()).toEqual({ done: false, value: [0, 'a1'] });
  expect(await all.next()).toEqual({ done: true, value: undefined });
});

it('asks each for no more than was taken', async () => {
  const a = told(1, 2, 3);
  for (const at of [0, 1, 2]) a.say(at);
  const all = merged([a.source], never);
  await all.next();
  await new Promise(setImmediate);
  expect(a.asked).toBe(1);
  await all.next();
  expect(a.asked).toBe(2);
  a.say(2);
  expect(await Array.fromAsync(all)).toEqual([[0, 3]]);
});

it('ends all with the first that fails', async () => {
  const [a, b, c] = [told(1), told(2), told(3, 4)];
  c.say(0);
  const stopped = new Error('stopped');
  const all = merged([a.source, b.source, c.source], () => {
    a.fail(0, stopped);
    c.fail(1, stopped);
  });
  expect(await all.next()).toEqual({ done: false, value: [2, 3] });
  b.fail(0, new Error('b failed'));
  await expect(all.next()).rejects.toThrow('b failed');
  expect([a.ended, b.ended, c.ended]).toEqual([true, true, true]);
});

it('ends all when nobody reads on', async () => {
  const [a, b] = [told(1, 2), told(3)];
  a.say(0);
  for await (const [place, said] of merged([a.source, b.source], () => b.fail(0, new Error('stopped')))) {
    expect([place, said]).toEqual([0, 1]);
    break;
  }
  expect([a.ended, b.ended]).toEqual([true, true]);
});
