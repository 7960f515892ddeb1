/** @module-tag long */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { QuarryProcess, quarry, SLOW_ENGINE, temporaryFolder } from '../support/quarry-process.ts';
import { TextsServer } from '../support/texts-server.ts';
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

it('asks twice where that is wanted, and tells the scores in one table, or in a file', async () => {
  const went = await quarry(args(...QUICK, '--twice', '--samples', '2', '--seed', 'c', '--json'));
  const { id, cells, plan } = JSON.parse(went.stdout);
  const asked = cells.reduce((sum: number, cell: { asked: number }) => sum + cell.asked, 0);
  expect([plan.twice, asked]).toEqual([true, 4]);
  const shown = await quarry(args('show', id, '--scores'));
  expect(shown.stdout).toMatch(/^SCORE +VALUE +WHAT IT IS +WHAT IT CAME FROM/);
  expect(shown.stdout).toMatch(/\nMemory +0\.0 % /);
  expect(shown.stdout).toMatch(/\nPosition +– .*Not measured: ask «places»/);
  expect(Math.max(...shown.stdout.split('\n').map((line) => line.trimEnd().length))).toBeLessThanOrEqual(110);
  const scores: { score: string; from: { text: string } }[] = JSON.parse(
    (await quarry(args('show', id, '--scores', '--json'))).stdout,
  );
  expect(scores).toHaveLength(9);
  expect(scores.find(({ score }) => score === 'consistency')?.from.text).toContain('2 questions');
  const file = join(folder.path, 'scores.csv');
  await quarry(args('show', id, '--scores', '--as', 'csv', '--out', file));
  expect((await readFile(file, 'utf8')).split('\r\n')[1]).toMatch(/^Accuracy,0,/);
});

it('says what does not fit before the start, and asks what does', async () => {
  const went = await quarry(args('--suite', 'scaling', '--lengths', '500,100k', '--seed', 'b', '--json'));
  expect([went.child.exitCode, went.stderr]).toEqual([
    0,
    expect.stringMatching(/Left out: tiny has no room for 100000/),
  ]);
  const remark = { text: expect.stringContaining('only babbles') };
  expect(JSON.parse(went.stdout)).toMatchObject({ state: 'done', plan: { lengths: [500] }, remark });
  const none = await quarry(args('--suite', 'scaling', '--lengths', '100k'));
  expect([none.child.exitCode, none.stderr]).toEqual([1, expect.stringMatching(/was made for .*tokens fit/s)]);
});

it('names the command for a file that is missing; that fetches it, is ended, and goes on', async () => {
  const missing = await quarry(args('--suite', 'govreport', '--lengths', '500'));
  expect([missing.child.exitCode, missing.stderr]).toEqual([
    1,
    expect.stringContaining('quarry evaluate fetch govreport'),
  ]);
  const server = await new TextsServer().open();
  onTestFinished(() => server.close());
  server.rows = Array.from({ length: 250 }, (_, n) => ({
    report: `Report ${n}. It is short.`,
    summary: `It is ${n}.`,
  }));
  const holds = Promise.withResolvers<void>();
  server.before = () => (server.asked.at(-1) === 'rows 100' ? holds.promise : undefined);
  const env = { QUARRY_VALIDATOR_DATASET_SERVER: server.origin, QUARRY_MODELS_ENDPOINT: server.origin };
  const ended = new QuarryProcess(args('fetch', 'govreport'), env);
  await until(() => expect(server.asked).toContain('rows 100'));
  await ended.stop('SIGINT');
  expect([ended.child.exitCode, ended.stderr]).toEqual([
    130,
    expect.stringContaining('quarry evaluate fetch govreport'),
  ]);
  const files = JSON.parse((await quarry(args('files', '--json'), env)).stdout);
  expect(files.find(({ file }: { file: string }) => file === 'govreport_test.jsonl')).toMatchObject({ state: 'begun' });
  server.before = () => undefined;
  const fetched = await quarry(args('fetch', 'govreport', '--json'), env);
  expect([fetched.child.exitCode, JSON.parse(fetched.stdout)]).toEqual([
    0,
    { fetched: [{ file: 'govreport_test.jsonl', bytes: expect.any(Number) }], failed: [] },
  ]);
  expect(server.asked).toEqual(['rows 0', 'rows 100', 'rows 100', 'rows 200']);
  const asked = await quarry(args('--suite', 'govreport', '--lengths', '500', '--json'), env);
  expect(asked.child.exitCode).toBe(0);
  const { id } = JSON.parse(asked.stdout);
  const csv = join(folder.path, 'answers.csv');
  const shown = await quarry(args('show', id, '--answers', '--as', 'csv', '--out', csv));
  expect([shown.child.exitCode, shown.stdout]).toEqual([0, `Written to ${csv}.\n`]);
  expect((await readFile(csv, 'utf8')).split('\r\n')[0]).toBe(
    'text,question,suite,variant,length,words,depth,score,answer,error,promptTokens,cachedTokens,answerTokens,firstMs,totalMs,at',
  );
});
