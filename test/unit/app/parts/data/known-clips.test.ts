import { expect, it } from 'vitest';
import { knownIn } from '../../../../../src-main/app/parts/data/clip-checking.ts';

it('tells the index in one go what of a space and kind is kept no more', async () => {
  const told: unknown[] = [];
  const known = knownIn({
    nearest: async () => [],
    add: async () => undefined,
    remove: async (name, ids) => void told.push([name, ids]),
  });
  const gone = (id: string, space: string, kind: 'videos' | 'sounds') => ({ id, space, kind });
  await known.forgotten([
    gone('1', 's', 'videos'),
    gone('2', 's', 'sounds'),
    gone('3', 's', 'videos'),
    gone('4', 't', 'videos'),
  ]);
  expect(told).toEqual([
    [{ space: 's', kind: 'videos' }, ['1', '3']],
    [{ space: 's', kind: 'sounds' }, ['2']],
    [{ space: 't', kind: 'videos' }, ['4']],
  ]);
  await known.forgotten([]);
  expect(told).toHaveLength(3);
});
