import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../../src-main/cli.ts');

/** What a file imports as soon as it is loaded: no types, and nothing that an action asks for later. */
function loadedBy(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;']*from '([^']+)';/gm);
  return [...imports].map(([, specifier = '']) => specifier);
}

/** The packages that a file brings with it. */
function packagesOf(file: string, found = new Set<string>(), seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const specifier of loadedBy(file)) {
    const next = resolve(dirname(file), specifier);
    if (!specifier.startsWith('.')) found.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
    else if (next.endsWith('.ts') && !seen.has(next)) packagesOf(next, found, seen);
  }
  return found;
}

it('every command starts without what only some of them need: the database, the mesh, the engine, HTTP', () => {
  const packages = [...packagesOf(PROGRAM)].filter((name) => !name.startsWith('node:'));
  expect(packages.sort()).toEqual([
    '@orpc/client',
    '@orpc/contract',
    '@orpc/server',
    'better-sqlite3', // the lock of a data folder
    'cli-progress',
    'cli-table3',
    'commander',
    'env-paths',
    'fastest-levenshtein',
    'smol-toml',
    'zod',
  ]);
});
