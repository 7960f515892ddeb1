import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src-main/client/client.ts';
import { programExamples } from '../support/program-examples.ts';
import { ownToken, QuarryProcess, TEST_SETTINGS, temporaryFolder } from '../support/quarry-process.ts';

/** Every program that the documentation of `quarry/client` shows compiles and runs, here with the sources; test/e2e/package.test.ts has the package. */
const ROOT = resolve(import.meta.dirname, '../..');
const MODULES: [string, string][] = [
  ['quarry/client', 'src-main/client/client.ts'],
  ['quarry/contract', 'src-preload/contract/contract.ts'],
];
const examples = programExamples();

it('there are some, and each stands alone', () => {
  expect(examples.length).toBeGreaterThan(10);
  expect(examples.filter(({ source }) => !/^import .* from 'quarry\//.test(source))).toEqual([]);
});

/** In the checkout, whose packages they find, with the sources in the place of the package. */
async function writeExamples(): Promise<string> {
  await mkdir(join(ROOT, 'test-results'), { recursive: true });
  const path = await mkdtemp(join(ROOT, 'test-results', 'programs-'));
  for (const { name, source } of examples) {
    const rewritten = MODULES.reduce((text, [from, to]) => text.replaceAll(`'${from}'`, `'../../${to}'`), source);
    const ofDomains = rewritten.replaceAll(/'quarry\/contract\/([\w-]+)'/g, "'../../src-preload/contract/$1.ts'");
    await writeFile(
      join(path, name),
      ofDomains.replace("'https://quarry.example.org'", "process.env.EXAMPLE_NODE ?? ''"),
    );
  }
  await writeFile(
    join(path, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] }),
  );
  return path;
}

describe('every example', { tags: ['long'] }, () => {
  let folder: string;
  let data: Awaited<ReturnType<typeof temporaryFolder>>[] = [];
  let nodes: QuarryProcess[] = [];
  let settings: Record<string, string>;
  let served: string;

  beforeAll(async () => {
    folder = await writeExamples();
    data = await Promise.all([temporaryFolder(), temporaryFolder()]);
    const [mine = { path: '' }, others = { path: '' }] = data;
    const bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
    const [, address = ''] = await bootstrap.printed(/node on (\S+)/);
    const start = ['start', '--headless', '--bootstrap', address, '--port', '0', '--data'];
    const worker = new QuarryProcess([...start, others.path, '--mine']);
    const client = new QuarryProcess([...start, mine.path, '--role', 'client']);
    nodes = [client, worker, bootstrap];
    const [, url = ''] = await client.printed(/api +(\S+)\/v1/);
    [, served = ''] = await worker.printed(/node +([0-9a-f]{8})/);
    await Promise.all([worker.printed(/Ready/), client.printed(/Ready/)]);
    settings = { QUARRY_DATA_DIR: mine.path, QUARRY_API_TOKEN: await ownToken(mine.path), EXAMPLE_NODE: url };
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await Promise.all([...data.map((each) => each.remove()), rm(folder, { recursive: true, force: true })]);
  });

  it('compiles', async () => {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(({ stdout }) => ({
      stdout,
    }));
    expect((await compiled).stdout).toBe('');
  });

  it.each(examples)('runs: $name', async ({ name }) => {
    const env = { ...process.env, ...TEST_SETTINGS, ...settings };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)], { env });
    expect(stdout.trim()).not.toBe('');
  });

  it('and one that asks the mesh hears who answered, with what, and what it cost', async () => {
    await using quarry = await connect({ dataDir: settings.QUARRY_DATA_DIR });
    expect(await quarry.models()).toContainEqual({
      name: 'tiny',
      target: 'mesh',
      loaded: true,
      workers: 1,
      tiny: false,
    });
    const { worker, model, credits, paid } = await quarry.ask('What is a mesh?', { model: 'tiny', maxTokens: 8 })
      .result;
    expect(worker?.slice(0, 8)).toBe(served);
    expect(model).toBe('tiny');
    expect(paid).toEqual([{ worker, credits, from: expect.stringMatching(/gift|claim/) }]);
    expect(credits).toBeGreaterThan(0);
  });
});
