import { expect, it } from 'vitest';
import type { ProgramRun, ProgramRunOptions, ProgramSandbox } from '../../../../../src-main/sandbox/program-sandbox.ts';
import { runInTurn } from '../../../../../src-main/sandbox/program-sandbox.ts';
import { BANDS } from '../../../../../src-main/subnets/quasar/code/bands.ts';
import type { CodeTask } from '../../../../../src-main/subnets/quasar/code/code-task.ts';
import { judgeCode } from '../../../../../src-main/subnets/quasar/code/judge-code.ts';

const task: CodeTask = {
  ...{ topic: 'made up', band: '8k-16k', entry: 'find', context: '', question: '' },
  cases: [1, 2, 3, 4].map((number) => ({
    files: { 'a.py': `# ${number}` },
    parameters: { number },
    expected: [number],
  })),
};
const ran = (stdout: string, truncated = false): ProgramRun => ({ outcome: 'ran', stdout, stderr: '', truncated });
const said = (outcome: object) => ran(`noise\n${JSON.stringify(outcome)}\n`);
const died: ProgramRun = { outcome: 'died', reason: { key: 'sandbox.killed' } };

/** A sandbox in which programs come to what a test says. @param control what comes of ours */
function scripted(of: (number: number, round: number) => ProgramRun, control: ProgramRun = said({ value: 3 })) {
  const seen: { program: string; options: ProgramRunOptions }[] = [];
  const sandbox: Pick<ProgramSandbox, 'run'> = {
    run: (program, inputs, options = {}) => {
      seen.push({ program, options });
      const round = seen.length;
      return runInTurn(inputs, options, async (stdin) =>
        program.includes('"control"') ? control : of(JSON.parse(stdin).parameters.number, round),
      );
    },
  };
  const judge = (answer = 'def find(files, parameters): pass') =>
    judgeCode(sandbox, task, answer, { party: 'a miner' });
  return { judge, seen };
}

it('is worth the share of cases, with the time of its band', async () => {
  const { judge, seen } = scripted((number) => said({ value: [number] }));
  expect(await judge('Thus:\n```python\nthe program\n```')).toMatchObject({
    score: 1,
    reason: { key: 'quasar.code.solved' },
  });
  expect(seen[0]?.options).toMatchObject({ party: 'a miner', time: BANDS['8k-16k'].time });
  expect(seen[0]?.program).toContain('_call("the program", "find")');
  const some = scripted((number) => said({ value: [number === 3 ? 0 : number] }));
  expect(await some.judge()).toMatchObject({
    score: 0.75,
    reason: { key: 'quasar.code.some', params: { passed: 3, why: { key: 'quasar.code.otherValue' } } },
  });
});

it('is worth nothing if it knows the code base that was shown and no other', async () => {
  const constant = scripted(() => said({ value: [1] }));
  expect(await constant.judge()).toMatchObject({ score: 0, reason: { key: 'quasar.code.shownOnly' } });
  const other = scripted(() => said({ value: [2] }));
  expect((await other.judge()).score).toBe(0.25);
});

it.each([
  ['late', { outcome: 'late' } as ProgramRun, 'late'],
  ['too much printed', ran('x'.repeat(100), true), 'large'],
  ['nothing', ran(''), 'silent'],
  ['no JSON', ran('{"value": NaN}'), 'silent'],
  ['something else', said({ score: 1 }), 'silent'],
  ['nested', ran(`{"value": ${'['.repeat(100_000)}`), 'silent'],
  ['lines without end', ran('\n'.repeat(1_000_000)), 'silent'],
  ['a fault of its own making', said({ fault: 'raised', name: `${'\u001b[31m'}Ex`.repeat(50), line: 3 }), 'raised'],
  ['syntax', said({ fault: 'syntax', name: 'SyntaxError', line: 1 }), 'syntax'],
  ['missing', said({ fault: 'missing' }), 'missing'],
  ['deep', said({ fault: 'deep' }), 'deep'],
  ['a prototype', ran('{"value": [1], "__proto__": {"value": [1]}}'), 'silent'],
])('says why it is worth nothing: %s', async (_, run, why) => {
  const { judge } = scripted(() => run);
  const { score, reason } = await judge();
  expect(score).toBe(0);
  expect(reason).toMatchObject({ key: 'quasar.code.none', params: { why: { key: `quasar.code.${why}` } } });
  expect(JSON.stringify(reason)).not.toContain('u001b');
  expect(JSON.stringify(reason).length).toBeLessThan(400);
});

it('asks no sandbox where there is no program', async () => {
  const { judge, seen } = scripted(() => said({ value: 1 }));
  expect(await judge('<think>def find(): pass</think>')).toMatchObject({
    score: 0,
    reason: { key: 'quasar.code.noProgram' },
  });
  expect(seen).toEqual([]);
});

it('is run for no other case where it is missing from all', async () => {
  let runs = 0;
  await scripted(() => {
    runs++;
    return said({ fault: 'missing' });
  }).judge();
  expect(runs).toBe(1);
});

it('that has died gets a second try; dead twice, it is at fault if ours lives', async () => {
  const once = scripted((number, round) => (round === 1 && number === 2 ? died : said({ value: [number] })));
  expect(await once.judge()).toMatchObject({ score: 1 });
  const twice = scripted((number) => (number === 3 ? died : said({ value: [number] })));
  expect(await twice.judge()).toMatchObject({
    score: 0.5,
    reason: { key: 'quasar.code.some', params: { passed: 2, why: { key: 'quasar.code.died' } } },
  });
  expect(twice.seen).toHaveLength(3);
});

it.each([died, { outcome: 'late' } as ProgramRun, ran('')])(
  'is not judged where ours does not live either',
  async (control) => {
    const { judge } = scripted(() => died, control);
    await expect(judge()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  },
);
