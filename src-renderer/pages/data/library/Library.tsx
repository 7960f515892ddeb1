import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataState } from '../../../../src-preload/contract/data.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { ClipInspector } from './ClipInspector.tsx';
import { ClipTable } from './ClipTable.tsx';
import { Filters } from './Filters.tsx';
import { isFiltered, showAll, useLibraryView } from './library-view.ts';
import { useClips, useFreshClips } from './use-clips.ts';

/** Clips that were made on this computer, the newest first or the nearest, with everything about one of them. */
export function Library({ state }: { state: DataState | undefined }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const selected = useLibraryView((view) => view.selected);
  const found = useClips();
  useFreshClips(state?.clipsVersion);
  const hasModels = state === undefined || state.space !== null;
  const clips = found.data?.pages.flatMap((page) => page.clips) ?? [];
  const total = found.data?.pages[0]?.total ?? null;
  const shown = { count: clips.length, formatted: format.number(clips.length) };
  return (
    <ListAndDetails
      title={t('library.clip')}
      rows={clips}
      keyOf={({ clip }) => clip}
      selected={selected}
      onSelect={(clip) => useLibraryView.setState({ selected: clip })}
      details={(clip) => <ClipInspector key={clip.clip} clip={clip} hasModels={hasModels} />}
    >
      {(open, select) => (
        <>
          <Filters hasMeaning={hasModels} />
          {found.error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            </Box>
          )}
          {!found.data && found.error === null && <TableSkeleton rows={8} />}
          {clips.length > 0 && <ClipTable clips={clips} selected={open} onSelect={select} />}
          <Box className={tableClasses.pad}>
            {found.data && clips.length === 0 && <Nothing />}
            {clips.length > 0 && (
              <ShownSoFar pages={found}>
                {total === null
                  ? t('library.shown', shown)
                  : t('library.shownOf', { ...shown, count: total, total: format.number(total) })}
              </ShownSoFar>
            )}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}

function Nothing() {
  const { t } = useTranslation('data');
  const isSearch = isFiltered(useLibraryView());
  if (isSearch) {
    return (
      <EmptyState title={t('library.noMatch')}>
        <Button variant="default" onClick={showAll}>
          {t('library.showAll')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('library.none')}>
      <Text size="sm" maw={560}>
        {t('library.noneMeans')}
      </Text>
      <Button component="a" href="#/data">
        {t('library.begin')}
      </Button>
    </EmptyState>
  );
}
