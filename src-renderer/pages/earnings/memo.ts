import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { shortId } from '../../i18n/format.ts';
import { knownText } from '../../i18n/known-text.ts';

const NODE_ID = hexPattern(32);
const REFUSED_BILL = 'bill refused: ';

/**
 * An entry's memo as people read it: a node by the beginning of its id, a known reason in their language, anything else as it
 * stands.
 * @param known texts by memo
 */
export function readableMemo(memo: string, known: Record<string, string>): string {
  if (NODE_ID.test(memo)) return shortId(memo);
  if (memo.startsWith(REFUSED_BILL)) return `${known.refused ?? REFUSED_BILL} ${memo.slice(REFUSED_BILL.length)}`;
  return knownText(known, memo);
}
