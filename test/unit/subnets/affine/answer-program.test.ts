import { expect, it } from 'vitest';
import { runnable } from '../../../../src-main/subnets/affine/ded/answer-program.ts';
import { printsSame } from '../../../../src-main/subnets/affine/programs/output.ts';

it('is asked for what it returns, where it only defines how to solve it', () => {
  expect(runnable('def solve():\n    return 1')).toMatch(/_result = solve\(\)/);
  for (const whole of [
    'print(1)',
    'def solve():\n    print(1)\nsolve()',
    'def solve(): pass\nif __name__ == "__main__": solve()',
  ])
    expect(runnable(whole)).toBe(whole);
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
