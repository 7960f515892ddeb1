import { expect, it } from 'vitest';
import { SharedWork } from '../../../src-main/base/shared-work.ts';

it('is done once for all who ask meanwhile, and anew for who asks later', async () => {
  const shared = new SharedWork<number>();
  let done = 0;
  const work = async () => {
    await null;
    return ++done;
  };
  const ask = (key: string) => shared.take(key, work);
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
  expect(await ask('a')).toBe(3);
});

it('fails for all who asked, and not for who asks later', async () => {
  const shared = new SharedWork<number>();
  const fail = async () => {
    throw new Error('away');
  };
  const all = await Promise.allSettled([shared.take('a', fail), shared.take('a', fail)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.take('a', async () => 1)).toBe(1);
});
