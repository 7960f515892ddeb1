import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning } from '../support/engine.ts';
import { until } from '../support/until.ts';

const OWNER = fileURLToPath(new URL('../fixtures/child-owner.ts', import.meta.url));

/** Of a child and of what it has started. */
type Pids = [child: number, grandchild: number];

describe.runIf(process.platform !== 'win32')('what main has started, with all that this has started', () => {
  const started: number[] = [];
  afterEach(() => {
    for (const pid of started.splice(0).filter(isRunning)) process.kill(pid, 'SIGKILL');
  });

  /** Main as a shell starts it: first of a group, which the terminal sends ^C to. */
  async function main(how = '') {
    const owner = spawn(process.execPath, [OWNER, how], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const [module, program] = JSON.parse(line.toString()) as [Pids, Pids];
    started.push(owner.pid as number, ...module, ...program);
    expect([...module, ...program].every(isRunning)).toBe(true);
    return { owner, module, program, ended: once(owner, 'exit') as Promise<[number | null, string | null]> };
  }

  const areGone = (pids: number[]) => until(() => expect(pids.filter(isRunning)).toEqual([]));
  const pressCtrlC = ({ pid }: ChildProcess) => process.kill(-(pid as number), 'SIGINT');

  it('ends with it when it exits', async () => {
    const { owner, module, program, ended } = await main('exits when it is interrupted');
    pressCtrlC(owner);
    expect(await ended).toEqual([130, null]);
    await areGone([...module, ...program]);
  });

  it('ends with it when it fails', async () => {
    const { owner, module, program, ended } = await main('fails');
    owner.stdin.write('go on\n');
    expect(await ended).toEqual([1, null]);
    await areGone([...module, ...program]);
  });

  // Nobody is left then to end what a program has started, unless the program itself does.
  it.each(['SIGKILL', 'SIGINT', 'SIGHUP'] as const)('hears of it when main is ended by %s', async (signal) => {
    const { owner, module, program, ended } = await main();
    process.kill(-(owner.pid as number), signal);
    expect(await ended).toEqual([null, signal]);
    await areGone([...module, program[0]]);
  });

  it('hears of it although it computes without a pause', async () => {
    const { owner, module, ended } = await main('lets its module work without a pause');
    owner.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await areGone(module);
  });

  // The thread that looks for main goes with the module, before it has looked.
  it('ends with it although the module ends by itself at once when main is killed', async () => {
    const { owner, module, ended } = await main('has a module that leaves when it does');
    owner.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await areGone(module);
  });

  it('does not keep it alive once closed', async () => {
    const { owner, module, program, ended } = await main('closes its children');
    owner.stdin.write('go on\n');
    expect(await ended).toEqual([0, null]);
    await areGone([...module, ...program]);
  });
});
