import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hvm } from '../../../../src-main/subnets/affine/hvm/hvm.ts';
import { type Instruction, run } from '../../../../src-main/subnets/affine/hvm/machine.ts';
import { classic } from '../../../../src-main/subnets/affine/hvm/programs.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';

const rest = (a: number, b: number) => ((a % b) + b) % b;
const NAMES = ['?a', '?b', '?c', '?d', '?e', '?f'] as const;
type Six = [number, number, number, number, number, number];
const filled = (values: Six) =>
  new Map([...NAMES.map((name, at) => [name, values[at]!] as const), ['?g', 25], ['?h', 12]]);

/** What the program of the original comes to (Affine, HVM). */
function closedForm([a, b, k]: [number, number, number], [ha, hb, hc, hd, he, hf]: Six): string[] {
  const start = a + b * ha * hb;
  let x = start;
  for (let turn = 0; turn < k; turn++) x = rest(x * hd + he, hf);
  return [String(rest(start, hc)), String(x)];
}

describe('the machine', () => {
  it.each([
    [
      [3, -5, 4],
      [2, -3, 7, 5, -2, 11],
      ['5', '7'],
    ],
    [
      [-8, 8, 1],
      [9, 9, 30, 12, -9, 30],
      ['10', '21'],
    ],
  ] as [[number, number, number], Six, string[]][])('prints of inputs %j and holes %j %j', (inputs, holes, printed) => {
    expect(run(classic().program, filled(holes), inputs)).toEqual(printed);
  });

  it('does what the program of the original comes to', () => {
    const value = fc.integer({ min: -8, max: 8 });
    const [term, divisor, factor] = [fc.integer({ min: -9, max: 9 }), fc.integer({ min: 3, max: 30 }), fc.nat(12)];
    const inputs = fc.tuple(value, value, fc.integer({ min: 1, max: 8 }));
    const holes = fc.tuple(term, term, divisor, factor, term, divisor);
    fc.assert(
      fc.property(inputs, holes, (given, six) => {
        expect(run(classic().program, filled(six), given)).toEqual(closedForm(given, six));
      }),
      { numRuns: 1_000 },
    );
  });

  const print: Instruction[] = [{ op: 'PRINT' }, { op: 'HALT' }];
  const of = (a: number, op: 'DIV' | 'MOD' | 'SUB', b: number): Instruction[] => [
    ...[{ op: 'PUSH', value: a } as const, { op: 'PUSH', value: b } as const, { op }],
    ...print,
  ];
  it.each([
    [of(-7, 'DIV', 2), '-3'],
    [of(-7, 'MOD', 2), '1'],
    [of(7, 'MOD', -2), '-1'],
    [of(7, 'SUB', 9), '-2'],
  ])('reckons %j as %s', (program, printed) => {
    expect(run(program, new Map(), [])).toEqual([printed]);
  });

  it.each<[string, Instruction[]]>([
    ['divides by nothing', of(1, 'DIV', 0)],
    ['takes the rest of a division by nothing', of(1, 'MOD', 0)],
    ['takes from an empty stack', [{ op: 'POP' }, { op: 'HALT' }]],
    ['loads what was not given', [{ op: 'LOAD', input: 0 }, ...print]],
    ['runs off its end', [{ op: 'PUSH', value: 1 }]],
    ['jumps out of itself', [{ op: 'JMP', to: -1 }]],
    ['has a hole that nobody filled', [{ op: 'PUSH', value: '?a' }, ...print]],
    ['never ends', [{ op: 'JMP', to: 0 }]],
    [
      'piles up',
      [
        { op: 'PUSH', value: 1 },
        { op: 'JMP', to: 0 },
      ],
    ],
    ['makes a number without end', [{ op: 'PUSH', value: 9 }, { op: 'DUP' }, { op: 'MUL' }, { op: 'JMP', to: 1 }]],
  ])('prints nothing where a program %s', (_, program) => {
    expect(run(program, new Map(), [])).toBeUndefined();
  });
});

/** Program, holes and cases, as the prompt tells them. */
function read(prompt: string) {
  const program = [...prompt.matchAll(/^(\d{3}): (\w+)(?: (\S+))?$/gm)].map(([, , op, argument]) => {
    const number = argument?.startsWith('?') ? argument : Number(argument);
    const name = op === 'PUSH' ? 'value' : op === 'LOAD' ? 'input' : 'to';
    return { op, ...(argument !== undefined && { [name]: number }) } as Instruction;
  });
  const holes = [...prompt.matchAll(/^- (\?\w+): (?:\[(-?\d+), (-?\d+)\]|\{(-?\d+)(?:.*, (-?\d+))?\})/gm)].map(
    ([, name, least, most, first, last]) =>
      ({ name, least: Number(least ?? first), most: Number(most ?? last ?? first) }) as const,
  );
  const cases = [...prompt.matchAll(/input=\[(.*)\] {2}expected stdout=\n---\n([\s\S]*?)\n---/g)].map(
    ([, inputs, printed]) => ({ inputs: inputs!.split(', ').map(Number), printed: printed!.split('\n') }),
  );
  return { program, holes, cases };
}

