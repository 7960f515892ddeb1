import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { programExamples, STRICTEST } from '../support/program-examples.ts';
import { ownToken, QuarryProcess, TEST_SETTINGS, temporaryFolder } from '../support/quarry-process.ts';

/** What `npm pack` makes, installed by npm into an empty folder: the command works there, and a program that imports its modules. */
const ROOT = resolve(import.meta.dirname, '../..');
const LONG = { tags: ['long', 'seldom'] };
/** Half of all bytes are the engine for graphics cards, which nobody has who runs this. */
const LEFT_OUT = ['linux-x64-cuda', 'linux-x64-cuda-ext', 'linux-x64-vulkan'];
const { typescript, '@types/node': nodeTypes } = manifest.devDependencies;
const examples = programExamples();

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tarball = '';
let consumer = '';

/** As a person types it: nothing of this process's npm, and nothing of the checkout, is in the environment. */
const CLEAN = Object.fromEntries(
  Object.entries({ ...process.env, ...TEST_SETTINGS, NODE_OPTIONS: undefined }).filter(
    ([name]) => !/^(npm_|NODE_PATH$|VITEST|QUARRY_DATA)/i.test(name),
  ),
);

async function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd, env: { ...CLEAN, ...env }, shell: process.platform === 'win32', maxBuffer: 64 << 20 };
  const { stdout } = await promisify(execFile)(command, args, options).catch(({ stdout, stderr }) => {
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  });
  return stdout;
}

const installed = (...path: string[]) => join(consumer, 'node_modules', ...path);
const command = (...args: string[]) => run(installed('.bin', 'quarry'), args, consumer);

async function install(): Promise<void> {
  folder = await temporaryFolder();
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder.path], ROOT);
  tarball = join(folder.path, packed.trim().split('\n').at(-1) ?? '');
  consumer = join(folder.path, 'program');
  await mkdir(consumer);
  const overrides = Object.fromEntries(
    LEFT_OUT.map((name) => [`@node-llama-cpp/${name}`, 'npm:empty-npm-package@1.0.0']),
  );
  await writeFile(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }));
  const wanted = [tarball, `typescript@${typescript}`, `@types/node@${nodeTypes}`];
  // What its script fetches is for NVIDIA's cards, and not from npm.
  const env = { ONNXRUNTIME_NODE_INSTALL: 'skip' };
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], consumer, env);
}

describe('the package', LONG, () => {
  let node: QuarryProcess;
  let bootstrap: QuarryProcess;
  let worker: QuarryProcess;
  let url = '';
  let data: Record<'mine' | 'others', string>;

  beforeAll(async () => {
    await install();
    data = { mine: join(folder.path, 'mine'), others: join(folder.path, 'others') };
    const program = installed('quarry', 'bin', 'quarry.js');
    bootstrap = new QuarryProcess(['bootstrap', '--port', '0'], {}, program);
    const [, address = ''] = await bootstrap.printed(/node on (\S+)/);
    const start = ['start', '--headless', '--bootstrap', address, '--port', '0', '--data'];
    worker = new QuarryProcess([...start, data.others, '--mine'], {}, program);
    node = new QuarryProcess([...start, data.mine, '--role', 'client'], {}, program);
    [, url = ''] = await node.printed(/api +(\S+)\/v1/);
    await Promise.all([worker.printed(/Ready/), node.printed(/Ready/)]);
  });
  afterAll(async () => {
    for (const each of [node, worker, bootstrap]) await each?.stop();
    await folder?.remove();
  });

  it('is small, and has neither sources nor tests', async () => {
    expect((await stat(tarball)).size).toBeLessThan(9e6);
    expect((await readdir(installed('quarry'))).sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'docs',
      'models',
      'out',
      'package.json',
      'resources',
    ]);
    const files = await readdir(installed('quarry', 'out'), { recursive: true });
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    const wanted = Object.keys(manifest.devDependencies).filter((name) => existsSync(installed(name)));
    expect(wanted.sort()).toEqual(['@types/node', 'typescript']); // this test's own
  });

  it('has the command, whose hints name it as it is typed there', async () => {
    expect((await command('--version')).trim()).toBe(manifest.version);
    const help = await run(installed('.bin', 'quarry'), ['--help'], consumer, { PATH: dirname(process.execPath) });
    expect(help).toContain(installed('quarry'));
    expect(help).toContain('npx quarry');
    expect(help).not.toContain('npm run');
    expect(await command('ps', '--data', data.mine)).toContain('serving');
  });

  it('answers in the terminal, by an engine of its own', async () => {
    const said = await command(
      'ask',
      '--local',
      '--json',
      '--max-tokens',
      '4',
      '--data',
      join(folder.path, 'third'),
      'Hi',
    );
    expect(JSON.parse(said)).toMatchObject({ target: 'local', text: expect.stringMatching(/./) });
  });

  it('has the screens, the texts for evaluations, and Python in its sandbox', async () => {
    const page = await (await fetch(url)).text();
    const [script = ''] = /assets\/first-[^"]+\.js/.exec(page) ?? [];
    expect((await fetch(`${url}/${script}`)).status).toBe(200);
    const asked = ['--samples', '1', '--lengths', '1k', '--data', data.others];
    expect(await command('evaluate', '--suite', 'hotpotqa-distractor', '--own-texts', ...asked)).toContain('all');
    const local = ['validator', 'local', '--samples', '1', '--environment', 'ded', '--data', data.others];
    expect(await command(...local)).toMatch(/^ded/m);
  });

  it('has modules whose every example compiles, as strictly as there is', async () => {
    const programs = join(consumer, 'programs');
    await mkdir(programs);
    for (const { name, source } of examples) await writeFile(join(programs, name), source);
    await writeFile(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICTEST, include: ['programs'] }),
    );
    expect(await run(installed('.bin', 'tsc'), ['-p', consumer], consumer)).toBe('');
  });

  it.each(examples)('lets a program do what it is documented with: $name', async ({ name, source }) => {
    const file = join(consumer, `run-${name}`);
    await writeFile(file, source.replace("'https://quarry.example.org'", "process.env.EXAMPLE_NODE ?? ''"));
    const where = { QUARRY_DATA_DIR: data.mine, QUARRY_API_TOKEN: await ownToken(data.mine), EXAMPLE_NODE: url };
    expect((await run(process.execPath, [file], consumer, where)).trim()).not.toBe('');
  });

  it('opens nothing else to programs', async () => {
    const file = join(consumer, 'inside.js');
    await writeFile(file, "await import('quarry/out/main/cli.js').catch(({ code }) => console.log(code));");
    expect(await run(process.execPath, [file], consumer)).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(JSON.parse(await readFile(installed('quarry', 'package.json'), 'utf8'))).toMatchObject({ private: true });
  });
});
