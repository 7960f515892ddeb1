import type { Card } from '../../../src-preload/contract/node.ts';

/** The card that has most to do, and the one whose memory is fullest: the two that the computer's use is told by. */
export function fullestCards(cards: readonly Card[]): { busiest: Card | undefined; fullest: Card | undefined } {
  const top = (share: (card: Card) => number | undefined) =>
    cards.filter((card) => share(card) !== undefined).toSorted((a, b) => (share(b) ?? 0) - (share(a) ?? 0))[0];
  return {
    busiest: top(({ busy }) => busy),
    fullest: top(({ vramUsed, vramTotal }) =>
      vramUsed === undefined || !vramTotal ? undefined : vramUsed / vramTotal,
    ),
  };
}
