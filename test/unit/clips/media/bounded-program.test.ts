import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bounds, type ProgramRun, runBounded } from '../../../../src-main/clips/media/bounded-program.ts';
import { startChild } from '../../../support/killed-child.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';

const BOUNDS: Bounds = { cpuSeconds: 60, wallSeconds: 60, memoryMiB: 800, outputBytes: 1_000, fileBytes: 0 };
const signal = new AbortController().signal;

function run(code: string, more: Partial<Bounds> = {}, rest: Partial<ProgramRun> = {}) {
  // Node reserves more addresses than anything else does, so there the bound on them would be what ends it.
  const bounds = { ...BOUNDS, memoryMiB: 1_000_000, ...more };
  return runBounded({ program: process.execPath, args: ['-e', code], bounds, signal, ...rest });
}

describe('a bounded program', () => {
  it('says how it ended, and the end of what it complained of', async () => {
    const output: Buffer[] = [];
    const code = `console.log('out'); console.error('x'.repeat(9000) + 'the end'); process.exitCode = 3`;
    const end = await run(code, {}, { onOutput: (bytes) => output.push(bytes) });
    expect(end).toMatchObject({ code: 3, exceeded: null });
    expect(end.complaint.length).toBe(4_000);
    expect(end.complaint).toMatch(/the end\n$/);
    expect(Buffer.concat(output).toString()).toBe('out\n');
  });

  it('is ended where it says too much, of which no more is kept than may be', async () => {
    let kept = 0;
    const endless = `const say = () => process.stdout.write('x'.repeat(500), say); say()`;
    const end = await run(endless, {}, { onOutput: ({ length }) => (kept += length) });
    expect(end).toMatchObject({ code: null, exceeded: 'output' });
    expect(kept).toBeLessThanOrEqual(1_000);
  });

  it('is ended where it computes too long', async () => {
    expect(await run('for (;;);', { cpuSeconds: 1 })).toMatchObject({ exceeded: 'time' });
  });

  it('is ended where it waits too long', async () => {
    expect(await run('setInterval(() => {}, 1000)', { wallSeconds: 0.3 })).toMatchObject({ exceeded: 'time' });
  });

  it('is ended where it takes too much memory', async () => {
    const usage = async () => ({ memoryMiB: 2_000_000, cpuSeconds: 0 });
    expect(await run('setInterval(() => {}, 1000)', {}, { measure: usage })).toMatchObject({ exceeded: 'memory' });
  });

  const walled = process.platform === 'linux' && existsSync('/usr/bin/prlimit');
  it.skipIf(!walled)('gets no more memory than it may, though nobody looks', async () => {
    const bounds = { ...BOUNDS, memoryMiB: 100 };
    // It keeps what it reads until a line ends, and none does.
    const end = await runBounded({ program: 'tail', args: ['/dev/zero'], bounds, signal, measure: async () => ({}) });
    expect(end).toMatchObject({ code: 1, complaint: expect.stringContaining('memory exhausted') });
  });

  it.skipIf(!walled)('writes no file, where the system says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-bounded-'));
    const end = await run(`require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'file'))}, 'much')`);
    expect(end.code).not.toBe(0);
    await rm(folder, { recursive: true });
  });

  it('is ended with all that it has started when the signal says so', async () => {
    const stop = new AbortController();
    const code = `
      const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(pid); setInterval(() => {}, 1000);`;
    let grandchild = 0;
    const ending = run(code, {}, { signal: stop.signal, onOutput: (bytes) => (grandchild = Number(bytes.toString())) });
    await expect.poll(() => grandchild).toBeGreaterThan(0);
    stop.abort(new Error('enough'));
    await expect(ending).rejects.toThrow('enough');
    await expect.poll(() => isThere(grandchild), { timeout: PATIENCE_MS }).toBe(false);
  });

  it.skipIf(!walled)('ends with the process that started it, however that ended', async () => {
    const parent = startChild(resolve(import.meta.dirname, '../../../support/bounded-child.ts'), []);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const program = Number(line.toString());
    expect(isThere(program)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isThere(program), { timeout: PATIENCE_MS }).toBe(false);
  });

  it('throws what keeps it from being started', async () => {
    const nothing = runBounded({ program: '/nowhere/ffmpeg', args: [], bounds: BOUNDS, signal });
    // With `prlimit` it is that which finds nothing, and says so.
    await nothing.then(
      ({ code, complaint }) => expect([code !== 0, /nowhere/.test(complaint)]).toEqual([true, true]),
      (error) => expect(error).toMatchObject({ code: 'ENOENT' }),
    );
  });

  it('gets nothing of the environment that is anybody’s secret', async () => {
    process.env.QUARRY_TEST_SECRET = 'secret';
    let text = '';
    await run(
      'console.log(JSON.stringify(Object.keys(process.env)))',
      { outputBytes: 9_000 },
      { onOutput: (bytes) => (text += bytes) },
    );
    delete process.env.QUARRY_TEST_SECRET;
    expect(JSON.parse(text)).toContain('PATH');
    expect(JSON.parse(text)).not.toContain('QUARRY_TEST_SECRET');
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it is gone
  }
}
