import { Box, Button, MultiSelect, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EvaluationDetails, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { LengthChart } from '../LengthChart.tsx';
import { detailsNow, useChosen, useEvaluations } from '../use-evaluations.ts';
import { useWords } from '../use-words.ts';
import { CompareTable } from './CompareTable.tsx';
import { comparedSum, differencesOf, inCommon, MOST_COMPARED } from './compared.ts';

/** One that runs has more to tell after a while. */
const LOOK_AGAIN_MS = 5_000;

/** Some evaluations beside each other, by what all of them were asked. */
export function Compare() {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const { pages, all } = useEvaluations();
  const chosen = useChosen(({ compared }) => compared);
  const known = all?.filter(({ id }) => chosen.includes(id)) ?? [];
  const canCompare = (all?.length ?? 0) > 1;
  return (
    <PageBody>
      {pages.error !== null && <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />}
      {!all && pages.error === null && <TableSkeleton rows={6} />}
      {all && !canCompare && (
        <EmptyState title={t('compare.tooFew')}>
          <Text size="sm">{t('compare.tooFewHow')}</Text>
          <Button component="a" href="#/evaluation/new" variant="default">
            {t('new.title')}
          </Button>
        </EmptyState>
      )}
      {all && canCompare && (
        <MultiSelect
          maw={720}
          label={t('compare.which')}
          description={t('compare.whichMeans')}
          data={all.map((one) => ({ value: one.id, label: words.named(one) }))}
          value={known.map(({ id }) => id)}
          maxValues={MOST_COMPARED}
          onChange={(compared) => useChosen.setState({ compared })}
        />
      )}
      {known.length > 1 && <Compared evaluations={known} />}
    </PageBody>
  );
}

function Compared({ evaluations }: { evaluations: readonly EvaluationView[] }) {
  const { t } = useTranslation('evaluation');
  const found = useQueries({
    queries: evaluations.map(({ id, state, done }) => ({
      queryKey: [...api.evaluation.watch.key(), 'now', id, state === 'running' ? done : state],
      queryFn: ({ signal }: { signal: AbortSignal }) => detailsNow(id, signal),
      ...(state === 'running' && { refetchInterval: LOOK_AGAIN_MS }),
    })),
  });
  const error = found.find((one) => one.error)?.error;
  const details = found.flatMap(({ data }) => (data ? [data] : []));
  if (error) return <ErrorNote error={error} />;
  if (details.length < evaluations.length) return <TableSkeleton rows={6} />;
  const common = inCommon(details);
  const differences = differencesOf(details);
  return (
    <>
      <Section title={t('compare.differences')}>
        {differences.length === 0 && <Text size="sm">{t('compare.none')}</Text>}
        <ul className={classes.differences}>
          {differences.map((what) => (
            <li key={what}>{t(`compare.differ.${what}`)}</li>
          ))}
        </ul>
      </Section>
      {common.suites.length === 0 || common.lengths.length === 0 ? (
        <Box mt={16}>
          <EmptyState title={t('compare.nothing')}>{t('compare.nothingMeans')}</EmptyState>
        </Box>
      ) : (
        <Beside details={details} common={common} />
      )}
    </>
  );
}

interface BesideProps {
  details: readonly EvaluationDetails[];
  common: ReturnType<typeof inCommon>;
}

/** By lines, and by a table. */
function Beside({ details, common: { suites, lengths } }: BesideProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const names = details.map(words.named);
  const lines = (value: (sum: ReturnType<typeof comparedSum>) => number | null | undefined) =>
    details.map((one, place) => ({
      label: names[place] ?? '',
      values: lengths.map((length) => value(comparedSum(one, suites, length)) ?? null),
    }));
  return (
    <>
      <Section
        title={t('compare.curves')}
        description={t('compare.common', { suites: format.list(suites.map(words.suite)) })}
      >
        <div className={classes.charts}>
          <LengthChart
            title={t('chart.right')}
            lengths={lengths}
            lines={lines(({ accuracy }) => accuracy && 100 * accuracy)}
            maximum={100}
            write={(value) => format.percent(value / 100)}
          />
          <LengthChart
            title={t('chart.first')}
            lengths={lengths}
            lines={lines(({ firstMs }) => firstMs && firstMs / 1_000)}
            write={(value) => format.duration(1_000 * value)}
          />
        </div>
      </Section>
      <Section title={t('compare.table')}>
        <CompareTable details={details} names={names} suites={suites} lengths={lengths} />
      </Section>
    </>
  );
}
