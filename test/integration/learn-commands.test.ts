/** @module-tag long */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installedPath } from '../../src-main/base/installation.ts';
import { checkGguf } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lora: string;

/** An adapter for the built-in model. */
beforeAll(async () => {
  folder = await temporaryFolder();
  lora = join(folder.path, 'lora.gguf');
  const { header } = await checkGguf(installedPath('resources', 'tiny.gguf'));
  await writeAdapterGguf(lora, madeAdapter(baseShape(header)), baseShape(header));
});
afterAll(() => folder.remove());

const data = () => ['--data', join(folder.path, 'data')];
const run = (...args: string[]) => quarry(['learn', ...args, ...data()]);

/** Has a conversation out of a pipe. */
async function chat(...lines: string[]): Promise<QuarryProcess> {
  const talking = new QuarryProcess(['chat', '--local', ...data()]);
  talking.child.stdin?.end(`${lines.join('\n')}\n`);
  await talking.ended();
  return talking;
}

/** What a command prints with `--json`, once it ended well. */
async function json(...args: string[]) {
  const { child, stderr, stdout } = await run(...args, '--json');
  if (child.exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

it('takes an adapter in, goes back and forth, hands it out with the very bytes, and deletes it', async () => {
  expect((await run('versions')).stdout).toContain('There is no version of «personal».');
  expect(await json('import', lora, '--use')).toMatchObject({ name: 'personal', number: 1, inUse: true });
  expect((await run('versions')).stdout).toMatch(/\* +1 +personal-\d{8}-\d{6} .* imported/);
  expect(await json('undo')).toEqual({ version: null });
  const none = await run('export', 'personal', join(folder.path, 'no.zip'));
  expect([none.child.exitCode, none.stderr]).toEqual([1, expect.stringContaining('No version of personal is in use')]);
  expect(await json('use', 'personal@1')).toMatchObject({ inUse: true });
  await json('export', 'personal', join(folder.path, 'out.zip'));
  await json('import', join(folder.path, 'out.zip'), '--adapter', 'user/style');
  await json('export', 'user/style@1', join(folder.path, 'out.gguf'), '--as', 'gguf');
  expect(await readFile(join(folder.path, 'out.gguf'))).toEqual(await readFile(lora));
  const again = await run('export', 'personal', join(folder.path, 'out.zip'));
  expect([again.child.exitCode, again.stderr]).toEqual([1, expect.stringContaining('There is a file already')]);
  const inUse = await run('delete', 'personal@1', '--yes');
  expect([inUse.child.exitCode, inUse.stderr]).toEqual([1, expect.stringContaining('is in use')]);
  await json('rename', 'personal', 'work');
  await json('delete', 'work@1', '--in-use', '--yes');
  expect(await json('versions', '--adapter', 'work')).toEqual({
    ...{ name: 'work', versions: [], more: false },
    steps: { current: null, undo: null, redo: null },
  });
});

it('finds an answer by the id that the conversation names, and says something of it', async () => {
  expect((await run('answers')).stdout).toContain('None is kept yet.');
  const talking = await chat('What is a mesh?', '/feedback up', '/feedback');
  expect(talking.stderr).toMatch(/^turn-2; \/feedback/m);
  expect(talking.stdout).toContain('Noted as feedback 1.');
  const { answers } = await json('answers');
  expect(answers).toMatchObject([{ id: 'turn-2', door: 'terminal', question: 'What is a mesh?' }]);
  expect(await json('feedback', 'give', 'turn-2', 'Be shorter.')).toMatchObject({ kind: 'say', state: 'waiting' });
  const none = await run('feedback', 'give', 'turn-99', 'Be shorter.');
  expect([none.child.exitCode, none.stderr]).toEqual([1, expect.stringContaining('quarry learn answers')]);
  const empty = await run('feedback', 'give', 'turn-2', ' ');
  expect([empty.child.exitCode, empty.stderr]).toEqual([1, expect.stringContaining('The feedback is empty')]);
});

it('shows what was learnt without a running node, and pauses none', async () => {
  expect(await json('runs')).toEqual([]);
  const paused = await run('pause');
  expect([paused.child.exitCode, paused.stderr]).toEqual([1, expect.stringContaining('No node runs')]);
  const cancelled = await run('cancel');
  expect([cancelled.child.exitCode, cancelled.stderr]).toEqual([1, expect.stringContaining('Nothing is being learnt')]);
});

it('learns nothing where the model runs elsewhere: it says so before anything is begun', async () => {
  await chat('What is a mesh?', '/feedback Be shorter.');
  const elsewhere = { QUARRY_BACKEND: 'remote', QUARRY_REMOTE_BASE_URL: 'http://127.0.0.1:1/v1' };
  const now = await quarry(['learn', 'now', ...data(), '--json'], elsewhere);
  expect([now.child.exitCode, now.stdout]).toEqual([1, '']);
  expect(JSON.parse(now.stderr).error).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  const status = await quarry(['learn', 'status', ...data()], elsewhere);
  expect(status.stdout).toMatch(/^Nothing is learnt here: This node’s model runs elsewhere/m);
  expect(await json('runs')).toEqual([]);
});
