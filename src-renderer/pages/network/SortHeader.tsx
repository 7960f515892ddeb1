import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import classes from '../../components/page/table.module.css';
import type { PeerOrder, SortKey } from './peer-list.ts';

interface SortHeaderProps {
  label: string;
  sortKey: SortKey;
  order: PeerOrder;
  onOrder: (order: PeerOrder) => void;
  /** Above numbers. */
  right?: boolean;
  /** Only where there is room. */
  wide?: boolean;
}

/** A column's head that sorts by it; a second press turns the order round. */
export function SortHeader({ label, sortKey, order, onOrder, right, wide }: SortHeaderProps) {
  const active = order.key === sortKey;
  // Health falls where the load that is shown rises.
  const falls = order.descending !== (sortKey === 'health');
  const SortIcon = active ? (falls ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <th
      scope="col"
      className={[right && classes.num, wide && classes.wide].filter(Boolean).join(' ')}
      aria-sort={active ? (falls ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        onClick={() => onOrder({ key: sortKey, descending: active ? !order.descending : startsHigh(sortKey) })}
      >
        {label}
        <SortIcon size={13} aria-hidden opacity={active ? 1 : 0.4} />
      </UnstyledButton>
    </th>
  );
}

/** The best first: most credits, little load, short waits. */
function startsHigh(key: SortKey): boolean {
  return key !== 'rttMs' && key !== 'queue';
}
