import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const TEST = resolve(import.meta.dirname, '..');

function filesWith(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(TEST, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== import.meta.filename && pattern.test(readFileSync(file, 'utf8')))
    .map((file) => relative(TEST, file));
}

// Unit tests run in one process, one file after the other (docs/testing.md).

it('modules are replaced in files only that have a process of their own', () => {
  const replacing = filesWith('unit', /^vi\.(?:mock|doMock)\(/m);
  expect(replacing.filter((file) => !file.endsWith('.mocked.test.ts'))).toEqual([]);
  expect(replacing.length).toBeGreaterThan(10);
});

it('what tests share leaves the end of a test to the test', () => {
  const hooks = filesWith('support', /^(?:before|after)(?:Each|All)\(/m);
  expect(hooks).toEqual(['support/as-before.ts']);
});

it('`npm run test:long` names every file that has a long test', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(TEST, '../package.json'), 'utf8'));
  const named = scripts['test:long'].split(' ').slice(4);
  const long = ['unit', 'integration', 'e2e'].flatMap((folder) => filesWith(folder, /tags: \['long'|@module-tag long/));
  expect(long.filter((file) => !named.some((name: string) => file.includes(name)))).toEqual([]);
  expect(named).toHaveLength(long.length);
});

it('`npm run test:heavy` runs every file that makes more rounds when it is told to', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(TEST, '../package.json'), 'utf8'));
  const runs = scripts['test:heavy'].split(' && ').map((command: string) => command.split(' ').slice(2));
  const named = (folder: string, project: string) => {
    const [, , , , ...names] = runs.find((words: string[]) => words[1] === project) ?? [];
    const files = filesWith(folder, /support\/rounds\.ts'/);
    expect(files.filter((file) => !names.some((name: string) => file.includes(name)))).toEqual([]);
    return files.length;
  };
  expect(named('unit', 'unit')).toBeGreaterThan(1);
  expect(named('integration', 'integration')).toBeGreaterThan(3);
  expect(named('e2e', 'e2e')).toBeGreaterThan(0);
});
