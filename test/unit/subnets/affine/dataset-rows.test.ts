import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueFault } from '../../../../src-main/base/value-fault.ts';
import { affineDatasetKinds } from '../../../../src-main/subnets/affine/datasets.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

/** What the sandbox was given. No program runs here: see affine-datasets.test.ts. */
const given: { program: string; inputs: readonly string[] }[] = [];
const kinds = affineDatasetKinds({
  run: async (program, inputs) => {
    given.push({ program, inputs });
    return inputs.map(() => ({ outcome: 'late' }) as const);
  },
});
const read = (kind: string, row: unknown) => kinds.get(kind)!.row.safeParse(row);
const fault = (kind: string, row: unknown) => {
  const issue = read(kind, row).error!.issues[0]!;
  return `${issue.path.join('.')} ${sentence(valueFault(issue))}`.trim();
};

const problem = 'What is 6 · 7?';
const prompt = 'Add the numbers of the line.';
const stdin = { type: 'stdin_stdout', input: '1 2', output: '3' };
const call = { type: 'function_call', fn_name: 'add', input: [1, 2], output: [3] };
const program = 'print(int(input()) + 1)';

/** What JSON.parse may give, and little else can do with. */
const ODD = [[Number.POSITIVE_INFINITY], { a: '\ud800' }, { '\udc00': 1 }, ['\0'], { a: [2 ** 60] }];

