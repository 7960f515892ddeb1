import { Button, NativeSelect, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataState } from '../../../../src-preload/contract/data.ts';
import { JOB_STATES, type JobState } from '../../../../src-preload/contract/data-names.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { refreshJobs } from '../use-data.ts';
import { JobTable } from './JobTable.tsx';

const TOGETHER = 20;

/** Videos that were put into the queue, the newest first. */
export const Jobs = memo(function Jobs({ counts }: { counts: DataState['jobs'] }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const [state, setState] = useState<JobState>();
  const found = useInfiniteQuery(
    api.data.jobs.infiniteOptions({
      input: (before: number | undefined) => ({ before, state, rows: TOGETHER }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      queryKey: [...api.data.jobs.key(), state],
      placeholderData: keepPreviousData,
    }),
  );
  const retry = useMutation(api.data.retry.mutationOptions({ onSettled: refreshJobs }));
  useFresh(counts);
  const jobs = found.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <Section
      title={t('jobs.title')}
      aside={
        <>
          {counts.failed > 0 && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              loading={retry.isPending}
              onClick={() => retry.mutate({})}
            >
              {t('jobs.retryAll')}
            </Button>
          )}
          <NativeSelect
            size="xs"
            aria-label={t('jobs.state')}
            data={[
              { value: '', label: t('jobs.all') },
              ...JOB_STATES.map((value) => ({ value, label: `${t(`job.${value}`)} ${format.number(counts[value])}` })),
            ]}
            value={state ?? ''}
            onChange={({ currentTarget }) => setState(JOB_STATES.find((one) => one === currentTarget.value))}
          />
        </>
      }
    >
      <ErrorNote error={retry.error} />
      <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <TableSkeleton rows={3} />}
      {found.data && jobs.length === 0 && (
        <EmptyState title={t(state ? 'jobs.noneSo' : 'jobs.none')}>
          {!state && <Text size="sm">{t('jobs.noneMeans')}</Text>}
        </EmptyState>
      )}
      {jobs.length > 0 && (
        <div className={tableClasses.bleed}>
          <JobTable jobs={jobs} />
        </div>
      )}
      {found.hasNextPage && (
        <ShownSoFar pages={found}>
          {t('jobs.shown', { count: jobs.length, formatted: format.number(jobs.length) })}
        </ShownSoFar>
      )}
    </Section>
  );
});

/** What goes on shows here too. */
function useFresh(counts: DataState['jobs']): void {
  const told = JSON.stringify(counts);
  useEffect(() => {
    if (told) void refreshJobs();
  }, [told]);
}
