import { Box, Button, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Inspector } from '../../../components/page/Inspector.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { onWantedRun } from '../../../state/wanted.ts';
import { RunReport } from './RunReport.tsx';
import { RunTable } from './RunTable.tsx';

const TOGETHER = 50;

/** All runs, the newest first, with everything about one of them. */
export function History() {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [selected, setSelected] = useState<string>();
  useEffect(() => onWantedRun(setSelected), []);
  const found = useInfiniteQuery(
    api.learning.runs.infiniteOptions({
      input: (before: number | undefined) => ({ limit: TOGETHER, before }),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page.length === TOGETHER ? page.at(-1)?.createdAt : undefined),
      placeholderData: keepPreviousData,
    }),
  );
  const runs = found.data?.pages.flat() ?? [];
  return (
    <ListAndDetails
      title={t('run')}
      rows={runs}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(run) => <RunInspector key={run.id} run={run} />}
    >
      {(shown, select) => (
        <>
          {found.error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            </Box>
          )}
          {!found.data && found.error === null && <TableSkeleton rows={6} />}
          {runs.length > 0 && <RunTable runs={runs} selected={shown} onSelect={select} />}
          <Box className={tableClasses.pad}>
            {found.data && runs.length === 0 && (
              <EmptyState title={t('history.empty')}>
                <Text size="sm">{t('history.emptyHow')}</Text>
                <Button component="a" href="#/learning" variant="default">
                  {t('history.toOverview')}
                </Button>
              </EmptyState>
            )}
            {found.hasNextPage && (
              <ShownSoFar pages={found}>{t('history.shown', { formatted: format.number(runs.length) })}</ShownSoFar>
            )}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}

function RunInspector({ run: { id, startedAt, createdAt } }: { run: LearningRunView }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { data, error } = useAnswer(api.learning.run.queryOptions({ input: { id } }));
  return (
    <Inspector title={t('runOf', { time: format.time(startedAt ?? createdAt) })}>
      <Block>
        <ErrorNote error={error} />
        {data && <RunReport run={data} />}
      </Block>
    </Inspector>
  );
}
