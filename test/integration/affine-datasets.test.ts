import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import { affineDatasetKinds } from '../../src-main/subnets/affine/datasets.ts';
import type { DatasetKind } from '../../src-main/validation/datasets/dataset-kind.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';

let sandbox: PythonSandbox;
let kinds: ReadonlyMap<string, DatasetKind>;
beforeAll(() => {
  sandbox = new PythonSandbox();
  kinds = affineDatasetKinds(sandbox);
});
afterAll(() => sandbox.close());

/** Each program is a process that takes seconds to start. */
const LONG = { tags: ['long', 'seldom'] };

async function posed(kind: string, rows: readonly unknown[], seed = 'x') {
  const of = kinds.get(kind)!;
  let drawn = 0;
  const task = await of.pose(new SeededRandom(seed), async () => of.row.parse(rows[drawn++ % rows.length]));
  const judged = async (answer: string) => (await of.judge(task, answer)).reason.key.split('.').at(-1);
  return { prompt: of.prompt(task), judged, drawn };
}
const inFence = (program: string) => `\`\`\`python\n${program}\n\`\`\``;

describe('DED out of rows', LONG, () => {
  const call = (fn_name: string, input: unknown, output: unknown) => ({
    type: 'function_call',
    fn_name,
    input,
    output,
  });

  it('has a program read and print', async () => {
    const cases = [
      ['1 2', '3'],
      ['5\n', ['5']],
    ].map(([input, output]) => ({ type: 'stdin_stdout', input, output }));
    const { judged } = await posed('ded', [{ prompt: 'Add.', test_cases: cases }]);
    expect(await judged(inFence('print(sum(map(int, input().split())))'))).toBe('solved');
    expect(await judged(inFence('print(3)'))).toMatch(/^failed/);
    expect(await judged(inFence('def add(a, b): return a + b'))).toMatch(/^failed/);
  });

  it('has a function called, and compares what it returns as the rows write it', async () => {
    const values = [
      ['word', 'word'],
      [[1, [2, 3]], [[1, 2, 3]]],
      [2, [2.0]],
      [0.1, [0.1]],
      [true, [true]],
      [null, [null]],
      [{ b: 'ä', a: 1 }, [{ a: 1, b: 'ä' }]],
    ];
    const { judged } = await posed('ded', [
      { prompt: 'Return it.', test_cases: values.map(([input, output]) => call('same', [input], output)) },
    ]);
    expect(await judged(inFence('def same(x):\n    return x'))).toBe('solved');
    expect(await judged(inFence('def same(x):\n    print("here")\n    return x'))).toMatch(/^failed/);
    expect(await judged(inFence('def other(x):\n    return x'))).toMatch(/^failed/);
  });
});

describe('ABD out of rows', LONG, () => {
  const row = {
    program: 'n = int(input())\nvalues = [int(input()) for _ in range(n)]\nprint(n, sum(v * 3 for v in values))',
    inputs: '3\n10\n20\n30',
    output: '3 180',
  };

  it('asks for what the program prints of another input, and is the same again', async () => {
    const { prompt, judged } = await posed('abd', [row]);
    const [, expected = ''] = /Expected output:\n```\n(.*)\n```/.exec(prompt) ?? [];
    expect(expected).toMatch(/^[23] \d+$/);
    expect(expected).not.toBe(row.output);
    const [count, sum] = expected.split(' ').map(Number) as [number, number];
    const input = [count, sum / 3, ...Array(count - 1).fill(0)].join('\n');
    expect(await judged(`<INPUT>\n${input}\n</INPUT>`)).toBe('found');
    expect(await judged(`<INPUT>\n${row.inputs}\n</INPUT>`)).toBe('otherwise');
    expect((await posed('abd', [row])).prompt).toBe(prompt);
  });

  it('leaves out a program that prints something else each time', async () => {
    const chance = { program: 'import random\nprint(input(), random.random())', inputs: '7 7', output: '7 0.5' };
    const { drawn } = await posed('abd', [chance, row]);
    expect(drawn).toBe(2);
  });
});

it('a program prints sets in the same order, whichever process runs it', LONG, async () => {
  const program = 'print(*{input(), "alpha", "beta", "gamma", "delta", "epsilon"})';
  const runs = await Promise.all([1, 2, 3].map(() => sandbox.run(program, ['word'])));
  expect(new Set(runs.map(([run]) => (run?.outcome === 'ran' ? run.stdout : run?.outcome))).size).toBe(1);
});
