import { PAGES } from '../../../src-preload/contract/pages.ts';
import { isModelName } from '../../models/model-name.ts';

/** The scheme that other programs and web pages may use to open one of the screens. */
export const LINK_SCHEME = 'quarry';

/** Far longer than any link that means something. */
const MAX_LENGTH = 300;

/**
 * The screen that a link means, as an address within the app: `quarry://settings`, `quarry://models/NAME`.
 * @returns undefined for anything else; links come from anybody and carry nothing but where to look
 */
export function pageOfLink(link: string): string | undefined {
  if (link.length > MAX_LENGTH) return undefined;
  const parsed = /^quarry:\/\/([a-z]+)(?:\/([A-Za-z0-9._-]+)?)?$/.exec(link);
  if (!parsed) return undefined;
  const [, page = '', model] = parsed;
  if (model === undefined) return addressOf(page);
  return page === 'models' && isModelName(model) ? `/?model=${model}#/models` : undefined;
}

/** Where a page is, by its name. */
function addressOf(name: string): string | undefined {
  const page = PAGES.find((one) => one.name === name);
  return page && `/#${page.path}`;
}
