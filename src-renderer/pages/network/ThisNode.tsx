import { Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PeersView } from '../../../src-preload/contract/mesh.ts';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import { CopyId } from './CopyId.tsx';
import { isMiner } from './peer-list.ts';

/** How this node presents itself, and how many it knows. */
export function ThisNode({ view }: { view: PeersView | undefined }) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const status = useNode((node) => node.status);
  if (!status) return <Skeleton h={260} />;
  const miners = view?.peers.filter(isMiner).length;
  return (
    <Section title={t('network:self.title')} description={t('network:self.description')}>
      <Table variant="vertical" layout="fixed" withRowBorders={false} verticalSpacing={6}>
        <Table.Tbody>
          <Fact name={t('network:self.id')}>
            <Text component="span" size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {status.id}
            </Text>
            <CopyId id={status.id} />
          </Fact>
          <Fact name={t('network:self.mesh')}>{status.mesh}</Fact>
          <Fact name={t('network:self.role')}>{t(`common:role.${status.role}`)}</Fact>
          <Fact name={t('network:self.peers')}>
            {view && miners !== undefined
              ? t('network:self.counts', {
                  count: view.peers.length,
                  formatted: format.number(view.peers.length),
                  miners: format.number(miners),
                })
              : t('common:unknown')}
          </Fact>
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={130} bg="transparent" px={0} fw={400} c="dimmed">
        {name}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
