import { ScrollArea, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditDay } from '../../../../src-preload/contract/credits.ts';
import { useFormat } from '../../../i18n/format.ts';
import { DAY_MEASURES } from './day-measure.ts';

/** The days as figures, today first. */
export function DayTable({ days }: { days: CreditDay[] }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  return (
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': t('days.title'), role: 'group' }}>
      <Table aria-label={t('days.title')} stickyHeader horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" pl={0}>
              {t('days.day')}
            </Table.Th>
            {DAY_MEASURES.map((name) => (
              <Table.Th key={name} scope="col" ta="right">
                {t(`days.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.at}>
              <Table.Th scope="row" fw={400} pl={0}>
                {format.weekday(day.at)}
              </Table.Th>
              {DAY_MEASURES.map((name) => (
                <Table.Td key={name} ta="right" className="num">
                  {format.number(day[name])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
