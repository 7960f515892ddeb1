import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { WideTable } from '../../components/WideTable.tsx';

interface PeerSumsProps {
  title: string;
  /** Names of the columns of credits, behind the peer’s. */
  sums: string[];
  /** Name of the last column, where there is one. */
  mark?: string | undefined;
  /** Its rows. */
  children: ReactNode;
}

/** A table of peers and of credits between them and this node; it fits a narrow window. */
export function PeerSums({ title, sums, mark, children }: PeerSumsProps) {
  const { t } = useTranslation('earnings');
  return (
    <WideTable title={title} minWidth={280} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('owing.peer')}</Table.Th>
          {sums.map((name) => (
            <Table.Th key={name} scope="col" ta="right">
              {name}
            </Table.Th>
          ))}
          {mark && <Table.Th scope="col">{mark}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </WideTable>
  );
}

/** Whom a row is about. */
export function PeerCell({ id }: { id: string }) {
  return (
    <Table.Td>
      <Text component="span" ff="monospace" size="sm" title={id}>
        {shortId(id)}
      </Text>
    </Table.Td>
  );
}
