import { expect, it } from 'vitest';
import { clipIds } from '../../../../src-main/cli/data/arguments.ts';

const id = (digit: number) => digit.toString(16).repeat(32);

it('takes clips of one submission, each once', () => {
  const clips = [1, 2, 3, 4, 5, 6, 7, 8].map(id);
  expect(clips.reduce<string[]>((before, clip) => clipIds(clip, before), [])).toEqual(clips);
  expect(() => clipIds(id(9), clips)).toThrow('8 clips at the most');
  expect(() => clipIds(id(1), [id(1)])).toThrow('named twice');
  expect(() => clipIds('zz')).toThrow('32 hexadecimal digits');
});
