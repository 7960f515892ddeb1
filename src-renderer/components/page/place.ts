import { useLocation } from 'wouter';
import { PAGES } from '../../../src-preload/contract/domains.ts';
import { type PageEntry, type PlaceOf, placesOf } from '../../../src-preload/contract/pages.ts';

/** A page that is divided by tabs. */
export type PageWithPlaces = Extract<(typeof PAGES)[number], { places: unknown }>['name'];

/** The tab of a page that its address names; its first one where it names none. */
export function usePlace<Name extends PageWithPlaces>(name: Name): PlaceOf<Name> {
  const [location] = useLocation();
  const places = placesOf(name);
  const place = places.find((one) => location === `${pathOf(name)}/${one}`) ?? places[0];
  if (place === undefined) throw new Error(`The page ${name} has no places.`);
  return place;
}

/** Where a tab is, without «#»: the first one is at the page's own address. */
export function pathOfPlace(name: PageWithPlaces, place: string): string {
  return place === placesOf(name)[0] ? pathOf(name) : `${pathOf(name)}/${place}`;
}

function pathOf(name: string): string {
  const page: PageEntry | undefined = PAGES.find((one) => one.name === name);
  return page?.path ?? '/';
}
