import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appliesAtOnce, SETTINGS } from '../../src-main/settings/config-settings.ts';
import { PAGES } from '../../src-preload/contract/domains.ts';

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

function sourcesBelow(room: string): string[] {
  const files = readdirSync(join(ROOT, 'src-main', room), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => textOf(join('src-main', room, file)));
}

/** Names of figures, in order. `quarry_session` is a cookie. */
const figuresIn = (text: string, quote: string) =>
  [...text.matchAll(new RegExp(`${quote}(quarry_\\w+)${quote}`, 'g'))]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'quarry_session')
    .sort();

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

  it('tell of every page of the menu, by its title', () => {
    const rows = [...textOf('docs/screens.md').matchAll(/^\| (\w[\w ]*) \| .{20,} \|$/gm)].map(([, title]) => title);
    const titles = PAGES.map(({ name }) => JSON.parse(textOf(`src-renderer/i18n/en/${name}.json`)).title);
    expect(rows.filter((title) => titles.includes(title)).sort()).toEqual(titles.sort());
  });

  it('name every setting that takes effect without a restart', () => {
    const page = textOf('docs/configuration.md');
    const told = /Some take effect at once: ([\s\S]*?)\. The others/.exec(page)?.[1] ?? '';
    const named = [...told.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const begins = named.filter((name) => name.startsWith('[')).map((name) => `${name.slice(1, -1)}.`);
    const isTold = (path: string) => named.includes(path) || begins.some((begin) => path.startsWith(begin));
    const paths = SETTINGS.map(({ path }) => path);
    expect(paths.filter(isTold)).toEqual(paths.filter(appliesAtOnce));
  });

  it('list the figures of /metrics', () => {
    const figures = ['server', 'app/parts', 'app/validator']
      .flatMap((room) => sourcesBelow(room))
      .flatMap((text) => figuresIn(text, "'"));
    expect(figures).toContain('quarry_peers');
    expect(figuresIn(textOf('docs/screens.md'), '`')).toEqual([...new Set(figures)].sort());
  });
});
