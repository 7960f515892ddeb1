import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MeasuredProcess } from '../../src-main/bench/measured-process.ts';
import { benchSoak } from '../../src-main/bench/soak.ts';
import { WholeNode } from '../../src-main/bench/whole-node.ts';
import { BootstrapNode } from '../../src-main/mesh/transport/bootstrap.ts';
import { until } from '../support/until.ts';

/** Lives until it is ended, and ends when asked to. */
const LIVES = 'setInterval(() => {}, 1_000_000);';
const DEAF = `process.on('SIGTERM', () => {}); ${LIVES}`;

let dir: string;
const running: MeasuredProcess[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-measured-'));
});
afterEach(async () => {
  for (const each of running.splice(0)) {
    if (each.pid && !each.hasEnded) process.kill(each.pid, 'SIGKILL');
    await each.close();
  }
  await rm(dir, { recursive: true, force: true });
});

/** A program that is there and does as it is written. */
async function start(source: string, limits: { endsMs?: number; answersMs?: number } = {}): Promise<MeasuredProcess> {
  const [module, there] = [join(dir, 'program.cjs'), join(dir, 'there')];
  await writeFile(module, `${source}; require('node:fs').writeFileSync(${JSON.stringify(there)}, '');`);
  const started = new MeasuredProcess({ program: [module], env: process.env, ...limits });
  running.push(started);
  await until(() => access(there));
  return started;
}

describe('a process that is measured', () => {
  it('tells what it takes, and ends when it is asked to', async () => {
    const measured = await start(LIVES);
    expect(await measured.figures()).toMatchObject({ heap: expect.any(Number), lateMax: expect.any(Number) });
    await measured.close();
    expect(measured.hasEnded).toBe(true);
    await measured.close();
  });

  it('is ended when it does not end by itself', async () => {
    const measured = await start(DEAF, { endsMs: 100 });
    await measured.close();
    expect(measured.hasEnded).toBe(true);
  });

  it('tells nothing when it dies while it is asked, nor when it is dead', async () => {
    const dies = "process.prependListener('message', () => process.kill(process.pid, 'SIGKILL'))";
    const measured = await start(`${dies}; ${LIVES}`);
    await expect(Promise.all([measured.figures(), measured.figures()])).rejects.toThrow('it has ended');
    await until(() => expect(measured.hasEnded).toBe(true));
    await expect(measured.figures()).rejects.toThrow('it has ended');
  });

  it('tells nothing when it hangs', async () => {
    const hangs =
      "process.prependListener('message', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))";
    const measured = await start(`${hangs}; ${LIVES}`, { endsMs: 100, answersMs: 200 });
    await expect(measured.figures()).rejects.toThrow('it does not answer');
    await measured.close();
    expect(measured.hasEnded).toBe(true);
  });
});

describe('a whole node', () => {
  it('that was killed tells nothing and is closed; one that does not start is told', async () => {
    const bootstrap = new BootstrapNode({ port: 0 });
    await bootstrap.open();
    onTestFinished(() => bootstrap.close());
    const node = new WholeNode(join(dir, 'node'));
    onTestFinished(() => node.close());
    await node.open(bootstrap.address);
    expect(await node.figures()).toMatchObject({ heap: expect.any(Number) });
    process.kill(node.pid ?? 0, 'SIGKILL');
    await expect(node.figures()).rejects.toThrow('it has ended');
    await node.close();
    const faulty = new WholeNode(join(dir, 'faulty'));
    onTestFinished(() => faulty.close());
    await expect(faulty.open(bootstrap.address, { QUARRY_ROLE: 'king' })).rejects.toThrow('did not start');
  });

  it('soaks for as long as it is let: interrupted before the first minute, there is nothing to tell', {
    tags: ['long'],
  }, async () => {
    const events = await Array.fromAsync(benchSoak({ minutes: 1, programs: 1, signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: 'note', text: 'Starting two nodes …' }]);
  });
});
