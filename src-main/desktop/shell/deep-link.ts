import { PAGES } from '../../../src-preload/contract/domains.ts';
import type { PageEntry } from '../../../src-preload/contract/pages.ts';
import { isModelName } from '../../models/model-name.ts';

/** The scheme that other programs and web pages may use to open one of the screens. */
export const LINK_SCHEME = 'quarry';

/** Far longer than any link that means something. */
const MAX_LENGTH = 300;

/**
 * The screen that a link means, as an address within the app: `quarry://settings`, `quarry://settings/policy`,
 * `quarry://models/NAME`. A model that is called as one of the page's places has no link of its own.
 * @returns undefined for anything else; links come from anybody and carry nothing but where to look
 */
export function pageOfLink(link: string): string | undefined {
  if (link.length > MAX_LENGTH) return undefined;
  const parsed = /^quarry:\/\/([a-z]+)(?:\/([A-Za-z0-9._-]+)?)?$/.exec(link);
  if (!parsed) return undefined;
  const [, name, rest] = parsed;
  const page: PageEntry | undefined = PAGES.find((one) => one.name === name);
  if (!page || rest === undefined) return page && `/#${page.path}`;
  if (page.places?.includes(rest)) return `/#${page.path}/${rest}`;
  return page.name === 'models' && isModelName(rest) ? `/?model=${rest}#/models` : undefined;
}
