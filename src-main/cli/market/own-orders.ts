import type { OwnOffer, OwnPurchase } from '../../../src-preload/contract/trade.ts';
import type { NodeClient } from '../terminal/node-client.ts';

const TOGETHER = 100;

/** Everything that was bought, newest first. */
export const ownPurchases = (node: NodeClient): Promise<OwnPurchase[]> =>
  allOf(async (before) => {
    const { purchases: rows, more } = await node.trade.purchases({ before, limit: TOGETHER });
    return { rows, more };
  });

/** Everything that is or was offered, newest first. */
export const ownOffers = (node: NodeClient): Promise<OwnOffer[]> =>
  allOf(async (before) => {
    const { offers: rows, more } = await node.trade.offers({ before, limit: TOGETHER });
    return { rows, more };
  });

async function allOf<Row extends { id: string }>(
  read: (before: string | undefined) => Promise<{ rows: Row[]; more: boolean }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const { rows, more } = await read(all.at(-1)?.id);
    all.push(...rows);
    if (!more || rows.length === 0) return all;
  }
}
