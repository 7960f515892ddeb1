import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { cpuTime, parseProcStat, processCpuMs } from '../../../src-main/hardware/sample.ts';

const core = (user: number, idle: number) => ({
  model: 'x',
  speed: 0,
  times: { user, nice: 1, sys: 2, irq: 3, idle },
});

describe('cpuTime', () => {
  it('adds up all cores, idle time apart', () => {
    expect(cpuTime([core(10, 100), core(20, 200)])).toEqual({ busyMs: 42, totalMs: 342 });
  });
});

describe('parseProcStat', () => {
  const fields = 'S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0';

  it.each([
    ['a plain name', `42 (node) ${fields}`],
    ['a name with spaces and parentheses', `42 (my (odd) name) ${fields}`],
  ])('reads user and system time behind %s', (_, line) => {
    expect(parseProcStat(line)).toBe(2_000);
  });

  it('is undefined for what is no stat line', () => {
    expect(parseProcStat('nonsense')).toBeUndefined();
  });
});

describe.runIf(process.platform === 'linux')('processCpuMs', () => {
  it('grows with the work of another process', async () => {
    const script = 'while (process.cpuUsage().user < 300_000); process.stdout.write("done"); process.stdin.resume()';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      expect(await processCpuMs(child.pid ?? 0)).toBeGreaterThan(50);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('is undefined for a process that is gone', async () => {
    expect(await processCpuMs(2 ** 30)).toBeUndefined();
  });
});

describe('processCpuMs elsewhere', () => {
  it('does not guess', async () => {
    expect(await processCpuMs(process.pid, 'win32')).toBeUndefined();
  });
});
