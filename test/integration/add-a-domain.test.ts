import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Follows «How to add a domain» of docs/architecture.md in a copy of the sources: what the page says is what is done here. */
const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['src-main', 'src-preload', 'src-renderer', 'test', 'scripts', 'docs', 'models', 'examples', 'build'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'electron.vite.config.ts'];
/** The page's prose, as edits of existing files: what is there, and what stands after it from now on. */
const EDITS: [file: string, after: string, added: string][] = [
  [
    'src-preload/contract/contract.ts',
    "import { nodeContract } from './node.ts';\n",
    "import { notesContract } from './notes.ts';\n",
  ],
  ['src-preload/contract/contract.ts', '  node: nodeContract,\n', '  notes: notesContract,\n'],
  [
    'src-preload/contract/sayings/english.ts',
    "import { node } from './node.ts';\n",
    "import { notes } from './notes.ts';\n",
  ],
  ['src-preload/contract/sayings/english.ts', 'ENGLISH = {', ' ...notes,'],
  [
    'src-preload/contract/pages.ts',
    "path: '/playground', group: 'use' },\n",
    "  { name: 'notes', path: '/notes', group: 'use' },\n",
  ],
  ['src-main/store/database.ts', "from './migrate.ts';\n", "import { notes } from './notes.ts';\n"],
  ['src-main/store/database.ts', 'GROUPS = [', 'notes, '],
  ['src-main/app/domains.ts', "from './parts/node.ts';\n", "import { openNotes } from './parts/notes.ts';\n"],
  ['src-main/app/domains.ts', "from './routes/node.ts';\n", "import { notesRoutes } from './routes/notes.ts';\n"],
  ['src-main/app/domains.ts', '  const credits = await openCredits(core);\n', '  const notes = openNotes(core);\n'],
  ['src-main/app/domains.ts', 'return { credits,', ' notes,'],
  ['src-main/app/domains.ts', 'os.router({\n', "    notes: notesRoutes(domain('notes'), parts.notes),\n"],
  ['src-main/cli/commands.ts', "from './models.ts';\n", "import { registerNotes } from './notes.ts';\n"],
  ['src-main/cli/commands.ts', '  registerModels,\n', '  registerNotes,\n'],
];

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'quarry-domain-'));
  await Promise.all([...COPIED, ...FILES].map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
});
afterAll(() => rm(copy, { recursive: true, force: true }));

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, CI: '' } });
}

/** Code blocks whose first line names their file; the name is no part of JSON. */
function blocksOf(page: string): [file: string, text: string][] {
  const [, section = ''] = page.split('\n## How to add a domain\n');
  const named = section.matchAll(/```\w+\n(?:\/\/|--) (\S+)\n([\s\S]*?)```/g);
  return [...named].map(([, file = '', text = '']) => [file, text]);
}

it('a domain is added as the page says, with six existing files changed', { timeout: 300_000 }, async () => {
  const page = await readFile(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  for (const [file, text] of blocksOf(page)) {
    await expect(readFile(join(copy, file)), `${file} is new`).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), text);
  }
  for (const [file, after, added] of EDITS) {
    const before = await readFile(join(copy, file), 'utf8');
    expect(before.split(after), `${file}: «${after}» once`).toHaveLength(2);
    await writeFile(join(copy, file), before.replace(after, after + added));
  }
  const changed = new Set(EDITS.map(([file]) => file));
  expect(changed.size).toBe(6);
  const table = /\| Existing file[\s\S]*?\n\n/.exec(page)?.[0] ?? '';
  expect([...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => file).sort()).toEqual([...changed].sort());

  const bin = (name: string, file: string) => join(ROOT, 'node_modules', name, file);
  run(bin('typescript', 'bin/tsc'), '--noEmit');
  run(bin('typescript', 'bin/tsc'), '--noEmit', '-p', 'src-renderer');
  const held = ['architecture', 'nothing-swallowed', 'renderer', 'store/migrations'].map((name) => `test/unit/${name}`);
  run(bin('vitest', 'vitest.mjs'), 'run', '--project', 'node', ...held);

  const quarry = (...args: string[]) => run('src-main/cli.ts', 'notes', ...args, '--data', join(copy, 'data'));
  expect(quarry('add', 'Dust the fans.')).toContain('Kept as number 1.');
  expect(JSON.parse(quarry('--json'))).toMatchObject([{ id: 1, text: 'Dust the fans.' }]);
});
