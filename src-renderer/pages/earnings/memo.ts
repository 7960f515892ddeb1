import { shortId } from '../../i18n/format.ts';

const NODE_ID = /^[0-9a-f]{64}$/;
const REFUSED_OFFER = 'offer refused: ';

/**
 * An entry's memo as people read it: a node by the beginning of its id, a known reason in their language, anything else as it
 * stands.
 * @param known texts by memo
 */
export function readableMemo(memo: string, known: Record<string, string>): string {
  if (NODE_ID.test(memo)) return shortId(memo);
  if (memo.startsWith(REFUSED_OFFER))
    return `${own(known, 'refused') ?? REFUSED_OFFER} ${memo.slice(REFUSED_OFFER.length)}`;
  return own(known, memo) ?? memo;
}

/** Memos come from peers too: only texts that were put there count. */
function own(texts: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
