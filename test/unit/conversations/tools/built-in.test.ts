import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTool, toolsNamed } from '../../../../src-main/conversations/tools/built-in.ts';
import { calculate } from '../../../../src-main/conversations/tools/calculator.ts';
import { currentTime } from '../../../../src-main/conversations/tools/current-time.ts';

const AT = Date.UTC(2026, 10, 23, 2, 5, 9);

describe('the calculator', () => {
  it.each([
    ['12 * 7', '84'],
    ['12 × 7 ÷ 2 − 1', '41'],
    ['0.1 + 0.2', '0.3'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2^-1', '0.5'],
    ['(1 + 2) * 3 % 5', '4'],
    ['sqrt(2)', '1.4142135623731'],
    ['Math.max(1, 2, 3) + PI', '6.14159265358979'],
    ['1e3 / 8', '125'],
    ['ln(e)', '1'],
    ['2^70', '1.18059162071741e+21'],
  ])('%s is %s', (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  it.each([
    ['1 / 0', /no end/],
    ['sqrt(-1)', /no number/],
    ['1 +', /no expression/],
    ['process', /not known/],
    ['constructor.constructor("return 1")()', /function/],
    ['"a" + 1', /Only numbers/],
    ['[1][0]', /Only numbers/],
    ['x = 1', /./],
    ['this', /./],
    ['toString()', /no function/],
    ['', /./],
    ['1; 2', /Only numbers/],
    ['9'.repeat(501), /longer than 500/],
    ['('.repeat(400), /no expression/],
  ])('%s is told why not', (expression, why) => {
    expect(() => calculate(expression)).toThrow(why);
  });

  it('computes what JavaScript computes, and never fails otherwise than by telling', () => {
    const number = fc.integer({ min: 0, max: 999 }).map(String);
    const operator = fc.constantFrom('+', '-', '*');
    fc.assert(
      fc.property(fc.array(fc.tuple(number, operator), { minLength: 1, maxLength: 8 }), number, (terms, last) => {
        const expression = terms.map(([value, sign]) => `${value} ${sign} `).join('') + last;
        // The operators are JavaScript’s own.
        const expected: unknown = new Function(`return ${expression}`)();
        expect(Number(calculate(expression))).toBeCloseTo(Number(expected), -9);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          runTool({ id: '1', name: 'calculator', arguments: JSON.stringify({ expression: text }) }, () => 0),
        ).toEqual({
          result: expect.any(String),
          failed: expect.any(Boolean),
        });
      }),
    );
  });
});

describe('the time', () => {
  it.each([
    ['UTC', 'Monday, 2026-11-23, 02:05:09 (UTC, GMT+00:00)'],
    ['America/New_York', 'Sunday, 2026-11-22, 21:05:09 (America/New_York, GMT-05:00)'],
  ])('in %s', (zone, told) => {
    expect(currentTime(AT, zone)).toBe(told);
  });

  it('without a zone is the computer’s, and of no zone none', () => {
    expect(currentTime(AT)).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(() => currentTime(AT, 'Moon/Sea')).toThrow('Europe/Berlin');
  });
});

it('what is no tool, or no arguments, is a failure that the model is told', () => {
  const run = (name: string, args: string) => runTool({ id: '1', name, arguments: args }, () => AT);
  expect(run('rm', '{}')).toEqual({ result: 'There is no tool «rm».', failed: true });
  expect(run('__proto__', '{}')).toMatchObject({ failed: true });
  expect(run('calculator', '{')).toMatchObject({ failed: true });
  expect(run('calculator', '{"expression": {"a": 1}}')).toMatchObject({ failed: true });
  expect(run('current_time', '{"timezone":"UTC"}')).toEqual({ result: currentTime(AT, 'UTC'), failed: false });
  expect(toolsNamed(['calculator']).map(({ name }) => name)).toEqual(['calculator']);
});
