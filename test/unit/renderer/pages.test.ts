import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageOfLink } from '../../../src-main/desktop/shell/deep-link.ts';
import { PAGES } from '../../../src-preload/contract/domains.ts';
import { PAGE_GROUPS, type PageEntry, pagesOf } from '../../../src-preload/contract/pages.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import type { Texts } from '../../../src-renderer/i18n/texts.ts';

const pages: readonly PageEntry[] = PAGES;
const pagesRoot = resolve(import.meta.dirname, '../../../src-renderer/pages');
const folders = readdirSync(pagesRoot);

describe('the list of pages', () => {
  it('has every folder of pages but the welcome, which comes by itself', () => {
    expect(pages.map(({ name }) => name).sort()).toEqual(folders.filter((name) => name !== 'welcome').sort());
  });

  it.each(pages)('$name has a title and the names of its places in every language, and a link', (page) => {
    for (const language of [en, de]) {
      const { title, place = {} } = language[page.name] as { title?: string; place?: Texts };
      expect(title).toBeTypeOf('string');
      expect(Object.keys(place)).toEqual(page.places ?? []);
    }
    expect(pageOfLink(`quarry://${page.name}`)).toBe(`/#${page.path}`);
    expect(existsSync(join(pagesRoot, page.name, 'page.ts'))).toBe(true);
  });

  it('has names and paths that are told apart', () => {
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  });

  it('shows a page to the roles that it is for, and to everybody where it names none', () => {
    const some: PageEntry[] = [
      { name: 'all', path: '/', group: 'work' },
      { name: 'checks', path: '/checks', group: 'work', roles: ['validator'] },
      { name: 'elsewhere', path: '/else', group: 'use' },
    ];
    const names = (role: Parameters<typeof pagesOf>[1]) => pagesOf('work', role, some).map(({ name }) => name);
    expect(names('validator')).toEqual(['all', 'checks']);
    expect(names('miner')).toEqual(['all']);
    expect(names(undefined)).toEqual(['all', 'checks']);
    expect(PAGE_GROUPS.flatMap((group) => pagesOf(group, undefined, PAGES)).length).toBe(PAGES.length);
  });
});
