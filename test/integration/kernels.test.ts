/** @module-tag long */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileKernel } from '../../scripts/build-kernels.ts';
import { nodeSpawner, type ProcessSpawner, stillborn } from '../../src-main/process/process-spawner.ts';
import { baselineKernel } from '../../src-main/subnets/quasar/kernels/baseline.ts';
import { drawCases } from '../../src-main/subnets/quasar/kernels/cases.ts';
import { checkKernel, judgeKernel } from '../../src-main/subnets/quasar/kernels/judge-kernel.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';
import { hostileKernel } from '../support/kernels/hostile-kernels.ts';

const seed = 'a1'.repeat(32);
let baseline: Uint8Array;
beforeAll(async () => {
  baseline = await baselineKernel();
  await hostileKernel('good');
});

describe('a kernel that is right', () => {
  it('is about as fast as itself, and the same seed finds the same error again', async () => {
    const done: number[] = [];
    const verdict = await judgeKernel(baseline, { baseline, seed, tokens: 30_000, onProgress: (at) => done.push(at) });
    if (!verdict.right) throw new Error(verdict.reason.key);
    const { median, low, high, pairs } = verdict.ratio;
    expect([low <= median, median <= high, pairs > 30]).toEqual([true, true, true]);
    expect(median).toBeGreaterThan(0.8);
    expect(median).toBeLessThan(1.25);
    expect(verdict.tokensPerSecond / verdict.baselineTokensPerSecond).toBeGreaterThan(0.5);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    const twice = [await checkKernel(baseline, { seed }), await checkKernel(baseline, { seed })];
    expect(twice[0]).toMatchObject({ right: true });
    expect(twice[1]).toEqual(twice[0]);
  });

  it('is slower where it does nothing for a while', async () => {
    const verdict = await judgeKernel(await hostileKernel('slow'), { baseline, seed, tokens: 10_000 });
    expect(verdict).toMatchObject({ right: true, ratio: { median: expect.any(Number) } });
    expect(verdict.right && verdict.ratio.high).toBeLessThan(0.8);
  });
});

it.each([
  ['cons', 'wrong', 'usual'],
  ['memo', 'wrong', 'usual'],
  ['size', 'wrong', 'usual'],
  ['lazy', 'wrong', 'usual'],
  ['half', 'wrong', 'usual'],
  ['hold', 'wrong', 'two heads'],
  ['mask', 'wrong', 'not a number'],
  ['inpu', 'tampers', undefined],
  ['over', 'tampers', undefined],
  ['tail', 'tampers', undefined],
  ['othr', 'tampers', undefined],
  ['grow', 'memory', undefined],
  ['trap', 'traps', undefined],
  ['deep', 'traps', undefined],
])('«%s» is refused: %s', async (name, fault, kind) => {
  const verdict = await checkKernel(await hostileKernel(name), { seed });
  expect(verdict).toMatchObject({ right: false, fault, ...(kind && { place: { kind } }) });
});

/** A case among the pairs is numbered after all that come before the first pair. */
const isLater = (number: number) => number >= drawCases(new SeededRandom(seed)).length;

it.each([
  ['anno', { kind: 'measured' }],
  ['care', { number: expect.toSatisfy(isLater) }],
])('«%s», which is right until it is measured, is found out then', async (name, place) => {
  const verdict = await judgeKernel(await hostileKernel(name), { baseline, seed, tokens: 40_000 });
  expect(verdict).toMatchObject({ right: false, fault: 'wrong', place });
});

it('«gate», which is right at the sizes that are measured with usual inputs only, is found out', async () => {
  const verdict = await checkKernel(await hostileKernel('gate'), { seed });
  expect(verdict).toMatchObject({ right: false, fault: 'wrong', place: { dk: 64, dv: 64 } });
});

describe('a kernel that is the baseline, as its round was won', () => {
  const good = () => hostileKernel('good');

  it('cannot see that it is, and be slow then: it is as fast as itself', async () => {
    const peer = await hostileKernel('peer');
    const verdict = await judgeKernel(peer, { baseline: peer, seed, tokens: 10_000 });
    expect(verdict).toMatchObject({ right: true, ratio: { median: expect.any(Number) } });
    expect(verdict.right && verdict.ratio.median).toBeLessThan(2);
  });

  it('cannot see that it is, and fail then', async () => {
    const verdict = await judgeKernel(await good(), { baseline: await hostileKernel('gone'), seed, tokens: 10_000 });
    expect(verdict).toMatchObject({ right: true });
  });

  it('and fails with some seeds, is met with another', async () => {
    const luck = await hostileKernel('luck');
    expect(await checkKernel(luck, { seed })).toMatchObject({ right: false, fault: 'traps' });
    expect(await judgeKernel(await good(), { baseline: luck, seed, tokens: 10_000 })).toMatchObject({ right: true });
  });
});