describe('a row', () => {
  it.each([
    ['elr', { problem, numerical_answer: 42 }, { problem, numerical_answer: '42' }],
    [
      'elr',
      { problem, numerical_answer: '$1,234.50', id: 7, license: null, more: [] },
      { numerical_answer: '1234.5', id: '7' },
    ],
    [
      'elr',
      { problem, numerical_answer: '123456789012345678901234567890' },
      { numerical_answer: '123456789012345678901234567890' },
    ],
    ['ded', { prompt, test_cases: [stdin] }, { test_cases: [{ ...stdin, input: '1 2\n' }] }],
    [
      'ded',
      { prompt, test_cases: [{ ...stdin, input: ['1', ['2', 3]], output: [4, { b: 1, a: true }] }] },
      { test_cases: [{ input: '1\n2\n3\n', output: '4\n{"a":true,"b":1}' }] },
    ],
    ['ded', { prompt, test_cases: [{ ...stdin, output: null }] }, { test_cases: [{ output: 'null' }] }],
    [
      'ded',
      { prompt, verification_info: JSON.stringify({ language: 'python', test_cases: [call] }) },
      { test_cases: [{ ...call, output: '3' }] },
    ],
    [
      'ded',
      { prompt, verification_info: { test_cases: [call] }, test_cases: null },
      { test_cases: [{ ...call, output: '3' }] },
    ],
    [
      'ded',
      { prompt, verification_info: null, test_cases: [{ ...call, input: 'word', output: [[1, 2], 9] }] },
      { test_cases: [{ input: ['word'], output: '1\n2' }] },
    ],
    ['abd', { program, inputs: '41\r\n', output: '42\n' }, { program, inputs: '41', output: '42' }],
    ['abd', { program, inputs: ['1', '2'], output: ['4', '2'] }, { inputs: '1\n2', output: '4\n2' }],
  ])('of %s: %j is kept as %j', (kind, row, kept) => {
    const { data } = read(kind, row);
    expect(data).toMatchObject(kept);
    expect(data).not.toHaveProperty('verification_info');
    expect(read(kind, JSON.parse(JSON.stringify(data))).data).toEqual(JSON.parse(JSON.stringify(data)));
  });

  it.each([
    ['elr', 'text', 'must be an object'],
    ['elr', null, 'must be an object'],
    ['elr', { problem }, 'numerical_answer has none of the shapes that it may have'],
    ['elr', { problem, numerical_answer: 'forty-two' }, 'numerical_answer must be a number of which'],
    ['elr', { problem, numerical_answer: 2 ** 60 }, 'numerical_answer must be a number of which'],
    ['elr', { problem, numerical_answer: Math.PI }, 'numerical_answer must be a number of which'],
    ['elr', { problem: ' ', numerical_answer: 1 }, 'problem must not be blank'],
    ['elr', { problem: '\u001b[2J', numerical_answer: 1 }, 'problem holds control characters'],
    ['elr', { problem: '\ud800', numerical_answer: 1 }, 'problem holds control characters'],
    ['elr', { problem: 'x'.repeat(60_001), numerical_answer: 1 }, 'problem must have at most 60000 characters'],
    ['ded', null, 'must be an object'],
    ['ded', { prompt }, 'test_cases is missing'],
    ['ded', { prompt, test_cases: [] }, 'test_cases must not be empty'],
    ['ded', { prompt, test_cases: [{ ...stdin, type: 'http' }] }, 'test_cases.0.type'],
    ['ded', { prompt, test_cases: [stdin, { ...stdin, output: undefined }] }, 'test_cases.1.output is missing'],
    ['ded', { prompt, test_cases: [{ ...call, fn_name: 'a; import os' }] }, 'test_cases.0.fn_name is written in'],
    ['ded', { prompt, test_cases: [{ ...call, input: [2 ** 60] }] }, 'test_cases.0.input must be a number of'],
    ['ded', { prompt, test_cases: [stdin, call] }, 'test_cases must all be of one sort'],
    ['ded', { prompt, test_cases: [call, { ...call, fn_name: 'other' }] }, 'test_cases must all be of one sort'],
    ['ded', { prompt, test_cases: Array(501).fill(stdin) }, 'test_cases must have at most 500 entries'],
    ['ded', { prompt, verification_info: "{'test_cases': []}" }, 'test_cases is missing'],
    ['ded', { prompt, verification_info: '['.repeat(65) }, 'test_cases is missing'],
    ['abd', { program, inputs: '', output: '42' }, 'inputs must not be blank'],
    ['abd', { program, inputs: '1', output: '77' }, 'output must have at least two different characters'],
    ['abd', { program, inputs: [1], output: '42' }, 'inputs has none of the shapes'],
  ])('of %s: %j is refused: %s', (kind, row, words) => {
    expect(fault(kind, row)).toContain(words);
  });

  it('may be anything that JSON has: it is kept, or refused with words', () => {
    const text = fc.string({ unit: 'binary' });
    const value = fc.oneof(fc.jsonValue(), text, fc.constantFrom(stdin, call, program, prompt, ...ODD));
    const cases = fc.record(
      { type: fc.constantFrom('stdin_stdout', 'function_call', 'x'), input: value, output: value, fn_name: text },
      { requiredKeys: [] },
    );
    const row = fc.record(
      {
        ...{ problem: value, numerical_answer: value, id: value, license: value, program: value, prompt: value },
        ...{ inputs: value, output: value, verification_info: value },
        test_cases: fc.oneof(value, fc.array(cases, { maxLength: 4 })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(row, fc.jsonValue()), (any) => {
        for (const kind of kinds.keys()) {
          const { data, error } = read(kind, any);
          if (error) expect(fault(kind, any)).toMatch(/\w/);
          else expect(read(kind, JSON.parse(JSON.stringify(data))).data).toEqual(JSON.parse(JSON.stringify(data)));
        }
      }),
    );
  });
});

describe('what is asked out of a row', () => {
  const posed = async (kind: string, row: unknown) => {
    const of = kinds.get(kind)!;
    const task = await of.pose(new SeededRandom('x'), async () => of.row.parse(row));
    return { prompt: of.prompt(task), judge: (answer: string) => of.judge(task, answer) };
  };

  it('of ELR is the problem, in the words of those that Quarry makes', async () => {
    const { prompt, judge } = await posed('elr', { problem: `${problem}\n`, numerical_answer: '1,000.50' });
    expect(prompt).toMatch(/^What is 6 · 7\?\n\nGive the number in these tags/);
    expect(await judge('<answer>$1000.5</answer>')).toMatchObject({ score: 1 });
    expect(await judge('<answer>1000.51</answer>')).toMatchObject({ score: 0 });
    expect(await judge('1000.5')).toMatchObject({ score: 0, reason: { key: 'affine.elr.noAnswer' } });
  });

  it('of DED is the prompt with rules: for a program that reads, or for a function', async () => {
    const reads = await posed('ded', { prompt, test_cases: [stdin] });
    expect(reads.prompt).toMatch(/^Add the numbers of the line\.\n\nRules:\n- The program is complete: it reads/);
    await reads.judge('```python\nprint(3)\n```');
    expect(given.at(-1)).toEqual({ program: 'print(3)', inputs: ['1 2\n'] });
    const calls = await posed('ded', { prompt, test_cases: [call, call] });
    expect(calls.prompt).toContain('- The program defines the function add, which returns');
    await calls.judge('```python\ndef add(a, b): return a + b\n```');
    expect(given.at(-1)!.inputs).toEqual(['[1,2]', '[1,2]']);
    expect(given.at(-1)!.program).toContain('print(_told(add(*_json');
  });

  it('of DED has so many cases tried at most, and not always the same', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ ...stdin, input: `${at}` }));
    const { judge } = await posed('ded', { prompt, test_cases: many });
    await judge('print()');
    expect(new Set(given.at(-1)!.inputs).size).toBe(20);
  });
});

