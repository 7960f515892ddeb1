import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityHistory, HistoryRange } from '../../../src-preload/contract/activity.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { SERIES_COLOURS } from '../../components/chart/colours.ts';
import { Legend, type LegendItem } from '../../components/chart/Legend.tsx';
import { type Band, TimeChart } from '../../components/chart/TimeChart.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { type Line, newestOf, speedLine } from './samples.ts';
import { useSamples } from './use-samples.ts';

const RANGES = ['15m', '24h', '7d'] as const satisfies readonly HistoryRange[];
/** How often pauses and payments are asked for again; the line of the last minutes moves by itself. */
const REFRESH_MS: Record<HistoryRange, number> = { '15m': 5_000, '24h': 60_000, '7d': 300_000 };
const HEIGHT = 146;

/** How fast this node has served, when it did not and why, and what it was paid. */
export function ActivityChart() {
  const { t } = useTranslation('dashboard');
  const [range, setRange] = useState<HistoryRange>('15m');
  const options = { input: { range }, refetchInterval: REFRESH_MS[range], placeholderData: keepPreviousData };
  const { data, error, refetch } = useAnswer(api.node.history.queryOptions(options));
  const { samples } = useSamples();
  const live = range === '15m' ? samples : undefined;
  return (
    <Section
      title={t('activity.title')}
      beside={data && <Figures history={data} line={speedLine(data, live)} />}
      aside={
        <SegmentedControl
          aria-label={t('activity.range')}
          value={range}
          onChange={(chosen) => setRange(chosen as HistoryRange)}
          data={RANGES.map((one) => ({ value: one, label: t(`activity.ranges.${one}`) }))}
        />
      }
    >
      {!data && <ErrorNote error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={HEIGHT + 62} aria-hidden />}
      {data && <Chart history={data} live={live} />}
    </Section>
  );
}

/** What the colours mean, and how both stand. */
function Figures({ history, line }: { history: ActivityHistory; line: Line }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const answers = history.payments.reduce((sum, payment) => sum + payment.answers, 0);
  const items: LegendItem[] = [
    {
      label: t('activity.speed'),
      colour: SERIES_COLOURS[0],
      value: format.number(newestOf(line)),
    },
    { label: t('activity.paid'), colour: 'var(--q-ore-fill)', mark: 'tick', value: format.number(answers) },
  ];
  return <Legend items={items} />;
}

interface ChartProps {
  history: ActivityHistory;
  /** Samples of a second each, where the last minutes are shown. */
  live: Parameters<typeof speedLine>[1];
}

function Chart({ history, live }: ChartProps) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const line = speedLine(history, live);
  const { times, values, from, to } = line;
  const bands = history.bands.map(
    (band): Band => ({
      from: band.from,
      to: band.open ? to : band.to,
      label: worded(band, 'reason'),
      short: t(`activity.band.${band.kind}`),
    }),
  );
  return (
    <TimeChart
      label={t(`activity.label.${history.range}`, { value: format.number(newestOf(line)) })}
      empty={t('activity.empty')}
      from={from}
      to={to}
      times={times}
      series={values.some((value) => value) ? [{ label: t('activity.speed'), values }] : []}
      bands={bands}
      payments={history.payments.map((paid) => ({ ...paid, at: paid.at + history.paymentMs / 2 }))}
      gapMs={2 * history.bucketMs}
      height={HEIGHT}
    />
  );
}
