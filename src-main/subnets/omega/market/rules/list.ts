import type { OfferKind } from '../../../../../src-preload/contract/market-names.ts';
import { shuffled } from '../../../../base/shuffled.ts';
import type { MarketTerms } from './terms.ts';

/** A video that could be bought now. */
export interface Listable {
  id: string;
  kind: OfferKind;
  /** ss58 of who is paid. */
  seller: string;
  /** Rao. */
  price: bigint;
  /** When it came into the list, Unix milliseconds. */
  listedAt: number;
}

export interface ListFacts {
  /** None that is locked. */
  videos: readonly Listable[];
  /** Sellers who are served first, and when each sold something last, Unix milliseconds; null for never. */
  trusted: ReadonlyMap<string, number | null>;
  /** What was bought last, the newest first; four are looked at. */
  lastKinds: readonly OfferKind[];
}

const MOST_MARKETPLACE = 9;
const TRUSTED_FIRST = 2;
const FEW = 2;
const LOOKED_BACK = 4;
const OTHERS = { whenFew: 7, else: 1 };

/**
 * What is shown of what there is (OMEGA, its sheet, B13): up to nine videos of the market’s own tasks, of which two are of the trusted seller who has waited
 * longest, else the oldest first; others where there are few of those, or nobody has bought one of them lately. In no order: nobody buys what stands first.
 * Here one of each seller comes before a second one, and of two places one is drawn by chance: what stands there for long, because nobody wants it, keeps out
 * nobody for ever.
 *
 * @param random from 0 to below 1
 */
export function buildList<Video extends Listable>(
  { videos, trusted, lastKinds }: Omit<ListFacts, 'videos'> & { videos: readonly Video[] },
  terms: MarketTerms,
  random: () => number,
): Video[] {
  const oldest = videos.toSorted((a, b) => a.listedAt - b.listedAt || (a.id < b.id ? -1 : 1));
  const own = oldest.filter(({ kind, price }) => kind === 'marketplace' && price > terms.leastShown);
  const first = firstOf(own, trusted);
  const rest = own.filter((one) => !first.includes(one));
  const marketplace = [...first, ...chosen(rest, MOST_MARKETPLACE - first.length, random)];
  const free = oldest.filter(({ kind }) => kind !== 'marketplace');
  const others = chosen(free, othersBeside(marketplace.length, lastKinds), random);
  return shuffled([...marketplace, ...others], random);
}

/** Half of them the oldest, one of each seller before a second one; the others by chance. */
function chosen<Video extends Listable>(oldest: readonly Video[], count: number, random: () => number): Video[] {
  const nth = new Map<string, number>();
  const turns = oldest.map((video) => {
    const turn = nth.get(video.seller) ?? 0;
    nth.set(video.seller, turn + 1);
    return { video, turn };
  });
  const fair = turns.toSorted((a, b) => a.turn - b.turn).map(({ video }) => video); // stable: the oldest first
  const head = fair.slice(0, Math.ceil(count / 2));
  return [...head, ...shuffled(fair.slice(head.length), random).slice(0, count - head.length)];
}

function firstOf<Video extends Listable>(videos: readonly Video[], trusted: ListFacts['trusted']): Video[] {
  const waiting = [...new Set(videos.map(({ seller }) => seller))].filter((seller) => trusted.has(seller));
  const since = (seller: string) => trusted.get(seller) ?? 0;
  const longest = waiting.reduce<string | undefined>(
    (best, seller) => (best === undefined || since(seller) < since(best) ? seller : best),
    undefined,
  );
  return videos.filter(({ seller }) => seller === longest).slice(0, TRUSTED_FIRST);
}

function othersBeside(marketplace: number, lastKinds: readonly OfferKind[]): number {
  const nobodyBought = lastKinds.slice(0, LOOKED_BACK).every((kind) => kind === 'marketplace');
  if (marketplace > FEW && !nobodyBought) return 0;
  return marketplace <= FEW ? OTHERS.whenFew : OTHERS.else;
}
