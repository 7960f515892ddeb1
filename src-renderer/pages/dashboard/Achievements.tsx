import { Skeleton } from '@mantine/core';
import { IconTrophy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Section } from '../../components/Section.tsx';
import { achievementTitle } from '../../i18n/achievement-title.ts';
import { useFormat } from '../../i18n/format.ts';
import classes from './dashboard.module.css';
import { useSummary } from './use-summary.ts';

type Earned = CreditSummary['achievements'][number];

/** What was earned once and for all, the newest first. */
export function Achievements() {
  const { t } = useTranslation('dashboard');
  const { data } = useSummary();
  const newestFirst = data?.achievements.toSorted((a, b) => b.at - a.at);
  return (
    <Section title={t('achievements.title')}>
      {!newestFirst && <Skeleton height={160} aria-hidden />}
      {newestFirst?.length === 0 && (
        <EmptyState title={t('achievements.emptyTitle')}>{t('achievements.empty')}</EmptyState>
      )}
      {newestFirst && newestFirst.length > 0 && (
        <ul className={classes.achievements}>
          {newestFirst.map((one) => (
            <Achievement key={one.id} earned={one} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Achievement({ earned: { id, title, bonus, at } }: { earned: Earned }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  return (
    <li>
      <IconTrophy size={18} stroke={1.6} aria-hidden />
      <span>
        {achievementTitle(title, id)}
        <small>
          {t(`achievements.for.${id}`, { defaultValue: '' })} · {format.day(at)}
        </small>
      </span>
      <span className={classes.points} style={{ color: 'var(--q-ore)' }}>
        {format.signed(bonus)}
      </span>
    </li>
  );
}
