import type { Provenance } from '../../../src-preload/contract/data.ts';
import { MAX_ATTRIBUTION_CHARS } from '../../../src-preload/contract/data-limits.ts';
import { licenceName } from './licences.ts';
import { line, shortened } from './plain-text.ts';

/** Of title and author so much stands in it; of addresses, those that are no longer: all of it has room then. */
const [MOST_TITLE, MOST_AUTHOR, MOST_PAGE, MOST_LICENCE] = [200, 200, 420, 100];

/**
 * How a work is named by whoever uses it, as Creative Commons recommends: title, author, source and licence, each with its address. What is long is shortened; the licence never is.
 * @param title in plain text
 */
export function attributionOf(title: string, of: Omit<Provenance, 'attribution'>): string {
  const { licence, licenceUrl, author, page } = of;
  const by = author === null ? '' : ` by ${line(author, MOST_AUTHOR)}`;
  const from = page !== null && page.length <= MOST_PAGE ? `, ${page}` : '';
  const words = `“${line(title, MOST_TITLE)}”${by}${from}`;
  if (licence === 'own') return shortened(words, MAX_ATTRIBUTION_CHARS);
  const name = licenceName(licence, licenceUrl);
  const link = licenceUrl !== null && licenceUrl.length <= MOST_LICENCE ? ` (${licenceUrl})` : '';
  const under = { publicDomain: ', in the public domain', unknown: ', of unknown licence' }[licence as string];
  const suffix = name === 'CC0' ? ', licensed under CC0' : (under ?? `, licensed under ${name}`);
  return `${words}${suffix}${link}.`;
}
