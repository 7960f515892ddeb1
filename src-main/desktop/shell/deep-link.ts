import { isModelName } from '../../models/model-name.ts';

/** The scheme that other programs and web pages may use to open one of the screens. */
export const LINK_SCHEME = 'quarry';

/** Where the screens are, by the name that links use. */
const PAGES = new Map([
  ['dashboard', '/#/'],
  ['earnings', '/#/earnings'],
  ['models', '/#/models'],
  ['playground', '/#/playground'],
  ['network', '/#/network'],
  ['settings', '/#/settings'],
]);
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
  if (model === undefined) return PAGES.get(page);
  return page === 'models' && isModelName(model) ? `/?model=${model}#/models` : undefined;
}
