import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { knownText } from '../../../i18n/known-text.ts';

/** Who was turned away, by the number that callers get, with what it means. */
export function AxonRefusals({ axon: { refused, answered } }: { axon: AxonState }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const meanings = t('axon.refusal', { returnObjects: true }) as Record<string, string>;
  return (
    <Section title={t('axon.refusals')}>
      {refused.length === 0 ? (
        <EmptyState title={t('axon.noRefusals')}>
          {t(answered > 0 ? 'axon.allAnswered' : 'axon.nobodyAsked')}
        </EmptyState>
      ) : (
        <Table aria-label={t('axon.refusals')} horizontalSpacing={6} maw={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" pl={0}>
                {t('axon.status')}
              </Table.Th>
              <Table.Th scope="col">{t('axon.meaning')}</Table.Th>
              <Table.Th scope="col" ta="right">
                {t('axon.count')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refused
              .toSorted((one, other) => other.count - one.count)
              .map(({ status, count }) => (
                <Table.Tr key={status}>
                  <Table.Td pl={0}>
                    <Text inherit ff="monospace">
                      {status}
                    </Text>
                  </Table.Td>
                  <Table.Td>{knownText(meanings, String(status))}</Table.Td>
                  <Table.Td ta="right" className="num">
                    {format.number(count)}
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
