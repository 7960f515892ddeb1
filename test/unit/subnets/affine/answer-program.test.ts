import { describe, expect, it } from 'vitest';
import { programIn, runnable } from '../../../../src-main/subnets/affine/ded/answer-program.ts';
import { printsSame } from '../../../../src-main/subnets/affine/programs/output.ts';

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

  it('is asked for what it returns, where it only defines how to solve it', () => {
    expect(runnable('def solve():\n    return 1')).toMatch(/_result = solve\(\)/);
    for (const whole of [
      'print(1)',
      'def solve():\n    print(1)\nsolve()',
      'def solve(): pass\nif __name__ == "__main__": solve()',
    ])
      expect(runnable(whole)).toBe(whole);
  });
});

it.each([
  ['1\n2\n', '1\n2', true],
  ['1  \r\n2\t\r\n\r\n', '1\n2', true],
  ['1\n\n2', '1\n2', false],
  [' 1', '1', false],
  ['', '', true],
])('%j is %j printed: %s', (printed, expected, same) => {
  expect(printsSame(printed, expected)).toBe(same);
});
