import { Group, SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { DayBars } from './DayBars.tsx';
import { DayTable } from './DayTable.tsx';
import { DAY_MEASURES, type DayMeasure } from './day-measure.ts';

const RANGES = [7, 30, 90];

/** What each day brought: as bars, or as a table for those who would rather read or hear it. */
export function DailyEarnings() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const [days, setDays] = useState(30);
  const [measure, setMeasure] = useState<DayMeasure>('points');
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { data, error, refetch } = useAnswer(
    api.credits.days.queryOptions({ input: { days }, placeholderData: keepPreviousData }),
  );
  return (
    <Section
      title={t('days.title')}
      description={t('days.description')}
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('days.range')}
            data={RANGES.map((count) => ({ value: String(count), label: t('days.count', { count }) }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('days.view')}
            data={[
              { value: 'chart', label: t('days.chart') },
              { value: 'table', label: t('days.table') },
            ]}
            value={view}
            onChange={setView}
          />
        </>
      }
    >
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton h={240} />}
      {data && view === 'table' && <DayTable days={data} />}
      {data && view === 'chart' && (
        <>
          <Group>
            <SegmentedControl
              size="xs"
              aria-label={t('days.measure')}
              data={DAY_MEASURES.map((name) => ({ value: name, label: t(`days.${name}`) }))}
              value={measure}
              onChange={setMeasure}
            />
          </Group>
          {data.every((day) => day[measure] === 0) ? (
            <EmptyState title={t(`days.none.${measure}`)}>{t('days.noneHint')}</EmptyState>
          ) : (
            <DayBars days={data} measure={measure} format={format} />
          )}
        </>
      )}
    </Section>
  );
}
