import { Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { PeerOrder, SortKey } from './peer-list.ts';

interface SortHeaderProps {
  label: string;
  sortKey: SortKey;
  order: PeerOrder;
  onOrder: (order: PeerOrder) => void;
}

/** A column's head that sorts by it; a second press turns the order round. */
export function SortHeader({ label, sortKey, order, onOrder }: SortHeaderProps) {
  const active = order.key === sortKey;
  const SortIcon = active ? (order.descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <Table.Th scope="col" aria-sort={active ? (order.descending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        onClick={() => onOrder({ key: sortKey, descending: active ? !order.descending : startsHigh(sortKey) })}
      >
        <Group gap={4} wrap="nowrap">
          <Text component="span" size="sm" fw={700}>
            {label}
          </Text>
          <SortIcon size={14} aria-hidden opacity={active ? 1 : 0.4} style={{ flexShrink: 0 }} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

/** The best first: most credits and health, short waits. */
function startsHigh(key: SortKey): boolean {
  return key !== 'rttMs' && key !== 'queue';
}
