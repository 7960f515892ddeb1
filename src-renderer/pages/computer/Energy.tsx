import { Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Energy as Reading } from '../../../src-preload/contract/node.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../components/Figures.tsx';
import { Section } from '../../components/Section.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { useSetting } from '../../state/settings.ts';
import classes from './computer.module.css';

/** As often as main looks. */
const REFRESH_MS = 10_000;
/** What is shorter counts as this. */
const MINUTE_MS = 60_000;
/** What is less is written as less than this. */
const LEAST_COST = 0.01;
const SETTINGS = ['node.watts', 'node.costPerKwh', 'node.currency'] as const;

/** What energy mining takes and what that costs, beside what was earned: two things that nothing turns into each other. */
export function Energy() {
  const { t } = useTranslation('computer');
  const { data, error, refetch } = useAnswer(api.node.energy.queryOptions({ refetchInterval: REFRESH_MS }));
  const set = SETTINGS.map((path) => useSetting(path)).join();
  useEffect(() => void refetch(), [set, refetch]); // what was set changes the answer
  return (
    <Section title={t('energy.title')} description={data && <Basis energy={data} />}>
      {!data && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={88} aria-hidden />}
      {data && data.basis !== 'none' && <Spans energy={data} />}
      <div className={classes.fields}>
        {SETTINGS.map((path) => (
          <SettingField key={path} path={path} />
        ))}
      </div>
    </Section>
  );
}

/** Where the figures come from, and what is not in them. */
function Basis({ energy }: { energy: Reading }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const { basis, of, entered = 0 } = energy;
  if (basis === 'none') return worded(energy, 'reason');
  if (basis === 'entered') return t('energy.entered', { watts: format.watts(entered) });
  return t('energy.measured', { what: format.list(of.map((part) => t(`energy.of.${part}`))) });
}

function Spans({ energy: { basis, entered, watts, today, week, currency } }: { energy: Reading }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const { data: summary } = useAnswer(api.credits.summary.queryOptions());
  const now = basis === 'entered' ? entered : watts;
  const span = (one: Reading['today']) =>
    one && {
      value: format.energy(one.wattHours),
      note: [one.cost !== undefined && cost(one.cost), mined(one.minedMs)].filter(Boolean).join(' · '),
    };
  const cost = (amount: number) =>
    amount > 0 && amount < LEAST_COST
      ? t('energy.less', { money: format.money(LEAST_COST, currency) })
      : format.money(amount, currency);
  const mined = (ms: number) => ms > 0 && t('energy.mined', { time: format.duration(Math.max(ms, MINUTE_MS)) });
  const points = (value: number) => t('energy.points', { count: value, formatted: format.number(value) });
  return (
    <Figures>
      <Figure
        label={t(basis === 'entered' ? 'energy.whileMining' : 'energy.now')}
        value={now === undefined ? '–' : format.watts(now)}
        note={basis === 'entered' && watts !== undefined && t('energy.sensors', { watts: format.watts(watts) })}
      />
      <Figure label={t('energy.today')} {...(span(today) ?? { value: '–' })} />
      <Figure label={t('energy.week')} {...(span(week) ?? { value: '–' })} />
      <Figure
        earned
        label={t('energy.earned')}
        value={summary && format.number(summary.earnedToday)}
        unit={t('energy.unit')}
        note={summary && t('energy.earnedWeek', { points: points(summary.earnedWeek) })}
      />
    </Figures>
  );
}
