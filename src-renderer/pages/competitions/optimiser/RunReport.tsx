import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OptimiserDetails, OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import { api, client } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { AttemptChart } from '../../../components/chart/AttemptChart.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { DiffView } from './DiffView.tsx';
import { useRun } from './use-optimiser.ts';
import { useSpeed } from './use-speed.ts';

/** What came of a search: speed by attempt, the last attempt in words, and in what the best differs from the start. */
export function RunReport({ run }: { run: OptimiserRun }) {
  const { t } = useTranslation('optimiser');
  const { details, error } = useRun(run);
  const number = details?.best?.number;
  const best = useAnswer({
    queryKey: [...api.optimiser.best.key(), run.id, number],
    queryFn: () => client.optimiser.best({ id: run.id }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ErrorNote error={error ?? null} />
      <Section title={t('chart.title')} description={t('chart.means')}>
        <Attempts details={details} />
      </Section>
      <Section title={t('diff.title')} description={t('diff.means')}>
        <ErrorNote error={best.error} />
        {best.data && (best.data.source === null || best.data.diff.length === 0) && (
          <Text size="sm" c="var(--q-ink-2)">
            {t(best.data.source === null ? 'diff.none' : 'diff.same')}
          </Text>
        )}
        {best.data && best.data.diff.length > 0 && <DiffView lines={best.data.diff} />}
      </Section>
    </>
  );
}

function Attempts({ details }: { details: OptimiserDetails | undefined }) {
  const { t } = useTranslation('optimiser');
  const format = useFormat();
  const { times } = useSpeed();
  const { list = [], best } = details ?? {};
  const last = list.at(-1);
  const points = list.map(({ number, speed, outcome }) => ({
    ...{ number, word: t(`outcome.${outcome}`), isBest: number === best?.number },
    value: speed && { at: speed.ratio, low: speed.low, high: speed.high },
  }));
  return (
    <>
      <AttemptChart
        label={t('chart.label', { count: list.length, best: best ? times(best.ratio) : t('chart.noBest') })}
        empty={t('chart.empty')}
        points={points}
        write={times}
        words={{
          attempt: t('chart.attempt'),
          value: t('chart.speed'),
          bounds: t('run.certain'),
          outcome: t('chart.outcome'),
          par: t('chart.par'),
        }}
      />
      {last && (
        <Text size="sm" c="var(--q-ink-2)" role="status" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {t('chart.last', { number: format.number(last.number), outcome: t(`outcome.${last.outcome}`) })}
          {last.detail !== null && `\n${last.detail}`}
        </Text>
      )}
    </>
  );
}
