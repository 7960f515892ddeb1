import { Group, List, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconTrophy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { achievementTitle } from '../../i18n/achievement-title.ts';
import { useFormat } from '../../i18n/format.ts';
import { useSummary } from './use-summary.ts';

type Earned = CreditSummary['achievements'][number];

/** What was earned once and for all, the newest first. */
export function Achievements() {
  const { t } = useTranslation(['dashboard', 'common']);
  const { data, error, refetch } = useSummary();
  const newestFirst = data?.achievements.toSorted((a, b) => b.at - a.at);
  return (
    <Section title={t('achievements.title')}>
      <ErrorNote error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={160} aria-hidden />}
      {newestFirst?.length === 0 && (
        <EmptyState title={t('achievements.emptyTitle')}>{t('achievements.empty')}</EmptyState>
      )}
      {newestFirst && newestFirst.length > 0 && (
        <List
          listStyleType="none"
          spacing="md"
          styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
        >
          {newestFirst.map((one) => (
            <Achievement key={one.id} earned={one} />
          ))}
        </List>
      )}
    </Section>
  );
}

function Achievement({ earned: { id, title, bonus, at } }: { earned: Earned }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  return (
    <List.Item>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon size="lg" radius="xl" variant="light" color="yellow" aria-hidden>
          <IconTrophy size={18} stroke={1.6} />
        </ThemeIcon>
        <Stack gap={0}>
          <Text fw={600}>{achievementTitle(title, id)}</Text>
          <Text size="sm">{t(`achievements.for.${id as 'centurion'}`, { defaultValue: '' })}</Text>
          <Text size="sm" c="dimmed">
            {t('achievements.earned', {
              points: t('common:points', { count: bonus, formatted: format.signed(bonus) }),
              day: format.day(at),
            })}
          </Text>
        </Stack>
      </Group>
    </List.Item>
  );
}