describe('a program of ABD', () => {
  const row = { program: 'any', inputs: '7 7', output: '14 yes' };
  /** Poses out of rows whose programs print what is scripted. @param printed of an input, by its place among those that are tried */
  async function posed(printed: (input: string, at: number) => string | undefined, programs = ['any']) {
    let drawn = 0;
    const of = affineDatasetKinds({
      run: async (program, inputs) =>
        inputs.map((input, at) => {
          const stdout = program === 'good' ? (at === 0 ? row.output : `1 ${input}`) : printed(input, at);
          const ran = { outcome: 'ran' as const, stderr: '', truncated: false };
          return stdout === undefined ? { ...ran, stdout: '1 2', stderr: 'Error' } : { ...ran, stdout };
        }),
    }).get('abd')!;
    const draw = async () => of.row.parse({ ...row, program: programs[drawn++ % programs.length] });
    const task = await of.pose(new SeededRandom('x'), draw);
    return { prompt: of.prompt(task), drawn };
  }
  const example = (at: number, other: string | undefined) => (at === 0 ? `${row.output}  \n\n` : other);

  it('is asked for what it prints of another input', async () => {
    const { prompt, drawn } = await posed((input, at) => example(at, `got ${input}\n`));
    expect(drawn).toBe(1);
    expect(prompt).toMatch(/Expected output:\n```\ngot \d \d\n```/);
    expect(prompt).not.toContain('7 7');
  });

  it.each<[string, (input: string, at: number) => string | undefined]>([
    ['does not print what its example says', (input) => `got ${input}`],
    ['fails at its example', () => undefined],
    ['fails at everything else', (_, at) => example(at, undefined)],
    ['prints the same for everything', (_, at) => example(at, row.output)],
    ['prints one character', (_, at) => example(at, ' 7\n')],
    ['prints more than anybody reads', (_, at) => example(at, 'ab'.repeat(20_000))],
    ['prints something else each time', (_, at) => example(at, `time ${at}`)],
  ])('is left out if it %s', async (_, printed) => {
    expect((await posed(printed, ['bad', 'bad', 'good'])).drawn).toBe(3);
    await expect(posed(printed)).rejects.toMatchObject({ said: { message: { key: 'datasets.noProgram' } } });
  });
});
