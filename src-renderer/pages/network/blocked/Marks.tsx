import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PeersView } from '../../../../src-preload/contract/mesh.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { usePages } from '../../../components/page/use-pages.ts';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { knownText } from '../../../i18n/known-text.ts';
import { worded } from '../../../i18n/worded.ts';
import { NodeId } from '../NodeId.tsx';
import { Until } from './Until.tsx';

const ROWS = 10;

/** Miners that claimed a score that their own log does not bear out: the newest, and how many there are besides. */
export function Marks({ marks, more }: { marks: PeersView['marks']; more: number }) {
  const format = useFormat();
  const { t } = useTranslation('network');
  const { rows, ...pager } = usePages(marks, ROWS);
  return (
    <Section title={t('marks.title')} description={t('marks.description')}>
      {marks.length === 0 ? (
        <EmptyState title={t('marks.none')}>{t('marks.noneHint')}</EmptyState>
      ) : (
        <Table aria-label={t('marks.title')} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" pl={0}>
                {t('peers.node')}
              </Table.Th>
              <Table.Th scope="col">{t('marks.until')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((mark) => (
              <Table.Tr key={mark.id}>
                <Table.Td pl={0}>
                  <NodeId id={mark.id} />
                  <Text size="sm">
                    {knownText(t('falsehood', { returnObjects: true }) as Record<string, string>, mark.reason)}
                  </Text>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {worded(mark, 'detail')}
                  </Text>
                </Table.Td>
                <Table.Td w={130}>
                  <Until at={mark.expiresAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Pager {...pager} label={t('marks.pages')} />
      {more > 0 && (
        <Text size="xs" c="dimmed" ta="center">
          {t('marks.more', { count: more, formatted: format.number(more) })}
        </Text>
      )}
    </Section>
  );
}
