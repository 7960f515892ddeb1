import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Sample } from '../../../src-preload/contract/node.ts';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { SERIES_COLOURS } from '../../components/chart/colours.ts';
import { Legend, type LegendItem } from '../../components/chart/Legend.tsx';
import { type ChartSeries, TimeChart } from '../../components/chart/TimeChart.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { columnsOf, KEPT_SAMPLES, withNew } from './samples.ts';

const SPAN_MS = KEPT_SAMPLES * 1_000;
/** A sample comes every second: where some are missing, the node was not running. */
const GAP_MS = 10_000;

/** The last fifteen minutes, moving. */
export function LiveCharts() {
  const { t } = useTranslation(['dashboard', 'common']);
  const { samples, error } = useSamples();
  return (
    <Section
      title={t('charts.title')}
      aside={
        <Text size="sm" c="dimmed">
          {t('charts.span')}
        </Text>
      }
    >
      {!samples && <ErrorNote error={error} />}
      {!samples && !error && <Skeleton height={190} aria-hidden />}
      {samples && <Charts samples={samples} />}
    </Section>
  );
}

function Charts({ samples }: { samples: NonNullable<ReturnType<typeof useSamples>['samples']> }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const columns = useMemo(() => columnsOf(samples), [samples]);
  const newest = samples.at(-1);
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? t('common:unknown') : format.number(value, 1);

  const speed = useMemo(() => [{ label: t('charts.speed'), values: columns.tokensPerSecond }], [columns, t]);
  const queue = useMemo(
    () => [
      { label: t('charts.active'), values: columns.active },
      { label: t('charts.waiting'), values: columns.waiting, colour: SERIES_COLOURS[2] },
    ],
    [columns, t],
  );
  const health = useMemo(() => [{ label: t('charts.health'), values: columns.health }], [columns, t]);
  const to = newest?.at ?? Date.now();
  const shared = { from: to - SPAN_MS, to, times: columns.times, gapMs: GAP_MS, empty: t('charts.empty') };
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl">
      <Chart legend={legendOf(speed, newest && [number(newest.tokensPerSecond)])}>
        <TimeChart
          {...shared}
          label={t('charts.speedLabel', { value: number(newest?.tokensPerSecond) })}
          series={columns.tokensPerSecond.some((value) => value > 0) ? speed : []}
        />
      </Chart>
      <Chart legend={legendOf(queue, newest && [number(newest.active), number(newest.waiting)])}>
        <TimeChart
          {...shared}
          whole
          label={t('charts.queueLabel', { active: number(newest?.active), waiting: number(newest?.waiting) })}
          series={queue}
        />
      </Chart>
      <Chart legend={legendOf(health, newest && [number(newest.health)])}>
        <TimeChart
          {...shared}
          maximum={100}
          label={t('charts.healthLabel', { value: number(newest?.health) })}
          series={health}
        />
      </Chart>
    </SimpleGrid>
  );
}

function legendOf(series: readonly ChartSeries[], values: readonly string[] = []): LegendItem[] {
  return series.map(({ label, colour }, index) => {
    const value = values[index];
    return {
      label,
      colour: colour ?? SERIES_COLOURS[index] ?? SERIES_COLOURS[0],
      ...(value !== undefined && { value }),
    };
  });
}

function Chart({ legend, children }: { legend: LegendItem[]; children: ReactNode }) {
  return (
    <Stack gap="xs" miw={0}>
      <Legend items={legend} />
      {children}
    </Stack>
  );
}

/** The last fifteen minutes, a sample a second; undefined until the first came. */
function useSamples(): { samples: Sample[] | undefined; error: QuarryError | undefined } {
  const [samples, setSamples] = useState<Sample[]>();
  const error = useLive(
    (signal) => client.node.watchSamples(undefined, { signal }),
    (fresh) => setSamples((kept = []) => withNew(kept, fresh)),
  );
  return { samples, error };
}
