import { expect, it } from 'vitest';
import type { ProgramRun, ProgramSandbox } from '../../src-main/sandbox/program-sandbox.ts';

/** What whoever runs programs of strangers keeps. @param open one that gives a program so many milliseconds */
export function sandboxContract(open: (time: { runMs?: number; programMs?: number }) => ProgramSandbox): void {
  const printed = (stdout: string) => ({ outcome: 'ran', stdout, stderr: '', truncated: false });

  it('is run for no input more than is enough, and each run is looked at as it comes', async () => {
    const sandbox = open({});
    const seen: [ProgramRun, number][] = [];
    const isEnough = (run: ProgramRun, at: number) => {
      seen.push([run, at]);
      return at === 1;
    };
    const runs = await sandbox.run('print(int(input()) * 2)', ['1', '2', '3', '4'], { isEnough });
    expect(runs).toEqual([printed('2\n'), printed('4\n')]);
    expect(seen).toEqual(runs.map((run, at) => [run, at]));
    await sandbox.close();
  });

  it('has one time for all of its inputs', async () => {
    const sandbox = open({ runMs: 3_600_000, programMs: 1 });
    const runs = await sandbox.run('while True: pass', ['1', '2'], { party: 'a miner' });
    expect(runs).toEqual([{ outcome: 'late' }]);
    await sandbox.close();
  });

  it('gives a program another time where that is wanted', async () => {
    const sandbox = open({ runMs: 1, programMs: 1 });
    const read = await sandbox.run('print(len(input()))', ['x'.repeat(1_000_000)], {
      time: { runMs: 3_600_000, programMs: 3_600_000 },
    });
    expect(read).toEqual([printed('1000000\n')]);
    await sandbox.close();
  });
}
