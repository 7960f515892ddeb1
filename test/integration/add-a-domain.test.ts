import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { QuarryProcess } from '../support/quarry-process.ts';

/** Follows «How to add a domain» of docs/architecture.md in a copy of the sources: what the page says is what is done here. */
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = [
  'src-main',
  'src-preload',
  'src-renderer',
  'bin',
  'test',
  'scripts',
  'docs',
  'models',
  'resources',
  'examples',
  'build',
];
const FILES = [
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'electron.vite.config.ts',
    'biome.json',
  ],
  '.gitignore',
];
/** What a command of the page writes, not a person. */
const WRITTEN = 'docs/configuration.md';

let copy: string;
let page: string;
let touched: string[];
const LONG = { tags: ['long'] };

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'quarry-domain-'));
  await Promise.all([...FOLDERS, ...FILES].map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  page = await readFile(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  touched = await follow();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, CI: '' } });
}

/** @throws with all that it printed, when it does not end well */
async function passes(...args: string[]): Promise<void> {
  const options = { cwd: copy, env: { ...process.env, CI: '' }, maxBuffer: 64 << 20 };
  await promisify(execFile)(process.execPath, args, options).catch(({ stdout, stderr }) => {
    throw new Error(`${args.join(' ')}\n${stdout}\n${stderr}`);
  });
}

interface Block {
  file: string;
  text: string;
}

/** Code blocks whose first line names their file: new files, and with `diff` the lines of an existing one that change. */
function blocksOf(page: string): { added: Block[]; edits: Block[] } {
  const [, section = ''] = page.split('\n## How to add a domain\n');
  const named = [...section.matchAll(/```(\w+)\n(?:\/\/|--) (\S+)\n([\s\S]*?)```/g)];
  const blocks = named.map(([, kind, file = '', text = '']) => ({ kind, file, text }));
  return { added: blocks.filter(({ kind }) => kind !== 'diff'), edits: blocks.filter(({ kind }) => kind === 'diff') };
}

/** A file with the changes of a block: its parts are divided by `…`, and what each finds stands there once. */
function edited(before: string, { file, text }: Block): string {
  return text.split('…\n').reduce((now, part) => {
    const lines = part.split('\n').filter(Boolean);
    const side = (sign: string) =>
      lines.flatMap((line) => (line[0] === ' ' || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join('');
    expect(now.split(side('-')), `${file}: «${side('-')}» once`).toHaveLength(2);
    return now.replace(side('-'), () => side('+'));
  }, before);
}

/** The files that were there before and are others now. */
async function changedFiles(): Promise<string[]> {
  const listed = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  const paths = [...listed.flat(), ...FILES.map((file) => join(ROOT, file))].map((path) => path.slice(ROOT.length + 1));
  const isChanged = async (path: string) => {
    const there = await readFile(join(copy, path)).catch(ifMissing);
    return !there?.equals(await readFile(join(ROOT, path)));
  };
  const changed = await Promise.all(paths.map(async (path) => ({ path, changed: await isChanged(path) })));
  return changed.filter((one) => one.changed).map(({ path }) => path);
}

/** Does what the page says. @returns the files that it touched, new ones too */
async function follow(): Promise<string[]> {
  const { added, edits } = blocksOf(page);
  for (const { file, text } of added) {
    await expect(readFile(join(copy, file)), `${file} is new`).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), text);
  }
  for (const edit of edits) {
    const path = join(copy, edit.file);
    await writeFile(path, edited(await readFile(path, 'utf8'), edit));
  }
  run('scripts/write-settings-page.ts');
  return [...added, ...edits].map(({ file }) => file);
}

it('a domain with a role, a setting and a figure changes six existing files, those that the page lists', async () => {
  const table = /\| Existing file[\s\S]*?\n\n/.exec(page)?.[0] ?? '';
  const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => file);
  expect(listed).toHaveLength(6);
  expect((await changedFiles()).sort()).toEqual([...listed, WRITTEN].sort());
});

it('its migration takes the next number of all', async () => {
  const frozen = await readdir(join(ROOT, 'test/fixtures/migrations'));
  const highest = Math.max(...frozen.map((name) => Number.parseInt(name, 10)));
  const next = String(highest + 1).padStart(4, '0');
  expect(touched).toContain(`test/fixtures/migrations/${next}-remarks.sql`);
});

const bin = (name: string, file: string) => join(ROOT, 'node_modules', name, file);

it('they are written as all the others are', () => {
  const linted = touched.filter((file) => !file.endsWith('.sql'));
  return passes(bin('@biomejs/biome', 'bin/biome'), 'check', '--vcs-enabled=false', ...linted);
});

it('the sources are sound then', { ...LONG, timeout: 300_000 }, async () => {
  const screens = ['pages', 'sayings', 'texts'].map((name) => `renderer/${name}`);
  const held = [
    'architecture',
    'nothing-swallowed',
    ...screens,
    'settings/config-view',
    'store/migrations',
    'app/parts',
  ];
  await passes(bin('vitest', 'vitest.mjs'), 'run', ...held.map((name) => `test/unit/${name}`));
});

it('their types are right', { ...LONG, timeout: 600_000 }, async () => {
  const tsc = bin('typescript', 'bin/tsc');
  await Promise.all([passes(tsc, '--noEmit'), passes(tsc, '--noEmit', '-p', 'src-renderer')]);
});

it('the command keeps what it is given, on a node that it opens for itself', LONG, () => {
  const quarry = (...args: string[]) => run('src-main/cli.ts', 'remarks', ...args, '--data', join(copy, 'alone'));
  expect(quarry('add', 'Slow after midnight.')).toContain('Kept as number 1.');
  expect(JSON.parse(quarry('--json'))).toMatchObject([{ id: 1, text: 'Slow after midnight.' }]);
});

it('the domain is there on a node of its role, and no other', LONG, async () => {
  const quarry = (...args: string[]) =>
    new QuarryProcess([...args, '--data', join(copy, 'data')], {}, join(copy, 'src-main', 'cli.ts'));
  const start = async (role: string) => {
    const node = quarry('start', '--headless', '--port', '0', '--bootstrap', '127.0.0.1:9', '--role', role);
    const [, url = ''] = await node.printed(/api +(http:\S+)\/v1/);
    return { node, figures: async () => (await fetch(`${url}/metrics`)).text() };
  };
  const validator = await start('validator');
  expect(await quarry('remarks', 'add', 'Seen twice.').ended()).toBe(0);
  expect(await validator.figures()).toContain('quarry_remarks_total 1');
  await validator.node.stop();
  const client = await start('client');
  const refused = quarry('remarks');
  expect(await refused.ended()).toBe(1);
  expect(refused.stderr).toContain('This node keeps no remarks.');
  await client.node.stop();
});
