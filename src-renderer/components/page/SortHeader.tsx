import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { SortOrder } from './sort-order.ts';
import classes from './table.module.css';

interface SortHeaderProps<Key extends string> {
  label: string;
  /** What the label says in full, where it is short. */
  title?: string;
  sortKey: Key;
  order: SortOrder<Key>;
  onOrder: (order: SortOrder<Key>) => void;
  /** The first press puts the greatest first. Default true */
  startsHigh?: boolean;
  /** What is shown falls where the sorted figure rises, as load does with health. Default false */
  inverse?: boolean;
  /** Above numbers. */
  right?: boolean;
  /** Only where there is room. */
  wide?: boolean;
}

/** A column's head that sorts by it; a second press turns the order round. */
export function SortHeader<Key extends string>(props: SortHeaderProps<Key>) {
  const { label, title, sortKey, order, onOrder, startsHigh = true, inverse = false, right, wide } = props;
  const active = order.key === sortKey;
  const falls = order.descending !== inverse;
  const SortIcon = active ? (falls ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <th
      scope="col"
      className={[right && classes.num, wide && classes.wide].filter(Boolean).join(' ')}
      aria-sort={active ? (falls ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        title={title}
        onClick={() => onOrder({ key: sortKey, descending: active ? !order.descending : startsHigh })}
      >
        {label}
        <SortIcon size={13} aria-hidden opacity={active ? 1 : 0.4} />
      </UnstyledButton>
    </th>
  );
}
