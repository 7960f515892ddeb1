import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RAO_PER_TAO } from '../../../../src-preload/contract/rao.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { TimeChart } from '../../../components/chart/TimeChart.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';

const RANGES = [7, 60, 366] as const;
const DAY_MS = 86_400_000;
const HEIGHT = 160;

/** What a wallet had in all, as far as anybody looked from here. */
export function BalanceChart({ address }: { address: string }) {
  const { t } = useTranslation(['wallet', 'common']);
  const format = useFormat();
  const [days, setDays] = useState<number>(60);
  const { data, error, refetch } = useAnswer(
    api.chain.history.queryOptions({ input: { address, days }, placeholderData: keepPreviousData }),
  );
  const now = Date.now();
  const last = data?.at(-1);
  const label = last
    ? t('wallet:chart.label', { count: days, amount: format.tao(last.total) })
    : t('wallet:chart.nothing');
  return (
    <Section
      title={t('wallet:chart.title')}
      aside={
        <SegmentedControl
          aria-label={t('wallet:chart.range')}
          data={RANGES.map((range) => ({ value: String(range), label: t(`wallet:chart.days.${range}`) }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
        />
      }
    >
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton h={HEIGHT + 30} aria-hidden />}
      {data && (
        <TimeChart
          label={label}
          empty={t('wallet:chart.nothing')}
          from={now - days * DAY_MS}
          to={now}
          end={t('common:chart.today')}
          times={data.map(({ at }) => at)}
          series={[{ label: 'TAO', values: data.map(({ total }) => taoOf(total)) }]}
          format={(value) => format.number(value, 4)}
          height={HEIGHT}
        />
      )}
      {data && data.length > 0 && data.length < 3 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('wallet:chart.little')}
        </Text>
      )}
    </Section>
  );
}

/** Near enough for a line. */
const taoOf = (rao: string): number => Number(BigInt(rao)) / Number(RAO_PER_TAO);
