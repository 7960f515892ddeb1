/** @module-tag long */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const out = () => join(folder.path, 'out');
const args = (...more: string[]) => ['learn', 'eval', '--out', out(), '--data', join(folder.path, 'data'), ...more];
/** Little of everything; its own answers, for the built-in model knows no others. */
const LITTLE =
  '--preferences concise --objective sdpo --batch-size 1 --steps-per-batch 2 --held-out 2 --metrics compliance';
const steps = async () => {
  const lines = (await readFile(join(out(), 'concise', 'steps.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};
const kept = async () => (await readdir(join(out(), 'adapters', 'eval', 'concise'))).sort();

it('teaches the built-in model, is killed, goes on by its folder alone, and leaves what the node has learnt alone', async () => {
  const killed = new QuarryProcess(args(...LITTLE.split(' '), '--steps', '4', '--seed', '7'));
  try {
    await until(async () => expect(await kept()).toContain('step-2'));
  } finally {
    await killed.stop('SIGKILL');
  }
  const before = await steps();
  const went = await quarry(args('--json'));
  expect([went.child.exitCode, went.stderr]).toEqual([0, `Results: ${out()}\n`]);
  expect(JSON.parse(went.stdout)).toMatchObject({ summaries: [{ preference: 'concise', steps: 4 }] });
  const after = await steps();
  expect(after.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.every(({ sdpo_metrics: figures }) => figures.samples === 1 && figures.mean_is_ratio > 0)).toBe(true);
  expect(await kept()).toEqual(['step-3', 'step-4']);
  expect(existsSync(join(out(), 'concise', 'learning_curves.svg'))).toBe(true);
  expect(existsSync(join(folder.path, 'data', 'learning'))).toBe(false);
  const others = await quarry(args('--seed', '8'));
  expect([others.child.exitCode, others.stderr]).toEqual([1, expect.stringContaining('results of other settings')]);
});
