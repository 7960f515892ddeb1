import { SimpleGrid, Skeleton, Stack, Text, Title, useMantineTheme } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Sample } from '../../../src-preload/contract/node.ts';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { LiveChart } from '../../components/LiveChart.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { columnsOf, withNew } from './samples.ts';

/** So short a time has its seconds on the axis: the same minute would stand there twice. */
const SHORT_SPAN_MS = 4 * 60_000;

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
  const { t, i18n } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const hours = useMemo(() => new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' }), [i18n.language]);
  const { colors } = useMantineTheme();
  const columns = useMemo(() => columnsOf(samples), [samples]);
  const { times } = columns;
  const newest = samples.at(-1);
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? t('common:unknown') : format.number(value, 1);
  const figure = (value: number) => format.number(value, 1);
  const line = (label: string, colour: string, values: (number | null)[]) => ({ label, colour, values });

  const speed = useMemo(() => [line(t('charts.speed'), colors.teal[6], columns.tokensPerSecond)], [columns, t, colors]);
  const queue = useMemo(
    () => [
      line(t('charts.active'), colors.blue[6], columns.active),
      line(t('charts.waiting'), colors.orange[6], columns.waiting),
    ],
    [columns, t, colors],
  );
  const health = useMemo(() => [line(t('charts.health'), colors.grape[6], columns.health)], [columns, t, colors]);
  const span = (newest?.at ?? 0) - (samples[0]?.at ?? 0);
  const formatTime = (at: number) => (span < SHORT_SPAN_MS ? format.clock(at) : hours.format(at));
  const shared = { times, format: figure, formatTime };
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl">
      <Chart title={t('charts.speed')} value={number(newest?.tokensPerSecond)}>
        <LiveChart
          {...shared}
          label={t('charts.speedLabel', { value: number(newest?.tokensPerSecond) })}
          series={speed}
        />
      </Chart>
      <Chart title={t('charts.queue')} value={number(newest && newest.active + newest.waiting)}>
        <LiveChart
          {...shared}
          format={(value) => (Number.isInteger(value) ? format.number(value) : '')}
          label={t('charts.queueLabel', { active: number(newest?.active), waiting: number(newest?.waiting) })}
          series={queue}
        />
      </Chart>
      <Chart title={t('charts.health')} value={number(newest?.health)}>
        <LiveChart {...shared} label={t('charts.healthLabel', { value: number(newest?.health) })} series={health} />
      </Chart>
    </SimpleGrid>
  );
}

function Chart({ title, value, children }: { title: string; value: string; children: ReactNode }) {
  return (
    <Stack gap="xs" miw={0}>
      <Title order={3} size="sm" fw={500}>
        {title}{' '}
        <Text span fw={650} aria-hidden>
          {value}
        </Text>
      </Title>
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
