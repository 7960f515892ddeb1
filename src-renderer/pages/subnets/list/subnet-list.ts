import type { SubnetView } from '../../../../src-preload/contract/chain.ts';
import type { SortOrder } from '../../../components/page/sort-order.ts';
import { compareRao } from '../compare-rao.ts';

export type SubnetSortKey = 'netuid' | 'price' | 'neurons' | 'registrationCost';
export type SubnetOrder = SortOrder<SubnetSortKey>;

/** By number, or by part of a name. */
export function chooseSubnets(subnets: readonly SubnetView[], text: string): SubnetView[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...subnets];
  const number = /^#?(\d+)$/.exec(wanted)?.[1];
  return subnets.filter(
    ({ netuid, name }) =>
      name.toLowerCase().includes(wanted) || (number !== undefined && `${netuid}`.startsWith(number)),
  );
}

/** Those with neurons of one's own before all others; what has no price or cost comes last; equals by their number. */
export function sortSubnets(subnets: readonly SubnetView[], { key, descending }: SubnetOrder): SubnetView[] {
  return subnets.toSorted((one, other) => {
    const own = Number(other.own > 0) - Number(one.own > 0);
    if (own !== 0) return own;
    const [a, b] = [one[key], other[key]];
    if (a === null || b === null) return Number(a === null) - Number(b === null) || one.netuid - other.netuid;
    const order = typeof a === 'string' ? compareRao(a, String(b)) : a - Number(b);
    return (descending ? -order : order) || one.netuid - other.netuid;
  });
}
