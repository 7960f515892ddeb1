import { Box, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubmissionRole } from '../../../../src-preload/contract/data-names.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { SubmissionInspector } from './SubmissionInspector.tsx';
import { SubmissionTable } from './SubmissionTable.tsx';

/** They come when somebody asks, and nobody tells of it. */
const LOOK_AGAIN_MS = 15_000;

interface SubmissionListProps {
  /** Undefined for both. */
  role: SubmissionRole | undefined;
  /** Above the list. */
  tools: ReactNode;
}

/** Submissions, the newest first, with the verdict on each clip of one. */
export function SubmissionList({ role, tools }: SubmissionListProps) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const [selected, setSelected] = useState<number>();
  const found = useInfiniteQuery(
    api.data.submissions.infiniteOptions({
      input: (before: number | undefined) => ({ before, role }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      queryKey: [...api.data.submissions.key(), role],
      placeholderData: keepPreviousData,
      refetchInterval: LOOK_AGAIN_MS,
    }),
  );
  const all = found.data?.pages.flatMap((page) => page.submissions) ?? [];
  return (
    <ListAndDetails
      title={t('submission.title')}
      rows={all}
      keyOf={({ number }) => number}
      selected={selected}
      onSelect={setSelected}
      details={(submission) => <SubmissionInspector key={submission.number} submission={submission} />}
    >
      {(shown, select) => (
        <>
          {tools}
          {found.error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            </Box>
          )}
          {!found.data && found.error === null && <TableSkeleton rows={6} />}
          {all.length > 0 && <SubmissionTable submissions={all} selected={shown} onSelect={select} />}
          <Box className={tableClasses.pad}>
            {found.data && all.length === 0 && (
              <EmptyState title={t(`submission.none.${role ?? 'all'}`)}>
                <Text size="sm" maw={560}>
                  {t(`submission.noneMeans.${role ?? 'all'}`)}
                </Text>
              </EmptyState>
            )}
            {found.hasNextPage && (
              <ShownSoFar pages={found}>
                {t('submission.shown', { count: all.length, formatted: format.number(all.length) })}
              </ShownSoFar>
            )}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
