import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import { abd } from '../../src-main/subnets/affine/abd/abd.ts';
import { SORTS as PRINTING } from '../../src-main/subnets/affine/abd/programs.ts';
import { ded } from '../../src-main/subnets/affine/ded/ded.ts';
import { SORTS as WANTED } from '../../src-main/subnets/affine/ded/tasks.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';
import { ROUNDS } from '../support/rounds.ts';

let sandbox: PythonSandbox;
beforeAll(() => {
  sandbox = new PythonSandbox();
});
afterAll(() => sandbox.close());

/** Each program is a process that takes seconds to start. */
const LONG = { tags: ['long', 'seldom'] };
/** All three with QUARRY_TEST_ROUNDS=2. */
const SEEDS = ROUNDS > 1 ? ['a', 'b', 'c'] : ['a'];

describe('ABD', LONG, () => {
  it.each([...PRINTING.keys()])('sort %d prints of its input what it says', async (sort) => {
    for (const seed of SEEDS) {
      const { program, input, printed } = PRINTING[sort]!(new SeededRandom(`${seed} ${sort}`));
      const [ran] = await sandbox.run(program, [input]);
      expect(ran).toMatchObject({ outcome: 'ran', stderr: '', stdout: `${printed}\n` });
    }
  });

  it('takes any input that makes the program print the same, and no other', async () => {
    const environment = abd(sandbox);
    const task = await environment.pose(new SeededRandom('judged'), 'usual');
    expect(environment.prompt(task)).not.toContain(`\n${task.input}\n`);
    const judged = async (answer: string) => (await environment.judge(task, answer)).reason.key;
    expect(await judged(`<think><INPUT>no</INPUT></think>So:\n<INPUT>\n${task.input}  \n\n</INPUT>`)).toBe(
      'affine.abd.found',
    );
    expect(await judged(task.input)).toBe('affine.abd.noInput');
    expect(await judged('<INPUT></INPUT>')).toMatch(/affine\.abd\.(refused|otherwise)/);
    expect(await judged('<INPUT>nonsense</INPUT>')).toMatch(/affine\.abd\.(refused|otherwise)/);
  });
});

/** Each sort of program, told by its words, as somebody else would write it. */
const SOLUTIONS: [RegExp, (numbers: string[]) => string][] = [
  [
    /divisible by (\d+) exactly (\d+) times.*divided by (\d+)/,
    ([k, f, m]) =>
      `input()\ns = 0\nfor v in map(int, input().split()):\n    s += v * (${f} if v % ${k} == 0 else 1)\nprint(s)\nprint(s % ${m})`,
  ],
  [
    /fewer than (\d+) letters. Print the (\d+) most/,
    ([least, most]) =>
      `from collections import Counter\nc = Counter(w for w in input().split() if len(w) >= ${least})\ntop = sorted(c.items(), key=lambda x: (-x[1], x[0]))[:${most}]\nprint("\\n".join("%s %d" % x for x in top) if top else "NONE")`,
  ],
  [
    /a run of (\d+) or more equal letters becomes the letter, the sign (.) and/,
    ([least, mark]) =>
      `from itertools import groupby\nout = ""\nfor c, g in groupby(input()):\n    n = len(list(g))\n    out += c + "${mark}" + str(n) if n >= ${least} else c * n\nprint(out)`,
  ],
  [
    /costs a fee of (\d+) besides.* fall below -(\d+)/,
    ([fee, over]) =>
      `a = r = 0\nwhile True:\n    line = input().split()\n    if line[0] == "end": break\n    n = int(line[1])\n    if line[0] == "in": a += n\n    elif a - n - ${fee} < -${over}: r += 1\n    else: a -= n + ${fee}\nprint(a)\nprint(r)`,
  ],
  [
    /Turn it (\d+) times by 90 degrees clockwise.*by (\d+), and print/,
    ([turns, factor]) =>
      `r, c = map(int, input().split())\nt = [list(map(int, input().split())) for _ in range(r)]\nfor _ in range(${turns}):\n    t = [list(x) for x in zip(*t[::-1])]\nt[0] = [v * ${factor} for v in t[0]]\nfor row in t: print(*row)`,
  ],
  [
    /a gap of at most (\d+) between/,
    ([gap]) =>
      `n = int(input())\ns = sorted(tuple(map(int, input().split())) for _ in range(n))\nj = []\nfor a, b in s:\n    if j and a - j[-1][1] <= ${gap}: j[-1][1] = max(j[-1][1], b)\n    else: j.append([a, b])\nprint(len(j))\nprint(sum(b - a for a, b in j))`,
  ],
  [
    /Move every (\d+)th letter .* spaces not counted\) (\d+) places/,
    ([every, step]) =>
      `n = 0\nout = []\nfor c in input():\n    if c != " ":\n        n += 1\n        if n % ${every} == 0: c = chr((ord(c) - 97 + ${step}) % 26 + 97)\n    out.append(c)\nprint(" ".join(w[::-1] for w in "".join(out).split(" ")))`,
  ],
  [
    /by no more than (\d+); of several/,
    ([jump]) =>
      `v = list(map(int, input().split()))\nbest = None\nfor i in range(len(v)):\n    j = i\n    while True:\n        key = (j - i + 1, sum(v[i:j + 1]))\n        if best is None or key > best: best = key\n        if j + 1 < len(v) and 0 < v[j + 1] - v[j] <= ${jump}: j += 1\n        else: break\nprint(*best, sep="\\n")`,
  ],
];

