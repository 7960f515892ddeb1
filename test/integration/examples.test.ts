import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_MESH } from '../support/mesh-name.ts';
import { QuarryProcess, quarry, TEST_SETTINGS, temporaryFolder } from '../support/quarry-process.ts';

/** Each example runs as its reader would run it, against a real node with the built-in model. */
const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
const COMPILED = join(ROOT, 'node_modules/.cache/quarry-tests');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let node: QuarryProcess;
let address = '';
let url = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
  node = new QuarryProcess([
    'start',
    '--headless',
    '--mine',
    '--data',
    folder.path,
    '--bootstrap',
    address,
    '--port',
    '0',
  ]);
  url = (await node.printed(/api +(\S+)\/v1/))[1] ?? '';
  await node.printed(/Ready/);
});

afterAll(async () => {
  await node?.stop();
  await bootstrap?.stop();
  await folder?.remove();
});

/** Runs a program to its end; fails with what it printed if it does. */
async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, ...TEST_SETTINGS, NODE_COMPILE_CACHE: COMPILED };
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(child.exitCode, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

const example = (file: string, ...args: string[]) => run(process.execPath, [join(EXAMPLES, file), ...args]);

/** `TEST_PYTHON` names another one, such as that of a virtual environment. */
const python = process.env.TEST_PYTHON ?? 'python3';
const hasPythonClient = spawnSync(python, ['-c', 'import openai']).status === 0;
if (!hasPythonClient)
  process.stderr.write(`\n!!! skipped, the example in Python was not run: ${python} has no «openai».\n\n`);

describe('the example', () => {
  it('of an OpenAI client gets its answers', async () => {
    const said = await example('openai-client.ts', url);
    expect(said).toMatch(/^models: .*\blocal\b/);
    expect(said).toMatch(/^answer: \w+ \w+/m);
    expect(said).toMatch(/^tokens: \d+, because of «(stop|length)»$/m);
    expect(said).toMatch(/^stream: \w+ \w+/m);
  });

  it.skipIf(!hasPythonClient)('of an OpenAI client in Python gets its answers', async () => {
    const said = await run(python, [join(EXAMPLES, 'openai_client.py'), url]);
    expect(said).toMatch(/^models: .*\blocal\b/);
    expect(said).toMatch(/^stream: \w+ \w+/m);
  });

  it('of a contract client reads, watches and asks', async () => {
    const said = await example('contract-client.ts', url, join(folder.path, 'local.token'));
    expect(said).toMatch(/^node: [0-9a-f]{8}, a miner, engine ready, \d+ credits$/m);
    expect(said).toMatch(/^watched: \d+ peers, \d+ requests served$/m);
    expect(said).toMatch(/^\w+ \w+.*\nanswer: \d+ tokens, «(stop|length)»$/m);
  });

  it('of a protocol client, which knows Quarry from its document alone, gets an answer and pays for it', async () => {
    const before = await credits();
    const said = await example('protocol-client.ts', address, TEST_MESH.name, 'Why should I trust another computer?');
    expect(said).toMatch(/^accepted: 0 ahead/m);
    expect(said).toMatch(/^answer: \w+ \w+/m);
    expect(said).toMatch(/^bill: \d+ tokens, 2 credits, \d+ points$/m);
    expect(said).toMatch(/^receipt: booked$/m);
    expect((await credits()).points).toBeGreaterThan(before.points);
  });

  it('of a private mesh has a worker that serves and a client that pays', async () => {
    const said = await run('bash', [join(EXAMPLES, 'private-mesh.sh')]);
    expect(said).toMatch(/^meeting point: 127\.0\.0\.1:\d+$/m);
    expect(said).toMatch(/^worker: served [0-9a-f]{8}: \d+ tokens/m);
    expect(said).toMatch(/ 2 credits spent, 0 given away$/m);
    expect(said).toMatch(/^[0-9a-f]{16} +2 +2 +bronze *$/m); // from now on it is owed that
  });
});

async function credits(): Promise<{ points: number }> {
  const { stdout } = await quarry(['credits', '--json', '--data', folder.path]);
  return JSON.parse(stdout);
}

it('every example has its line in the list, and the protocol client imports nothing of ours', () => {
  const list = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  const files = readdirSync(EXAMPLES).filter((file) => file !== 'README.md');
  expect(files.filter((file) => !list.includes(`(${file})`))).toEqual([]);
  const source = readFileSync(join(EXAMPLES, 'protocol-client.ts'), 'utf8');
  const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name ?? '');
  expect(imports).toContain('hyperswarm');
  expect(imports.filter((name) => name.startsWith('.') || name.startsWith('@orpc'))).toEqual([]);
});
