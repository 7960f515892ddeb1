import { expect, it } from 'vitest';
import { addBox, milliseconds } from '../../../../src-main/cli/focus/arguments.ts';

it.each([
  ['90', 90_000],
  ['1:30', 90_000],
  ['1:02:03.5', 3_723_500],
])('reads a time: %s', (text, ms) => {
  expect(milliseconds(text)).toBe(ms);
});

it.each(['', '-1', '1:2:3:4', 'soon', '1e9'])('takes nothing else for one: %j', (text) => {
  expect(() => milliseconds(text)).toThrow('It is a time');
});

it('reads boxes one after the other', () => {
  const first = addBox('1:05-1:30.5:0.2,0.1,0.5,0.25', []);
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
  expect(() => addBox(text, [])).toThrow(/^It(s time has to go on| is a time)/);
});
