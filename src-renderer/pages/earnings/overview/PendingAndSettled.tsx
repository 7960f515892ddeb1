import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../../src-preload/contract/credits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** Which answers are paid for, and which still wait for their asker's signature. */
export function PendingAndSettled() {
  const { t } = useTranslation('earnings');
  const { data, error, refetch } = useAnswer(api.credits.summary.queryOptions());
  return (
    <Section title={t('pending.title')}>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {data ? <Shares summary={data} /> : !error && <Skeleton h={80} aria-hidden />}
    </Section>
  );
}

function Shares({ summary: { served, pending } }: { summary: CreditSummary }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const all = served + pending.requests;
  const count = (value: number) => ({ count: value, formatted: format.number(value) });
  if (all === 0) return <EmptyState title={t('pending.nothing')}>{t('pending.nothingHint')}</EmptyState>;
  return (
    <Stack gap="xs">
      <Meter
        height={8}
        parts={[{ share: served / all }, { share: pending.requests / all, colour: 'var(--q-wait)', hatched: true }]}
      />
      <Text size="sm">{t('pending.settled', count(served))}</Text>
      <Text size="sm">
        {pending.requests === 0
          ? t('pending.none')
          : `${t('pending.open', count(pending.requests))} ${t('pending.aside', count(pending.credits))}`}
      </Text>
      {pending.requests > 0 && (
        <Text size="sm" c="dimmed">
          {t('pending.what')}
        </Text>
      )}
    </Stack>
  );
}
