import { Box, Button, Text } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FocusState, Recording, RecordingState } from '../../../../src-preload/contract/focus.ts';
import type { Verdict } from '../../../../src-preload/contract/focus-score.ts';
import type { TaskKind } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { SearchField } from '../../../components/page/SearchField.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { onWantedRecording } from '../../../state/wanted.ts';
import { type OpenReview, ReviewDialog } from '../review/ReviewDialog.tsx';
import { KindFilter } from '../tasks/KindFilter.tsx';
import { PlayDialog } from './PlayDialog.tsx';
import { RecordingInspector } from './RecordingInspector.tsx';
import { RecordingTable } from './RecordingTable.tsx';
import { StateFilter } from './StateFilter.tsx';

const TOGETHER = 50;
const KINDS = [
  { kind: 'all' },
  { kind: 'own' },
  { kind: 'suggested' },
  { kind: 'boosted' },
  { kind: 'platform' },
] as const;

/** What was recorded on this computer, the newest first, with everything about one of them. */
export function Library({ state }: { state: FocusState | undefined }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<TaskKind | 'all'>('all');
  const [chosen, setChosen] = useState<RecordingState>();
  const [selected, setSelected] = useState<string>();
  // Here, and not in the details: those go with the row, and change their place with the width of the window.
  const [playing, setPlaying] = useState<OpenReview>();
  const [review, setReview] = useState<OpenReview>();
  const found = useInfiniteQuery(
    api.focus.list.infiniteOptions({
      input: (before: number | undefined) => ({
        ...{ text, before, limit: TOGETHER, state: chosen },
        ...(kind !== 'all' && { kind }),
      }),
      initialPageParam: undefined,
      getNextPageParam: ({ recordings, more }) => (more ? recordings.at(-1)?.startedAt : undefined),
      queryKey: [...api.focus.list.key(), text, kind, chosen],
      placeholderData: keepPreviousData,
    }),
  );
  useFresh(state);
  useEffect(() => onWantedRecording(setSelected), []);
  const { data, error } = found;
  const pages = useMemo(() => data?.pages.map((one) => one.recordings) ?? [], [data]);
  const recordings = useMemo(() => pages.flat(), [pages]);
  const verdicts = useVerdicts(pages);
  return (
    <>
      <ListAndDetails
        title={t('recording')}
        rows={recordings}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(recording) => (
          <RecordingInspector key={recording.id} recording={recording} onPlay={setPlaying} onReview={setReview} />
        )}
      >
        {(shown, select) => (
          <>
            <div className={tableClasses.tools}>
              <SearchField label={t('search')} value={text} onChange={setText} />
              <KindFilter kinds={KINDS} value={kind} onChange={setKind} />
              <StateFilter value={chosen} onChange={setChosen} />
              {state && (
                <Text size="sm" c="var(--q-ink-2)">
                  {t('room', { used: format.bytes(state.room.bytes), budget: format.bytes(state.room.budgetBytes) })}
                </Text>
              )}
            </div>
            {error !== null && (
              <Box className={tableClasses.pad}>
                <ErrorNote error={error} onRetry={() => void found.refetch()} />
              </Box>
            )}
            {!data && error === null && <TableSkeleton rows={6} />}
            {recordings.length > 0 && (
              <RecordingTable recordings={recordings} verdicts={verdicts} selected={shown} onSelect={select} />
            )}
            <Box className={tableClasses.pad} py="md">
              {data && recordings.length === 0 && (
                <Nothing isSearch={text !== '' || kind !== 'all' || chosen !== undefined} />
              )}
              {found.hasNextPage && (
                <ShownSoFar pages={found}>{t('shown', { formatted: format.number(recordings.length) })}</ShownSoFar>
              )}
            </Box>
          </>
        )}
      </ListAndDetails>
      <PlayDialog playing={playing} onClose={() => setPlaying(undefined)} />
      <ReviewDialog review={review} onClose={() => setReview(undefined)} />
    </>
  );
}

/** What is recorded, ended and deleted elsewhere shows here, too; as much of the list as was shown before stays. */
function useFresh(state: FocusState | undefined): void {
  const count = state?.room.count;
  const live = state?.live?.recording.id;
  useEffect(() => {
    if (count !== undefined) void queryClient.invalidateQueries({ queryKey: api.focus.list.key() });
  }, [count, live]);
}

/** By their ids; those of a page are looked at again every second while one of them is being scored. */
function useVerdicts(pages: readonly (readonly Recording[])[]): ReadonlyMap<string, Verdict> {
  const verdicts = useQueries({
    queries: pages.map((recordings) =>
      api.focus.verdicts.queryOptions({
        input: { ids: recordings.map(({ id }) => id) },
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'scoring') ? 1_000 : false),
      }),
    ),
    combine: told,
  });
  return useMemo(() => new Map(verdicts.map((verdict) => [verdict.id, verdict])), [verdicts]);
}

/** As a plain list, which stays the same one while what is in it does. */
const told = (answers: UseQueryResult<Verdict[]>[]) => answers.flatMap(({ data }) => data ?? []);

function Nothing({ isSearch }: { isSearch: boolean }) {
  const { t } = useTranslation('focus');
  return (
    <EmptyState title={t(isSearch ? 'empty.noMatch' : 'empty.title')}>
      {!isSearch && (
        <>
          <Text size="sm">{t('empty.hint')}</Text>
          <Button component="a" href="#/focus">
            {t('empty.begin')}
          </Button>
        </>
      )}
    </EmptyState>
  );
}
