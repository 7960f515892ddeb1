import { SimpleGrid, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Stat } from '../../components/Stat.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useSummary } from './use-summary.ts';

/** What this node has earned. */
export function EarnedFigures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data } = useSummary();
  const number = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        {t('earned.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat label={t('earned.today')} value={number(data?.earnedToday)} note={t('earned.todayNote')} />
        <Stat label={t('earned.week')} value={number(data?.earnedWeek)} note={t('earned.weekNote')} />
        <Stat label={t('earned.all')} value={number(data?.points)} note={t('earned.allNote')} />
        <Stat label={t('earned.available')} value={number(data?.available)} note={t('earned.availableNote')} />
      </SimpleGrid>
    </Stack>
  );
}
