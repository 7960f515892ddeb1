import { ActionIcon, SegmentedControl, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreditDay } from '../../../../src-preload/contract/credits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { INK, SERIES_COLOURS } from '../../../components/chart/colours.ts';
import { DayChart } from '../../../components/chart/DayChart.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { DayTable } from './DayTable.tsx';
import { DAY_MEASURES, type DayMeasure, totalAndBest } from './day-measure.ts';

const RANGES = [7, 30, 90];
const HEIGHT = 180;
/** Gold is what was earned, and nothing else. */
const COLOURS: Record<DayMeasure, string> = {
  points: INK.oreFill,
  requests: SERIES_COLOURS[0],
  spent: SERIES_COLOURS[2],
};

/** What each day brought: as bars, or as a table for those who would rather read or hear it. */
export function DailyEarnings() {
  const { t } = useTranslation('earnings');
  const [days, setDays] = useState(30);
  const [measure, setMeasure] = useState<DayMeasure>('points');
  const [asTable, setAsTable] = useState(false);
  const { data, error, refetch } = useAnswer(
    api.credits.days.queryOptions({ input: { days }, placeholderData: keepPreviousData }),
  );
  const other = t(asTable ? 'days.chart' : 'days.table');
  return (
    <Section
      title={t('days.title')}
      beside={
        !asTable && (
          <SegmentedControl
            aria-label={t('days.measure')}
            data={DAY_MEASURES.map((name) => ({ value: name, label: t(`days.${name}`) }))}
            value={measure}
            onChange={setMeasure}
          />
        )
      }
      aside={
        <>
          <SegmentedControl
            aria-label={t('days.range')}
            data={RANGES.map((count) => ({ value: String(count), label: t('days.count', { count }) }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
          <Tooltip label={other}>
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={other} onClick={() => setAsTable(!asTable)}>
              {asTable ? <IconChartBar size={18} stroke={1.6} /> : <IconTable size={18} stroke={1.6} />}
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton h={HEIGHT + 30} aria-hidden />}
      {data && (asTable ? <DayTable days={data} /> : <Days days={data} measure={measure} />)}
    </Section>
  );
}

function Days({ days, measure }: { days: CreditDay[]; measure: DayMeasure }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { total, best } = totalAndBest(days, measure);
  const summary = t('days.summary', {
    what: t(`days.${measure}`),
    count: days.length,
    total: format.number(total),
    best: format.number(best?.[measure] ?? 0),
    day: format.day(best?.at ?? 0),
  });
  const label = best && best[measure] > 0 ? summary : t(`days.none.${measure}`);
  const of = (name: DayMeasure) => ({ label: t(`days.${name}`), values: days.map((day) => day[name]) });
  return (
    <Stack gap="xs">
      <DayChart
        label={label}
        empty={label}
        days={days.map(({ at }) => at)}
        series={of(measure)}
        others={DAY_MEASURES.filter((name) => name !== measure).map(of)}
        colour={COLOURS[measure]}
        whole
        height={HEIGHT}
      />
      {label === summary && (
        <Text size="sm" c="dimmed" aria-hidden>
          {summary}
        </Text>
      )}
    </Stack>
  );
}
