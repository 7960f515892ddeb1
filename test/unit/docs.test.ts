import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What docs say of files and folders, held against the tree: a page that names a file which has moved is found here. */
const ROOT = resolve(import.meta.dirname, '../..');
/** Where a path of a page begins: at the root, in main's sources, of which most are about, or beside the page. */
const beginningsOf = (page: string) => [ROOT, join(ROOT, 'src-main'), join(ROOT, dirname(page))];

const pages = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['docs', 'build', 'models', 'examples'].flatMap((folder) => pagesBelow(folder)),
];

function pagesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('the documents', () => {
  it.each(pages)('%s names source files that are there', (page) => {
    const named = [...textOf(page).matchAll(/`([\w./-]+\.(?:tsx?|js|mjs))`/g)].map(([, file = '']) => file);
    const there = (file: string) => beginningsOf(page).some((folder) => existsSync(join(folder, file)));
    expect(named.filter((file) => !there(file))).toEqual([]);
  });

  it.each(pages)('%s links to pages and pictures that are there', (page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)].map(
      ([, link = '']) => link,
    );
    expect(links.filter((link) => !existsSync(resolve(ROOT, dirname(page), link)))).toEqual([]);
  });
});
