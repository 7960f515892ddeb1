import { z } from 'zod';
import { severalAtOnce } from '../../base/several-at-once.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { readAlphaPrice } from '../chain/money.ts';
import { bigNumber, MOST_SUBNETS, number } from '../chain/shapes.ts';

/** Prices that are asked for at once where the runtime does not tell all of them together. */
const PRICES_AT_ONCE = 16;
const ALL_PRICES = z.array(z.object({ netuid: number, price: bigNumber })).max(MOST_SUBNETS);

/** Rao for one alpha of some subnets, by netuid; what nobody tells is left out. */
export async function readPrices(reader: ChainReader, netuids: readonly number[]): Promise<Map<number, bigint>> {
  if (netuids.length === 0) return new Map();
  const told = await reader.api(ALL_PRICES, 'SwapRuntimeApi', 'current_alpha_price_all');
  const prices = new Map(told?.map(({ netuid, price }) => [netuid, price]));
  const untold = netuids.filter((netuid) => !prices.has(netuid));
  const found = await severalAtOnce(untold, PRICES_AT_ONCE, (netuid) => readAlphaPrice(reader, netuid));
  for (const [at, netuid] of untold.entries()) {
    const price = found[at];
    if (price !== undefined) prices.set(netuid, price);
  }
  return prices;
}
