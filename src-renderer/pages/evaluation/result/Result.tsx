import { Box, Button, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ExportMenu } from '../export/ExportMenu.tsx';
import { useChosen, useDetails, useEvaluations } from '../use-evaluations.ts';
import { useWords } from '../use-words.ts';
import { Outcome } from './Outcome.tsx';
import { StateBar } from './StateBar.tsx';

/** What came of one evaluation: of the one that was chosen, or the newest. */
export function Result() {
  const { t } = useTranslation('evaluation');
  const { pages, all } = useEvaluations();
  const shown = useChosen((chosen) => chosen.shown);
  const evaluation = all?.find(({ id }) => id === shown) ?? all?.[0];
  return (
    <>
      {pages.error !== null && (
        <Box className={tableClasses.pad}>
          <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
        </Box>
      )}
      {!all && pages.error === null && <TableSkeleton rows={6} />}
      {all?.length === 0 && (
        <Box className={tableClasses.pad} pt={20}>
          <EmptyState title={t('empty.title')}>
            <Text size="sm" maw={560}>
              {t('empty.how')}
            </Text>
            <Button component="a" href="#/evaluation/new">
              {t('new.title')}
            </Button>
          </EmptyState>
        </Box>
      )}
      {all && evaluation && <One key={evaluation.id} evaluation={evaluation} all={all} />}
    </>
  );
}

function One({ evaluation, all }: { evaluation: EvaluationView; all: readonly EvaluationView[] }) {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const { details, error } = useDetails(evaluation);
  const now = details ?? evaluation;
  const head = (
    <>
      <div className={tableClasses.tools}>
        <Select
          aria-label={t('which')}
          w={300}
          maw="100%"
          data={all.map((one) => ({ value: one.id, label: words.named(one) }))}
          value={evaluation.id}
          allowDeselect={false}
          onChange={(id) => id !== null && useChosen.setState({ shown: id })}
        />
        <span className={tableClasses.space} />
        {details && <ExportMenu details={details} />}
        <Button
          component="a"
          href="#/evaluation/new"
          variant="default"
          leftSection={<IconPlus size={15} stroke={1.6} aria-hidden />}
        >
          {t('new.short')}
        </Button>
      </div>
      <StateBar evaluation={now} cells={details?.cells ?? []} />
      {error && (
        <Box className={tableClasses.pad}>
          <ErrorNote error={error} />
        </Box>
      )}
    </>
  );
  if (details) return <Outcome details={details} head={head} />;
  return (
    <>
      {head}
      {!error && <TableSkeleton rows={6} />}
    </>
  );
}
