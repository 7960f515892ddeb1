import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import type { EarningToday } from '../../../src-preload/contract/earning.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../components/Figures.tsx';
import { Meter } from '../../components/Meter.tsx';
import { Tier } from '../../components/Tier.tsx';
import { useFormat } from '../../i18n/format.ts';
import { tierProgress } from './tier-progress.ts';
import { useSummary } from './use-summary.ts';
import { useToday } from './use-today.ts';

/** What an answer of up to 256 tokens costs (src-main/credits/price.ts). */
const SHORT_ANSWER_CREDITS = 2;

/** What this node has earned and may spend, each figure with what it means. */
export function EarnedFigures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data: summary, error, refetch } = useSummary();
  const { data: today } = useToday();
  const answers = Math.floor((summary?.available ?? 0) / SHORT_ANSWER_CREDITS);
  const points = t('earned.points');
  if (!summary && error) return <ErrorNote error={error} onRetry={refetch} />;
  return (
    <Figures>
      <Figure
        hero
        earned
        label={t('earned.today')}
        value={summary && format.number(summary.earnedToday)}
        unit={points}
        note={<Comparison today={today} />}
      />
      <Figure
        label={t('earned.week')}
        value={summary && format.number(summary.earnedWeek)}
        unit={points}
        note={
          today?.bestDay &&
          t('earned.bestDay', { day: format.dayOfWeek(today.bestDay.at), points: format.number(today.bestDay.points) })
        }
      />
      <Figure
        label={t('earned.available')}
        value={summary && format.number(summary.available)}
        note={summary && (answers > 0 ? t('earned.answers', { count: answers }) : t('earned.noAnswers'))}
      />
      <TierFigure summary={summary} today={today} />
    </Figures>
  );
}

/** How this day stands beside the same weekday of the weeks before, up to this time. */
function Comparison({ today }: { today: EarningToday | undefined }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  if (!today) return null;
  const { usual, earned, since } = today;
  if (!usual || usual.soFar <= 0) return t('earned.todayNote');
  const change = earned / usual.soFar - 1;
  const day = format.dayOfWeek(since);
  if (Math.abs(change) < 0.01) return t('earned.asUsual', { day });
  return (
    <>
      <Box component="span" c={change > 0 ? 'var(--q-mining)' : undefined} fw={550}>
        {t(change > 0 ? 'earned.above' : 'earned.below', { percent: format.percent(Math.abs(change)) })}
      </Box>{' '}
      {t('earned.usual', { day })}
    </>
  );
}

function TierFigure({ summary, today }: { summary: CreditSummary | undefined; today: EarningToday | undefined }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  if (!summary) return <Figure label={t('tier.title')} value={undefined} />;
  const { next, tier } = summary;
  const missing = next && {
    count: next.missing,
    points: format.number(next.missing),
    tier: t(`common:tier.${next.tier}`, { defaultValue: next.tier }),
  };
  const days = today?.nextTier?.days;
  const words = missing ? t('tier.next', missing) : t('tier.highest');
  return (
    <Figure
      wide
      label={t('tier.title')}
      value={<Tier tier={tier} size={22} />}
      note={
        <>
          <Box mb={6}>
            <Meter parts={[{ share: tierProgress(summary), colour: `var(--q-${tier})` }]} />
          </Box>
          {days === undefined ? words : t('tier.inDays', { words, count: Math.max(1, Math.round(days)) })}
        </>
      }
    />
  );
}
