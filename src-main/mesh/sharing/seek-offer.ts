/** Milliseconds to look for peers that offer what is wanted, and from one look to the next. */
const LOOK_AROUND_MS = 8_000;
export const LOOK_AGAIN_MS = 200;

export interface SoughtOffer<Offer> {
  /** What is offered after so many milliseconds. */
  look: (waitMs: number) => Promise<readonly Offer[]>;
  means: (offer: Offer) => boolean;
  /** Alike for offers of the same file. */
  fileOf: (offer: Offer) => string;
  /** Why nothing is taken of several files that are meant, none of them by somebody who is trusted. */
  ambiguous: (found: readonly Offer[]) => Error;
}

/** The offer that is meant, a trusted one before others; undefined where nobody offers it for eight seconds. @throws what `ambiguous` makes, and what `look` throws */
export async function seekOffer<Offer extends { trusted: boolean }>({
  look,
  means,
  fileOf,
  ambiguous,
}: SoughtOffer<Offer>): Promise<Offer | undefined> {
  for (const end = Date.now() + LOOK_AROUND_MS; Date.now() < end; ) {
    const found = (await look(LOOK_AGAIN_MS)).filter(means);
    const trusted = found.find((offer) => offer.trusted);
    if (trusted) return trusted;
    if (new Set(found.map(fileOf)).size > 1) throw ambiguous(found);
    if (found[0]) return found[0];
  }
  return undefined;
}
