import { Table, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PeerView } from '../../../src-preload/contract/mesh.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { PeerRow } from './PeerRow.tsx';
import type { PeerOrder } from './peer-list.ts';
import { SortHeader } from './SortHeader.tsx';

interface PeerTableProps {
  peers: PeerView[];
  order: PeerOrder;
  onOrder: (order: PeerOrder) => void;
  onBan: (id: string) => void;
}

/** A page of peers. */
export function PeerTable({ peers, order, onOrder, onBan }: PeerTableProps) {
  const { t } = useTranslation('network');
  const sorting = { order, onOrder };
  return (
    <WideTable title={t('peers.title')} minWidth={920} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('peers.node')}</Table.Th>
          <SortHeader label={t('peers.owes')} sortKey="owes" {...sorting} />
          <SortHeader label={t('peers.owed')} sortKey="owed" {...sorting} />
          <SortHeader label={t('peers.health')} sortKey="health" {...sorting} />
          <SortHeader label={t('peers.latency')} sortKey="rttMs" {...sorting} />
          <Table.Th scope="col">{t('peers.models')}</Table.Th>
          <SortHeader label={t('peers.queue')} sortKey="queue" {...sorting} />
          <Table.Th scope="col">{t('peers.ready')}</Table.Th>
          <Table.Th scope="col">
            <VisuallyHidden>{t('peers.actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {peers.map((peer) => (
          <PeerRow key={peer.id} peer={peer} onBan={onBan} />
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
