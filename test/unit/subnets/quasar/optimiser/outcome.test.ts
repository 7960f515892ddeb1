import { describe, expect, it } from 'vitest';
import {
  compileOutcome,
  examinedOutcome,
  kindOf,
  MOST_DETAIL,
  repeatedOutcome,
} from '../../../../../src-main/subnets/quasar/optimiser/outcome.ts';

const SOURCE = Array.from({ length: 9 }, (_, at) => `line${at + 1};`).join('\n');

describe('what did not compile', () => {
  it('is told by the kind of its first mistake', () => {
    const kinds = [1109, 2304, 2339, 2322, 6054, 100, 9_999].map((code) => kindOf({ code }));
    expect(kinds).toEqual(['syntax', 'name', 'name', 'type', 'imports', 'type', 'unknown']);
  });

  it('is shown with the lines around it, and in bounds', () => {
    const mistake = { code: 2304, message: "Cannot find name 'x'.", line: 5 };
    const { outcome, detail } = compileOutcome({ mistakes: [mistake] }, SOURCE);
    expect(outcome).toBe('name');
    expect(detail).toContain("Line 5, AssemblyScript 2304: Cannot find name 'x'.");
    expect(detail).toContain('>    5 | line5;');
    expect(detail).toContain('     3 | line3;');
    expect(detail).not.toContain('line2;');
    const long = { mistakes: Array(5).fill({ ...mistake, message: 'x'.repeat(300), line: 1 }) };
    expect(compileOutcome(long, 'y'.repeat(60_000)).detail?.length).toBeLessThanOrEqual(MOST_DETAIL);
  });

  it('is too large, took too much, or broke the compiler', () => {
    expect(compileOutcome({ tooLarge: 70_000 }, '')).toMatchObject({ outcome: 'tooLarge' });
    expect(compileOutcome({ tooMuch: 'late' }, '')).toMatchObject({ outcome: 'late' });
    expect(compileOutcome({ tooMuch: 'outOfMemory' }, '')).toMatchObject({ outcome: 'outOfMemory' });
    expect(compileOutcome({ gaveUp: 'assertion failed' }, '').detail).toContain('assertion failed');
  });
});

it('what was examined is told with its reason, and with what helps', () => {
  const reason = { key: 'child.nonsense' };
  expect(examinedOutcome({ right: true, ratio: { median: 1, low: 1, high: 1 } })).toEqual({
    outcome: 'measured',
    detail: null,
  });
  const faults = [
    'imports',
    'exports',
    'memory',
    'traps',
    'late',
    'died',
    'tampers',
    'wrong',
    'too-complex',
    'not-a-module',
  ] as const;
  expect(faults.map((fault) => examinedOutcome({ right: false, fault, reason }).outcome)).toEqual([
    ...['imports', 'exports', 'memory', 'trap', 'late', 'outOfMemory', 'wrong', 'wrong', 'tooLarge', 'unknown'],
  ]);
  expect(examinedOutcome({ right: false, fault: 'imports', reason }).detail).toContain('A kernel imports nothing');
});

it('what was tried before says what came of it', () => {
  expect(repeatedOutcome(3, { outcome: 'late', detail: 'slow' }).detail).toContain(
    'attempt 3 again, which came to late: slow',
  );
});
