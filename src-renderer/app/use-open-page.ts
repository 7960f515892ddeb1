import { useLocation } from 'wouter';
import { PAGES } from '../../src-preload/contract/domains.ts';
import type { PageEntry } from '../../src-preload/contract/pages.ts';

/** The page of the address; undefined where there is none. */
export function useOpenPage(): (typeof PAGES)[number] | undefined {
  const [location] = useLocation();
  return pageAt(location);
}

/** The page of an address within the screens, as `/models/catalogue`. */
export function pageAt(address: string): (typeof PAGES)[number] | undefined {
  return PAGES.find(({ path }: PageEntry) => address === path || address.startsWith(`${path}/`));
}
