import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { RunInspector } from './RunInspector.tsx';
import { RunReport } from './RunReport.tsx';
import { RunTable } from './RunTable.tsx';
import { useChosenRun, useRuns } from './use-optimiser.ts';

/** All searches for faster kernels, the newest first, with what came of one of them. */
export function Optimiser() {
  const { t } = useTranslation('optimiser');
  const format = useFormat();
  const selected = useChosenRun(({ shown }) => shown);
  const { pages, all = [] } = useRuns();
  const chosen = all.find(({ id }) => id === selected) ?? all[0];
  return (
    <ListAndDetails
      title={t('run.title')}
      rows={all}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={(shown) => useChosenRun.setState({ shown })}
      details={(run) => <RunInspector key={run.id} run={run} />}
    >
      {(_shown, select) => (
        <>
          {pages.error !== null && (
            <Box className={classes.pad}>
              <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
            </Box>
          )}
          {!pages.data && pages.error === null && <TableSkeleton rows={6} />}
          {all.length > 0 && <RunTable runs={all} selected={chosen?.id} onSelect={select} />}
          <Box className={classes.pad}>
            {pages.data && all.length === 0 && (
              <EmptyState title={t('empty.title')}>
                <Text size="sm">{t('empty.how')}</Text>
                <Button component="a" href="#/competitions/new" variant="default">
                  {t('competitions:place.new')}
                </Button>
              </EmptyState>
            )}
            {pages.hasNextPage && (
              <ShownSoFar pages={pages}>{t('run.shown', { formatted: format.number(all.length) })}</ShownSoFar>
            )}
            {chosen && <RunReport key={chosen.id} run={chosen} />}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
