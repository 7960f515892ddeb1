import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { Section } from '../../../components/Section.tsx';
import { Tier } from '../../../components/Tier.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** Points: of today, of seven days and in all, each with what it means. */
export function PointFigures() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data, error, refetch } = useAnswer(api.credits.summary.queryOptions());
  if (!data && error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const shown = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  const unit = t('figure.unit');
  return (
    <Figures>
      <Figure
        hero
        earned
        label={t('figure.earnedToday.label')}
        value={shown(data?.earnedToday)}
        unit={unit}
        note={t('figure.earnedToday.note')}
      />
      <Figure
        label={t('figure.earnedWeek.label')}
        value={shown(data?.earnedWeek)}
        unit={unit}
        note={t('figure.earnedWeek.note')}
      />
      <Figure
        label={t('figure.points.label')}
        value={shown(data?.points)}
        unit={unit}
        note={data && <Tier tier={data.tier} size={15} />}
      />
      <Figure label={t('figure.served.label')} value={shown(data?.served)} note={t('figure.served.note')} />
    </Figures>
  );
}

/** Credits: what others owe, what is owed to them, and what has been spent. */
export function CreditFigures() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data } = useAnswer(api.credits.summary.queryOptions());
  const figure = (name: 'available' | 'owed' | 'spent' | 'reserved') => (
    <Figure
      label={t(`figure.${name}.label`)}
      value={data && format.number(data[name])}
      note={t(`figure.${name}.note`)}
    />
  );
  const more = (
    <Button component="a" href="#/earnings/credits" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('figure.who')}
    </Button>
  );
  return (
    <Section title={t('figure.credits')} aside={more}>
      <Figures>
        {figure('available')}
        {figure('owed')}
        {figure('spent')}
        {figure('reserved')}
      </Figures>
    </Section>
  );
}
