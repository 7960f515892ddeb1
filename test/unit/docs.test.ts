import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What docs say of files and folders, held against the tree: a page that names a file which has moved is found here. */
const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = ['src-main', 'src-preload', 'src-renderer', 'scripts', 'test', 'bin', 'build', 'examples', '.ci'];

const pages = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['docs', 'build', 'models', 'examples'].flatMap((folder) => pagesBelow(folder)),
];
const sources = SOURCES.flatMap((folder) => filesBelow(folder));

function pagesBelow(folder: string): string[] {
  return filesBelow(folder).filter((file) => file.endsWith('.md'));
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    );
}

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('the documents', () => {
  it.each(pages)('%s names source files that are there', (page) => {
    const named = [...textOf(page).matchAll(/`([\w./-]+\.(?:tsx?|js|mjs))`/g)].map(([, file = '']) => file);
    const there = (file: string) =>
      existsSync(join(ROOT, file)) || sources.some((source) => source === file || source.endsWith(`/${file}`));
    expect(named.filter((file) => !there(file))).toEqual([]);
  });

  it.each(pages)('%s links to pages and pictures that are there', (page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)].map(
      ([, link = '']) => link,
    );
    expect(links.filter((link) => !existsSync(resolve(ROOT, dirname(page), link)))).toEqual([]);
  });
});
