import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const TEST = resolve(import.meta.dirname, '../..');

/** A test that docs/security.md names; without titles it means the whole file. */
interface Named {
  file: string;
  titles: string[];
}

/** The last cell of each row of the page's tables, without the heads. */
function lastCells(page: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith('| Held by |'));
  return rows.map((row) => row.slice(2, -2).split(' | ').at(-1) ?? '');
}

/** Reads a cell: `file` › *title*, *title*; `file` › all; `file`. */
function namedIn(cell: string): Named[] {
  return [...cell.matchAll(/`([\w/-]+)`(?: › (all|\*[^*]+\*(?:, \*[^*]+\*)*))?/g)].map(
    ([, file = '', titles = '']) => ({
      file,
      titles: [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title),
    }),
  );
}

/** `desktop/preload` and whatever has no other place is a unit test. */
function pathOf(file: string): string {
  const path = resolve(TEST, /^(e2e|integration|fuzz)\//.test(file) ? '.' : 'unit', file);
  const mocked = `${path}.mocked.test.ts`;
  return existsSync(mocked) ? mocked : `${path}.test.ts`;
}

/** What the tests of a file and their groups are called, as the file writes it. */
function titlesOf(code: string): string[] {
  const calls = code.matchAll(/(?:\b(?:it|describe|fuzz)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1\s*,/g);
  return [...calls].map(([, , title = '']) => title);
}

/** Whether a title of the page, in which «…» stands for anything, means that of a test. */
function means(title: string, test: string): boolean {
  const parts = title.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(test);
}

const cells = lastCells(readFileSync(resolve(TEST, '../docs/security.md'), 'utf8'));
const named = cells.flatMap(namedIn);

describe('docs/security.md', () => {
  it('names a test for each point, or says that there is none', () => {
    expect(cells.length).toBeGreaterThan(30);
    expect(cells.filter((cell) => namedIn(cell).length === 0 && !/^(—|the same$)/.test(cell))).toEqual([]);
  });

  it.each(named)('names tests that are there: $file $titles', ({ file, titles }) => {
    const there = titlesOf(readFileSync(pathOf(file), 'utf8'));
    expect(there.length).toBeGreaterThan(0);
    expect(titles.filter((title) => !there.some((test) => means(title, test)))).toEqual([]);
  });

  it('would miss a test that has another name', () => {
    expect(means('has no file …', 'has no file %s')).toBe(true);
    expect(means('lets … lead home', 'lets %s lead home')).toBe(true);
    expect(means('has no file', 'has no file %s')).toBe(false);
    expect(means('refuses …', 'never refuses a thing')).toBe(false);
  });
});
