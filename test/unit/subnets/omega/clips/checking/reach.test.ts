import { describe, expect, it } from 'vitest';
import type { StoredLook } from '../../../../../../src-main/store/clips/clip-looks.ts';
import { blockedSources, isOutOfReach } from '../../../../../../src-main/subnets/omega/clips/checking/reach.ts';

let numbers = 0;
const look = (changed: Partial<StoredLook> = {}): StoredLook => ({
  ...{ number: ++numbers, peer: 'one', deep_check: 'right', looked_source: 'commons', unseen: null, ...changed },
});
const unseen = (why: StoredLook['unseen'], changed: Partial<StoredLook> = {}) =>
  look({ deep_check: 'notFetched', unseen: why, ...changed });
const several = (count: number, make: (at: number) => StoredLook) => Array.from({ length: count }, (_, at) => make(at));
/** Of so many others. */
const others = (count: number, make: (changed: Partial<StoredLook>) => StoredLook) =>
  several(count, (at) => make({ peer: `other ${at}` }));

describe('a miner is out of reach', () => {
  it.each<[string, StoredLook[], StoredLook[]]>([
    [
      'whose clips are not there, whatever is with others',
      several(3, () => unseen('gone')),
      others(2, (changed) => unseen('gone', changed)),
    ],
    ['whose clips cannot be fetched where others’ can', several(3, () => unseen('blocked')), others(5, look)],
    [
      'whose server cannot be reached, though nobody else’s from such a server can be either',
      several(3, () => unseen('blocked', { looked_source: 'peertube' })),
      [...others(3, (changed) => unseen('blocked', { ...changed, looked_source: 'peertube' })), ...others(5, look)],
    ],
    ['whose server has other bytes', several(3, () => look({ deep_check: 'differs' })), []],
  ])('%s', (_, own, rest) => {
    expect(isOutOfReach(own, rest)).toBe(true);
    expect(isOutOfReach(own.slice(1), rest)).toBe(false);
  });
});

describe('a miner is not out of reach', () => {
  it.each<[string, StoredLook[], StoredLook[]]>([
    ['of whom all could be fetched', several(9, () => look()), others(5, look)],
    ['who alone has clips from a source that cannot be reached', several(9, () => unseen('blocked')), []],
    [
      'where one source cannot be reached, and others can',
      several(9, () => unseen('blocked', { looked_source: 'archive' })),
      [...others(2, (changed) => unseen('blocked', { ...changed, looked_source: 'archive' })), ...others(9, look)],
    ],
    [
      'where nothing of anybody can be fetched',
      several(9, () => unseen('gone')),
      others(3, (changed) => unseen('blocked', changed)),
    ],
  ])('%s', (_, own, rest) => expect(isOutOfReach(own, rest)).toBe(false));
});

it('a node is kept from a source of which more than a fifth of the looks came to nothing, and from no other', () => {
  const archive = { looked_source: 'archive' as const };
  const fifth = [...several(8, () => look(archive)), ...several(2, () => unseen('blocked', archive))];
  const mine = several(9, () => unseen('blocked', { looked_source: 'peertube' }));
  const fine = several(30, () => look());
  expect(blockedSources([...fine, ...fifth, ...mine, ...mine])).toEqual([]);
  expect(blockedSources([...fine, ...fifth, unseen('gone', archive)])).toEqual([
    { source: 'archive', all: 11, unfetched: 3 },
  ]);
});
