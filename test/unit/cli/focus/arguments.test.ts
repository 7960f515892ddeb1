import { describe, expect, it } from 'vitest';
import { addBox, addCut, appealNote, type Cut, moment } from '../../../../src-main/cli/focus/arguments.ts';
import { checkPieces, keptPieces } from '../../../../src-main/cli/focus/kept-pieces.ts';

it.each([
  ['90', 90_000],
  ['1:30', 90_000],
  ['1:02:03.5', 3_723_500],
])('reads a time: %s', (text, ms) => {
  expect(moment(text)).toEqual({ ms, text });
});

it.each(['', '-1', '1:2:3:4', 'soon', '1e9', '1:99', '1:60', '1:75:00'])('takes nothing else for one: %j', (text) => {
  expect(() => moment(text)).toThrow('It is a time');
});

it('takes no note that is empty, or too long', () => {
  expect(appealNote(' It is work. ')).toBe('It is work.');
  expect(() => appealNote(' ')).toThrow('The note must not be empty.');
  expect(() => appealNote('x'.repeat(1_001))).toThrow('at most 1000 characters');
});

it('reads boxes one after the other', () => {
  const first = addBox('1:05-1:30.5:0.2,0.1,0.5,0.25');
  expect(addBox('0-2:0,0,1,1', first)).toEqual([
    { fromMs: 65_000, toMs: 90_500, x: 0.2, y: 0.1, width: 0.5, height: 0.25 },
    { fromMs: 0, toMs: 2_000, x: 0, y: 0, width: 1, height: 1 },
  ]);
});

it.each([
  '1:05-1:30',
  '1:05-1:30:0.2,0.1,0.5',
  '1:30-1:05:0.2,0.1,0.5,0.25',
  '0-1:0,0,0,1',
  '0-1:0,0,2,1',
  '0-1:0,0,1.1.1,1',
  'a-b:0,0,1,1',
])('takes no box for one that is none: %s', (text) => {
  expect(() => addBox(text)).toThrow(/^It(s time has to go on| is a time)/);
});

it('reads pieces one after the other, as many as leave what a command may keep', () => {
  const first = addCut('1:05-1:30.5');
  expect(first).toEqual([{ fromMs: 65_000, toMs: 90_500, text: '1:05-1:30.5' }]);
  let all: Cut[] = [];
  for (let second = 0; second < 199; second++) all = addCut(`${2 * second}-${2 * second + 1}`, all);
  expect(all).toHaveLength(199);
  expect(() => addCut('500-501', all)).toThrow('at most 199');
});

it.each(['1:05', '1:05-', '-1:05', '1:30-1:05', '5-5', 'a-b', '1-2-3'])(
  'takes no piece for one that is none: %s',
  (text) => {
    expect(() => addCut(text)).toThrow(/^It (is from when to when|ends after it begins)/);
  },
);

describe('what is kept of a recording of 1:25.5', () => {
  const kept = ({ from, to, cuts = [] }: { from?: string; to?: string; cuts?: string[] }) => {
    const flags = {
      ...(from !== undefined && { from: moment(from) }),
      ...(to !== undefined && { to: moment(to) }),
      cut: cuts.reduce<Cut[]>((all, text) => addCut(text, all), []),
    };
    checkPieces(flags);
    return keptPieces(flags, 85_500)?.map(({ fromMs, toMs }) => [fromMs / 1_000, toMs / 1_000]);
  };

  it('is all of it, unless something is left out', () => {
    expect(kept({})).toBeUndefined();
    expect(kept({ from: '0' })).toBeUndefined();
  });

  it('is what lies between a beginning and an end', () => {
    expect(kept({ from: '0:10' })).toEqual([[10, 86.5]]);
    expect(kept({ from: '0:10', to: '1:00' })).toEqual([[10, 60]]);
  });

  it('is what lies around pieces, which may overlap and come in any order', () => {
    expect(kept({ cuts: ['0:40-1:00', '0-5', '0:30-0:45'] })).toEqual([
      [5, 30],
      [60, 86.5],
    ]);
  });

  it('ends before a piece that goes to the length that is told', () => {
    expect(kept({ cuts: ['1:00-1:25'] })).toEqual([[0, 60]]);
    expect(kept({ cuts: ['1:00-99:59'] })).toEqual([[0, 60]]);
  });

  it.each([
    [
      { from: '10', cuts: ['20-30'] },
      'Say either what is kept (--from, --to) or what is left out (--cut), and not both.',
    ],
    [{ from: '1:00', to: '0:30' }, '--to 0:30 is not after --from 1:00.'],
    [{ to: '0:00' }, 'There is nothing before --to 0:00.'],
    [{ from: '2:00' }, 'There is nothing after --from 2:00: the recording is 1:25 long.'],
    [{ cuts: ['5-6', '2:00-2:30'] }, 'There is nothing to leave out at --cut 2:00-2:30: the recording is 1:25 long.'],
    [
      { cuts: ['0-60', '1:00-1:25'] },
      'Nothing would be left: the recording is 1:25 long, and there is --cut 0-60 --cut 1:00-1:25.',
    ],
  ])('is told in the words of who asked where it makes no sense: %j', (flags, message) => {
    expect(() => kept(flags)).toThrow(message);
  });
});
