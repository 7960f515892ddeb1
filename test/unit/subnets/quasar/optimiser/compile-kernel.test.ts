import { expect, it } from 'vitest';
import type { ChildExit } from '../../../../../src-main/process/process-spawner.ts';
import { compileKernel } from '../../../../../src-main/subnets/quasar/optimiser/compile/compile-kernel.ts';
import { scriptedSpawner } from '../../../../support/scripted-spawner.ts';

/** Compiles in a process that ends like this. */
function endedBy(exit: Partial<ChildExit>, lastWords = '') {
  const spawner = scriptedSpawner();
  const compiled = compileKernel('export function step(): void {}', { spawner });
  const [child] = spawner.children;
  child?.onStderr(lastWords);
  child?.die(exit);
  return compiled;
}

it.each<[string, Partial<ChildExit>, string]>([
  ['was aborted', { signal: 'SIGABRT' }, 'FATAL ERROR: Reached heap limit'],
  ['was aborted where there are no signals', { code: 134 }, ''],
  ['says that it had no memory', { code: 1 }, 'RangeError: Array buffer allocation failed'],
])('a source whose process %s takes too much', async (_, exit, words) => {
  expect(await endedBy(exit, words)).toEqual({ tooMuch: 'outOfMemory' });
});

it.each<[string, Partial<ChildExit>, string]>([
  ['has failed for another reason', { code: 1 }, "Error: Cannot find module 'long'"],
  ['could not be started', {}, ''],
])('a source whose process %s is not to blame for that', async (_, exit, words) => {
  await expect(endedBy(exit, words)).rejects.toMatchObject({ code: 'INTERNAL' });
});

it('a source that is too large is told its size, and nothing is started for it', async () => {
  const spawner = scriptedSpawner();
  expect(await compileKernel('x'.repeat(65_537), { spawner })).toEqual({ tooLarge: 65_537 });
  expect(spawner.children).toEqual([]);
});
