import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';

interface PeerSumsProps {
  title: string;
  /** Name of the column of credits. */
  sum: string;
  /** Name of the last column, where there is one. */
  mark?: string | undefined;
  /** Its rows. */
  children: ReactNode;
}

/** A table of peers and of credits between them and this node. */
export function PeerSums({ title, sum, mark, children }: PeerSumsProps) {
  const { t } = useTranslation('earnings');
  return (
    <Table aria-label={title} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" pl={0}>
            {t('owing.peer')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {sum}
          </Table.Th>
          {mark && (
            <Table.Th scope="col" ta="right" pr={0} w={130}>
              {mark}
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

/** Whom a row is about, with a second line. */
export function PeerCell({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <Table.Td pl={0}>
      <Text component="span" ff="monospace" size="sm" title={id}>
        {shortId(id)}
      </Text>
      {children && (
        <Text size="xs" c="dimmed">
          {children}
        </Text>
      )}
    </Table.Td>
  );
}

/** Credits, below each other. */
export function SumCell({ children }: { children: ReactNode }) {
  return (
    <Table.Td ta="right" className="num" fw={550}>
      {children}
    </Table.Td>
  );
}
