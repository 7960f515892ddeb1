/// <reference types="vite/types/importMeta.d.ts" />
import type { PageName } from '../../src-preload/contract/pages.ts';
import type { Screen } from '../components/screen.ts';
import { pageAt } from './use-open-page.ts';

const found = import.meta.glob<Screen>('../pages/*/page.ts', { eager: true, import: 'page' });

/** What a page of the contract's list looks like: found by its folder, which a test holds to the list. */
export function screenOf(name: PageName): Screen {
  const page = found[`../pages/${name}/page.ts`];
  if (!page) throw new Error(`There is no src-renderer/pages/${name}/page.ts.`);
  return page;
}

/** Fetches the page of the address while the connection to main is still being made. */
export function fetchOpenPage(): void {
  const page = pageAt(location.hash.slice(1) || '/');
  if (page) void screenOf(page.name).fetch();
}

/** A browser that is never idle fetches them all the same. */
const LATEST_FETCH_MS = 2_000;

/**
 * Fetches all pages, and more, once the first one has what it needs: afterwards they open at once, also while the node is away.
 * @returns what calls it off
 */
export function fetchEarly(more: () => Promise<void>): () => void {
  const fetchAll = () => {
    for (const page of Object.values(found)) void page.fetch();
    void more();
  };
  const idle = requestIdleCallback(fetchAll, { timeout: LATEST_FETCH_MS });
  return () => cancelIdleCallback(idle);
}
