import { describe, expect, it } from 'vitest';
import { programIn } from '../../../src-main/validation/answer-program.ts';

const F = '```';

describe('the program of an answer', () => {
  it.each([
    [`${F}python\nprint(1)\n${F}`, 'print(1)'],
    [`First:\n${F}python\nprint(1)\n${F}\nBetter:\n${F}Python3\nprint(2)\n${F}`, 'print(2)'],
    [`${F}python\nprint(1)\n${F}\nOutput:\n${F}\n1\n${F}`, 'print(1)'],
    [`${F}\nprint(1)\n${F}`, 'print(1)'],
    [`${F}js\n1\n${F}\n${F}\nprint(2)\n${F}`, 'print(2)'],
    [`${F}python\nprint(1)`, 'print(1)'],
    [`${F}print(1)${F}`, 'print(1)'],
    ['  print(1)\n', 'print(1)'],
    ['', ''],
  ])('of %j is %j', (answer, program) => {
    expect(programIn(answer)).toBe(program);
  });
});