it('one that never ends is late, and its process is gone', async () => {
  const verdict = await checkKernel(await hostileKernel('loop'), { seed, lateMs: 4_000 });
  expect(verdict).toMatchObject({ right: false, fault: 'late' });
});

describe('where the process ends', () => {
  /** Ends it when it says that the kernel has begun. */
  const ending = (isEnded: (task: { kernel: string; baseline: string }) => boolean): ProcessSpawner => ({
    spawn(launch, listeners) {
      let ends = false;
      const child = nodeSpawner.spawn(launch, {
        ...listeners,
        onMessage(message) {
          listeners.onMessage(message);
          if (ends && (message as { begun?: string }).begun) child.kill();
        },
      });
      return {
        get pid() {
          return child.pid;
        },
        kill: () => child.kill(),
        send(task, onTaken) {
          ends = isEnded(task as { kernel: string; baseline: string });
          child.send(task, onTaken);
        },
      };
    },
  });

  it('with this kernel alone, again and again, the kernel is at fault', async () => {
    const spawner = ending(({ kernel, baseline: peer }) => kernel !== peer);
    const verdict = await checkKernel(await hostileKernel('good'), { seed, spawner });
    expect(verdict).toMatchObject({ right: false, fault: 'died' });
  });

  it('once, nobody is', async () => {
    let times = 0;
    const spawner = ending(() => times++ === 0);
    expect(await checkKernel(await hostileKernel('good'), { seed, spawner })).toMatchObject({ right: true });
    expect(times).toBe(2);
  });

  it('or says nothing more once, nobody is', async () => {
    let times = 0;
    const spawner: ProcessSpawner = {
      spawn(launch, listeners) {
        const isMute = times++ === 0;
        const onMessage = (message: unknown) => {
          if (!isMute || 'begun' in (message as object)) listeners.onMessage(message);
        };
        return nodeSpawner.spawn(launch, { ...listeners, onMessage });
      },
    };
    const verdict = await checkKernel(await hostileKernel('good'), { seed, spawner, lateMs: 6_000 });
    expect([verdict.right, times]).toEqual([true, 2]);
  });

  it('whoever’s kernel it is, the judge is', async () => {
    const judged = checkKernel(await hostileKernel('good'), { seed, spawner: ending(() => true) });
    await expect(judged).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('before it has begun, the judge is', async () => {
    const spawner: ProcessSpawner = { spawn: (_, listeners) => stillborn(new Error('no'), listeners) };
    await expect(checkKernel(baseline, { seed, spawner })).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('because nobody wants to know any more, that is what is said', async () => {
    const abort = new AbortController();
    const judged = judgeKernel(baseline, {
      ...{ baseline, seed, tokens: 4_000_000, signal: abort.signal },
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(judged).rejects.toThrow('enough');
  });
});

it('two that take all of the memory they may are judged beside each other', async () => {
  const source = await readFile(resolve(import.meta.dirname, '../../resources/kernels/baseline.ts'), 'utf8');
  const large = await compileKernel(`${source}\nmemory.fill(64, 7, (4072 << 16) - 64);\n`, [
    ...['--optimizeLevel', '2', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
    ...['--initialMemory', '4072', '--maximumMemory', '4096'],
  ]);
  expect(await judgeKernel(large, { baseline: large, seed, tokens: 10_000 })).toMatchObject({ right: true });
});

it('a baseline that is wrong is nobody’s fault but ours', async () => {
  const judged = judgeKernel(baseline, { baseline: await hostileKernel('cons'), seed, tokens: 10_000 });
  await expect(judged).rejects.toMatchObject({ code: 'INTERNAL' });
});

it('quarry kernel tells it in a document, and by its exit code', async () => {
  const run = promisify(execFile);
  const quarry = (...args: string[]) => run(process.execPath, ['src-main/cli.ts', 'kernel', ...args]);
  const file = resolve('resources/kernels/baseline.wasm');
  const { stdout } = await quarry('measure', file, '--tokens', '10000', '--seed', seed, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ seed, right: true, ratio: { pairs: expect.any(Number) } });
  const refused = quarry('check', 'resources/kernels/baseline.ts', '--json');
  const { code, stdout: told } = await refused.then(
    () => ({ code: 0, stdout: '' }),
    (error: { code: number; stdout: string }) => error,
  );
  expect([code, JSON.parse(told)]).toMatchObject([1, { right: false, fault: 'not-a-module' }]);
});
