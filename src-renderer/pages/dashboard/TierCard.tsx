import { Group, Progress, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconMedal } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { tierProgress } from './tier-progress.ts';
import { useSummary } from './use-summary.ts';

/** The tier, and how far it is to the next. */
export function TierCard() {
  const { t } = useTranslation(['dashboard', 'common']);
  const { data, error, refetch } = useSummary();
  return (
    <Section title={t('tier.title')}>
      <ErrorNote error={error} onRetry={refetch} />
      {data ? <Tier summary={data} /> : !error && <Skeleton height={110} aria-hidden />}
      <Text size="sm" c="dimmed">
        {t('tier.explain')}
      </Text>
    </Section>
  );
}

function Tier({ summary }: { summary: CreditSummary }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const { points, next } = summary;
  const named = (tier: string) => t(`common:tier.${tier as 'gold'}`, { defaultValue: tier });
  const pointsText = (count: number) => t('common:points', { count, formatted: format.number(count) });
  return (
    <Stack gap="sm">
      <Group wrap="nowrap">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <IconMedal size={30} stroke={1.6} />
        </ThemeIcon>
        <Stack gap={2}>
          <Text fz={26} fw={650} lh={1.2}>
            {named(summary.tier)}
          </Text>
          <Text>{pointsText(points)}</Text>
        </Stack>
      </Group>
      <Progress value={100 * tierProgress(summary)} size="lg" aria-label={t('tier.progress')} />
      <Text size="sm">
        {next ? t('tier.next', { points: pointsText(next.missing), tier: named(next.tier) }) : t('tier.highest')}
      </Text>
    </Stack>
  );
}
