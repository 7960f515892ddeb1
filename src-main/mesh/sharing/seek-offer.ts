import { shortId } from '../../../src-preload/contract/limits.ts';

/** Milliseconds to look for peers that offer what is wanted, and from one look to the next. */
const LOOK_AROUND_MS = 8_000;
export const LOOK_AGAIN_MS = 200;
/** Milliseconds, after a stranger was heard, in which a trusted signer may still be: whoever is first is not right by that. */
const SETTLE_MS = 3_000;

/**
 * The offer that is meant of a trusted signer, as soon as he is heard; else all that strangers make of what is meant, three seconds after the first of them was
 * heard. Empty where nobody offers it for eight seconds.
 * @param look what is offered after so many milliseconds; the first one of several counts
 * @throws what `look` throws
 */
export async function seekOffers<Offer extends { trusted: boolean }>(
  look: (waitMs: number) => Promise<readonly Offer[]>,
  means: (offer: Offer) => boolean,
): Promise<Offer[]> {
  let found: Offer[] = [];
  let heard = false;
  for (let end = Date.now() + LOOK_AROUND_MS; Date.now() < end; ) {
    found = (await look(LOOK_AGAIN_MS)).filter(means);
    const trusted = found.find((offer) => offer.trusted);
    if (trusted) return [trusted];
    if (found.length > 0 && !heard) {
      heard = true;
      end = Date.now() + SETTLE_MS;
    }
  }
  return found;
}

/** Those who vouch for one and the same file in different words. @returns ids of nodes, each once */
export function signersOf(offers: readonly { signers: readonly string[] }[]): string[] {
  return [...new Set(offers.flatMap(({ signers }) => signers))];
}

/** Hex digits of a hash, and ids of nodes, that are enough to compare with what somebody says. */
const SHORT_HASH = 12;
const FEW_SIGNERS = 4;

/** What strangers offer, told as facts: whoever reads it is to compare, and to get the whole hash elsewhere. @param signers ids of nodes */
export function strangersWords({ sha256, signers }: { sha256: string; signers: readonly string[] }) {
  const few = signers.slice(0, FEW_SIGNERS).map(shortId);
  const more = signers.length > few.length ? ['…'] : [];
  return { begins: sha256.slice(0, SHORT_HASH), signers: [...few, ...more].join(', ') };
}
