import { describe, expect, it } from 'vitest';
import { type ProgramRunOptions, runInTurn } from '../../../../src-main/sandbox/program-sandbox.ts';
import { judgeProgram } from '../../../../src-main/subnets/affine/ded/ded.ts';
import { told } from '../../../../src-preload/contract/saying.ts';

it('a program is tried with no case after the first that it fails, in its miner’s time', async () => {
  const [asked, parties]: [string[], unknown[]] = [[], []];
  const sandbox = {
    run: (_: string, inputs: readonly string[], { party, ...options }: ProgramRunOptions = {}) => {
      parties.push(party);
      return runInTurn(inputs, options, async (stdin) => {
        asked.push(stdin);
        return { outcome: 'ran', stdout: asked.length < 4 ? stdin : 'wrong', stderr: '', truncated: false };
      });
    },
  };
  const hidden = Array.from({ length: 20 }, (_, at) => ({ stdin: `case ${at}`, stdout: `case ${at}` }));
  const judged = await judgeProgram(sandbox)({ text: '', hidden }, '```python\nprint(input())\n```', { party: 'slow' });
  expect(judged.score).toBe(0);
  expect(told({ message: judged.reason }).message).toBe('The program passes 3 of 20 test cases and fails test case 4.');
  expect([asked.length, parties]).toEqual([4, ['slow']]);
});

describe('a program that fails', () => {
  it('the very first case passes none', async () => {
    const sandbox = {
      run: (_: string, inputs: readonly string[], options: ProgramRunOptions = {}) =>
        runInTurn(inputs, options, async () => ({ outcome: 'ran', stdout: 'wrong', stderr: '', truncated: false })),
    };
    const hidden = Array.from({ length: 6 }, (_, at) => ({ stdin: `case ${at}`, stdout: `case ${at}` }));
    const { score, reason } = await judgeProgram(sandbox)({ text: '', hidden }, '```python\nprint(1)\n```');
    expect({ score, ...told({ reason }) }).toMatchObject({ score: 0, reason: 'The program fails test case 1 of 6.' });
  });

  it('is told of in results that were signed before as it was then', () => {
    const reason = { key: 'affine.ded.failed', params: { passed: 3, cases: 6 } };
    expect(told({ reason }).reason).toBe('The program passes 3 of 6 test cases, and fails the next one.');
  });
});