describe('DED', () => {
  const inFence = (program: string) => `Here it is:\n\`\`\`python\n${program}\n\`\`\`\nIt reads and prints.`;
  const environment = () => ded(sandbox);

  it('is solved by whoever does what it says', async () => {
    const task = await environment().pose(new SeededRandom('one'), 'usual');
    const [words, write] = SOLUTIONS.find(([words]) => words.test(task.text))!;
    const [, ...numbers] = words.exec(task.text)!;
    expect(await environment().judge(task, inFence(write(numbers)))).toMatchObject({ score: 1 });
  });

  it('has a solution here for each of its sorts', () => {
    const texts = WANTED.map((sort, at) => sort(new SeededRandom(`${at}`)).text);
    expect(texts.map((text) => SOLUTIONS.findIndex(([words]) => words.test(text)))).toEqual([...SOLUTIONS.keys()]);
  });

  it.each([...SOLUTIONS.keys()])('sort %d is solved by whoever does what it says', LONG, async (at) => {
    const [words, write] = SOLUTIONS[at]!;
    let solved = 0;
    for (let seed = 0; solved < SEEDS.length; seed++) {
      const task = await environment().pose(new SeededRandom(`${seed}`), 'usual');
      const [, ...numbers] = words.exec(environment().prompt(task)) ?? [];
      if (numbers.length === 0) continue;
      const judged = await environment().judge(task, inFence(write(numbers)));
      expect(judged).toMatchObject({ score: 1, reason: { key: 'affine.ded.solved' } });
      solved++;
    }
  });

  it('takes nothing else', LONG, async () => {
    const task = await environment().pose(new SeededRandom('judged'), 'usual');
    const judged = async (answer: string) => (await environment().judge(task, answer)).reason.key;
    const [first] = task.examples;
    expect(await judged('')).toBe('affine.ded.noProgram');
    expect(await judged('I cannot do this.')).toBe('affine.ded.failedFirst');
    expect(await judged(inFence(`print(${JSON.stringify(first?.stdout)})`))).toMatch(/affine\.ded\.failed(First|At)/);
    expect(await judged(inFence('while True: pass'))).toBe('affine.ded.late');
    expect(await judged(inFence('import os\nos._exit(0)'))).toMatch(/affine\.ded\.(died|failed)/);
  });
});
