import { useLocation } from 'wouter';
import { PAGES } from '../../src-preload/contract/domains.ts';
import type { PageEntry } from '../../src-preload/contract/pages.ts';

/** The page of the address; undefined where there is none. */
export function useOpenPage(): (typeof PAGES)[number] | undefined {
  const [location] = useLocation();
  return PAGES.find(({ path }: PageEntry) => location === path || location.startsWith(`${path}/`));
}
