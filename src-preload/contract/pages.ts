import { PAGES } from './domains.ts';
import type { Role } from './node.ts';

/** How the menu is divided; `system` stands below the others, and `foot` is the menu's foot: the computer by its name. */
export const PAGE_GROUPS = ['earn', 'work', 'use', 'system', 'foot'] as const;
export type PageGroup = (typeof PAGE_GROUPS)[number];

/** A page of the screens; what it is called is the title in its texts. */
export interface PageEntry {
  /** Also the folder of the page, the file of its texts, and its name in links: `quarry://models`. */
  name: string;
  path: string;
  group: PageGroup;
  /** Nodes that have something to show there. Default: all. */
  roles?: readonly Role[];
  /** Its tabs or sections, by the end of their address; the first one is shown at the path itself. */
  places?: readonly string[];
}

export type PageName = (typeof PAGES)[number]['name'];
type PageWithPlaces = Extract<(typeof PAGES)[number], { places: unknown }>;
export type PlaceOf<Name extends PageWithPlaces['name']> = Extract<PageWithPlaces, { name: Name }>['places'][number];

/** The tabs or sections of a page, in their order. */
export function placesOf<Name extends PageWithPlaces['name']>(name: Name): readonly PlaceOf<Name>[] {
  const page: PageEntry | undefined = PAGES.find((one) => one.name === name);
  return (page?.places ?? []) as readonly PlaceOf<Name>[];
}

/** The pages of a group that a node in this role has something on. @param role undefined while it is not known: all */
export function pagesOf<Entry extends PageEntry>(
  group: PageGroup,
  role: Role | undefined,
  pages: readonly Entry[],
): Entry[] {
  return pages.filter((page) => page.group === group && (!role || !page.roles || page.roles.includes(role)));
}
