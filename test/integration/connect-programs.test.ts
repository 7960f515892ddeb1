import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Access, PROGRAMS } from '../../src-renderer/pages/connect/programs.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

/** What the page «Connect» gives people to copy, run as they would run it, against a real node with the built-in model. */
const ROOT = resolve(import.meta.dirname, '../..');
const python = process.env.TEST_PYTHON ?? 'python3';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let access: Access;

beforeAll(async () => {
  folder = await temporaryFolder();
  const flags = ['--headless', '--mine', '--data', folder.path, '--bootstrap', '127.0.0.1:9', '--port', '0'];
  node = new QuarryProcess(['start', ...flags]);
  const [, baseUrl = ''] = await node.printed(/api +(http:\S+)/);
  await node.printed(/Ready/);
  access = { baseUrl, token: undefined, model: 'local' };
});

afterAll(async () => {
  await node?.stop();
  await folder?.remove();
});

function snippetOf(name: string, changes: Partial<Access> = {}): string {
  const program = PROGRAMS.find((one) => one.name === name);
  if (!program) throw new Error(`There is no ${name}.`);
  return program.snippet({ ...access, ...changes });
}

/** What a program prints; fails with what it complained of when it does. */
async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(child.exitCode, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

it.skipIf(spawnSync('curl', ['--version']).status !== 0)('curl gets an answer', async () => {
  const answer = JSON.parse(await run('sh', ['-c', snippetOf('curl')]));
  expect(answer.choices[0].message.content).not.toBe('');
});

it('JavaScript gets an answer', async () => {
  expect((await run(process.execPath, ['--input-type=module', '-e', snippetOf('JavaScript')])).trim()).not.toBe('');
});

it.skipIf(spawnSync(python, ['-c', 'import openai']).status !== 0)('Python gets an answer', async () => {
  expect((await run(python, ['-c', snippetOf('Python')])).trim()).not.toBe('');
});

it('every program is told the address, and the token where one is needed', () => {
  for (const { name } of PROGRAMS) {
    expect(snippetOf(name), name).toContain(access.baseUrl);
    expect(snippetOf(name, { token: 'SECRET' }), name).toContain('SECRET');
  }
});
