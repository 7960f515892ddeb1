/** @module-tag long */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { RowServer } from '../support/row-server.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RowServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await new RowServer(problems(150)).open();
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

const problems = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ problem: `What is ${from + at} + 1?`, numerical_answer: from + at + 1 }));

async function validator(...args: string[]) {
  const process = new QuarryProcess(['validator', ...args, '--data', folder.path]);
  return { code: await process.ended(), stdout: process.stdout, stderr: process.stderr };
}
async function file(name: string, rows: readonly unknown[]): Promise<string> {
  const path = join(folder.path, name);
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}
const refused = (words: RegExp) => ({ code: 1, stderr: expect.stringMatching(words) });
const asked = ['--model', 'tiny', '--samples', '2', '--max-tokens', '8'];

it('a data set is taken in from a file, asked by its name, and judged again later', async () => {
  const path = await file(
    'rows.jsonl.gz',
    problems(20).map((row) => ({ ...row, license: 'CC0-1.0' })),
  );
  expect(await validator('dataset')).toMatchObject({ code: 0, stdout: expect.stringMatching(/no data sets yet/) });
  const taken = await validator('dataset', 'import', 'mine', '--kind', 'elr', '--file', path);
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported mine: 20 rows, /) });
  expect((await validator('dataset')).stdout).toMatch(/elr:mine +20 .* CC0-1\.0 .*rows\.jsonl\.gz/);
  expect((await validator('environments')).stdout).toMatch(/elr:mine +1\.[0-9a-f]{24} +usual .*from a data set/);

  const local = await validator('local', ...asked, '--environment', 'elr:mine', '--show', '--keep');
  expect(local).toMatchObject({ code: 0, stdout: expect.stringMatching(/What is \d+ \+ 1\?\n\nGive the number/) });
  expect(local.stdout).toMatch(/elr:mine +usual +\d of 2 /);
  expect(await validator('replay', '1')).toMatchObject({ code: 0, stdout: expect.stringMatching(/same judgement/) });
  expect((await validator('local', ...asked, '--seed', 'x', '--json')).stdout).not.toContain('elr:mine');
});

it('rows with a fault are told by their numbers, and the data set before stays', async () => {
  const path = await file('bad.jsonl', [...problems(2), { problem: 'What?' }, 7]);
  const bad = ['dataset', 'import', 'mine', '--kind', 'elr', '--file', path];
  expect(await validator(...bad)).toMatchObject(refused(/Row 3: numerical_answer .*Row 4: it must be an object\./));
  expect((await validator('dataset')).stdout).toMatch(/elr:mine +20 /);
  const skipped = await validator(...bad, '--skip-bad');
  expect(skipped).toMatchObject({ code: 0, stdout: expect.stringMatching(/2 rows, .*; 2 rows left out/) });
  expect(skipped.stderr).toMatch(/Row 3: numerical_answer/);
  expect(await validator('replay', '1')).toMatchObject({ code: 1, stdout: expect.stringMatching(/does not have/) });
});

it('a data set comes from a server, too', async () => {
  const from = ['dataset', 'import', 'far', '--kind', 'elr', '--from', 'someone/some-rows', '--server', server.url];
  const taken = await validator(...from, '--rows', '120', '--json');
  expect(JSON.parse(taken.stdout)).toMatchObject({ name: 'far', rows: 120, skipped: 0, faults: [] });
  expect(server.asked.map((one) => one.get('offset'))).toEqual(['0', '100']);
  expect(await validator(...from, '--split', 'none')).toMatchObject({ code: 0 });
  const none = ['dataset', 'import', 'far', '--kind', 'elr', '--from', 'someone/else', '--server', server.url];
  expect(await validator(...none)).toMatchObject(refused(/does not give someone\/else/));
});

it('an import that is interrupted leaves what there was', async () => {
  server.instead = (_, number) => number >= 1; // no answer
  server.asked.length = 0;
  const args = ['dataset', 'import', 'far', '--kind', 'elr', '--from', 'someone/some-rows', '--server', server.url];
  const process = new QuarryProcess(['validator', ...args, '--data', folder.path]);
  await until(() => expect(server.asked).toHaveLength(2));
  await process.stop('SIGINT');
  expect(process.child.exitCode).toBe(130);
  expect((await validator('dataset')).stdout).toMatch(/elr:far +150 /);
});

it('goes again, and what there is not is told', async () => {
  expect(await validator('dataset', 'remove', 'far')).toMatchObject({ code: 0 });
  expect(await validator('dataset', 'remove', 'far')).toMatchObject(refused(/no data set «far»[\s\S]*There are: mine/));
  expect(await validator('local', ...asked, '--environment', 'elr:far')).toMatchObject(
    refused(/no task «elr:far»[\s\S]*elr:mine/),
  );
  const wrong = ['dataset', 'import', 'Mine', '--kind', 'elr'];
  expect(await validator(...wrong)).toMatchObject(refused(/Either --file or --from/));
  expect(await validator(...wrong, '--file', 'x')).toMatchObject(refused(/small letters/));
  expect(await validator('dataset', 'import', 'a', '--kind', 'elr', '--file', 'x')).toMatchObject(
    refused(/cannot be read/),
  );
});
