import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, quarry, SLOW_ENGINE, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const args = (...more: string[]) => ['evaluate', ...more, '--data', join(folder.path, 'data')];
const QUICK = ['--suite', 'scaling', '--lengths', '500'];

it('goes on with the model that an evaluation was begun with, whatever the settings say', async () => {
  const other = join(folder.path, 'other.gguf');
  await copyFile(new URL('../../resources/tiny.gguf', import.meta.url), other);
  const stopped = new QuarryProcess(args(other, ...QUICK, '--samples', '6', '--seed', 'a'), SLOW_ENGINE);
  await until(() => expect(stopped.stderr).toMatch(/[1-5] of 6 texts/));
  await stopped.stop('SIGINT');
  expect(stopped.child.exitCode).toBe(130);
  const list = JSON.parse((await quarry(args('list', '--json'))).stdout);
  expect(list).toMatchObject([{ state: 'paused', model: 'other', plan: { target: { kind: 'local', model: other } } }]);
  const went = await quarry(args('resume', '--json'));
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('--seed a')]);
  expect(JSON.parse(went.stdout)).toMatchObject({ state: 'done', done: 6, model: 'other' });
});