const judged = await pose(hvm, 'usual', 'judged');

describe('a program with holes', () => {
  it('of the original can be solved by whoever reads the prompt and knows what it comes to', async () => {
    const { prompt, judge } = await pose(hvm, 'classic', 'one');
    const { program, holes, cases } = read(prompt);
    expect(program).toEqual(classic().program);
    expect(holes.map(({ name, least, most }) => [name, least, most])).toEqual(
      [...classic().holes].map(([name, { least, most }]) => [name, least, most]),
    );
    const found = solveClassic(cases.map(({ inputs, printed }) => ({ inputs, printed })) as never);
    const answer = [...filled(found)].map(([name, value]) => `${name} = ${value}`).join('\n');
    expect(judge(`<holes>\n# as found\n${answer}\n\n</HOLES>`).score).toBe(1);
  });

  it.each(['usual', 'hard'])(
    'that is %s is another one each time: what solves the original’s solves none',
    async (level) => {
      const posed = await Promise.all(Array.from({ length: 40 }, (_, seed) => pose(hvm, level, `${seed}`)));
      const programs = new Set(posed.map(({ prompt }) => JSON.stringify(read(prompt).program)));
      expect(programs.size).toBeGreaterThan(level === 'hard' ? 38 : 30);
      expect(programs).not.toContain(JSON.stringify(classic().program));
    },
  );

  it.each(hvm.levels)('that is %s runs to its end, whatever fills it', async (level) => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.infiniteStream(fc.nat()), async (seed, draws) => {
        const { program, holes, cases } = read((await pose(hvm, level, seed)).prompt);
        const filling = new Map(
          holes.map(({ name, least, most }) => [name!, least + ((draws.next().value as number) % (most - least + 1))]),
        );
        for (const { inputs } of cases) expect(run(program, filling, inputs)).toBeDefined();
      }),
    );
  });

  const { holes } = read(judged.prompt);
  const first = holes.map(({ name, least }) => `${name}=${least}`);
  it.each([
    ['', 'affine.hvm.noHoles'],
    ['?a=1', 'affine.hvm.noHoles'],
    ['<HOLES></HOLES>', 'affine.hvm.missing'],
    [`<HOLES>\n${first.join('\n')}\nand so on\n</HOLES>`, 'affine.hvm.noHoles'],
    [`<HOLES>\n${first.slice(1).join('\n')}\n</HOLES>`, 'affine.hvm.missing'],
    [`<HOLES>\n${[...first, '?zz=1'].join('\n')}\n</HOLES>`, 'affine.hvm.unknownHole'],
    [`<HOLES>\n${[...first, '?a=100'].join('\n')}\n</HOLES>`, 'affine.hvm.outside'],
    [`<HOLES>\n${[...first, '?a=9999999999999999'].join('\n')}\n</HOLES>`, 'affine.hvm.noHoles'],
    [`<HOLES>\n${first.join('\n')}\n</HOLES>`, 'affine.hvm.failed'],
    [`<think><HOLES>\n${first.join('\n')}\n</HOLES></think>`, 'affine.hvm.noHoles'],
  ])('judges %j: %s', (answer, key) => {
    expect(judged.judge(answer)).toMatchObject({ score: 0, reason: { key } });
  });
});

/** By the closed form, hole by hole: what is left of 69,906,928 possibilities. */
function solveClassic(cases: { inputs: [number, number, number]; printed: string[] }[]): Six {
  const all = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, at) => least + at);
  for (const ha of all(-9, 9))
    for (const hb of all(-9, 9)) {
      const begins = cases.map(({ inputs: [a, b] }) => a + b * ha * hb);
      const hc = all(3, 30).find((c) => cases.every(({ printed }, at) => String(rest(begins[at]!, c)) === printed[0]));
      if (hc === undefined) continue;
      for (const hd of all(0, 12))
        for (const he of all(-9, 9))
          for (const hf of all(3, 30)) {
            const six: Six = [ha, hb, hc, hd, he, hf];
            if (cases.every(({ inputs, printed }) => closedForm(inputs, six)[1] === printed[1])) return six;
          }
    }
  throw new Error('there is no filling');
}
