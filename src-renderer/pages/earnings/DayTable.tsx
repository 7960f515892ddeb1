import { ScrollArea, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditDay } from '../../../src-preload/contract/credits.ts';
import { useFormat } from '../../i18n/format.ts';

/** The days as figures, today first. */
export function DayTable({ days }: { days: CreditDay[] }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  return (
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': t('days.title'), role: 'group' }}>
      <Table aria-label={t('days.title')} stickyHeader highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('days.day')}</Table.Th>
            <Table.Th scope="col" ta="right">
              {t('days.points')}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t('days.requests')}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t('days.spent')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.at}>
              <Table.Th scope="row" fw={400}>
                {format.day(day.at)}
              </Table.Th>
              <Table.Td ta="right">{format.number(day.points)}</Table.Td>
              <Table.Td ta="right">{format.number(day.requests)}</Table.Td>
              <Table.Td ta="right">{format.number(day.spent)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
