import { Box, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { ChosenBar } from './ChosenBar.tsx';
import { FindTools } from './FindTools.tsx';
import { keyOf, useFindView } from './find-view.ts';
import { HitInspector } from './HitInspector.tsx';
import { HitTable } from './HitTable.tsx';
import { useFound } from './use-find.ts';

/** Videos of one source, with what may be done with each; those that are chosen become clips. */
export function Find() {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { source, asked, selected } = useFindView();
  const found = useFound();
  const hits = found.data?.pages.flatMap((page) => page.found) ?? [];
  return (
    <ListAndDetails
      title={t('find.video')}
      rows={hits}
      keyOf={keyOf}
      selected={selected}
      onSelect={(key) => useFindView.setState({ selected: key })}
      details={(hit) => <HitInspector key={keyOf(hit)} hit={hit} />}
    >
      {(shown, select) => (
        <>
          <FindTools isSearching={found.isFetching} onAgain={() => void found.refetch()} />
          <ChosenBar />
          {found.error !== null && asked?.source === source && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            </Box>
          )}
          {asked && found.isPending && <TableSkeleton rows={8} />}
          {hits.length > 0 && <HitTable hits={hits} selected={shown} onSelect={select} />}
          <Box className={tableClasses.pad}>
            {!asked && (
              <EmptyState title={t('find.begin')}>
                <Text size="sm" maw={560}>
                  {t('find.beginMeans')}
                </Text>
              </EmptyState>
            )}
            {asked && found.isSuccess && hits.length === 0 && (
              <EmptyState title={t('find.nothing', { topic: asked.topic })}>
                <Text size="sm">{t('find.nothingMeans')}</Text>
              </EmptyState>
            )}
            {hits.length > 0 && (
              <ShownSoFar pages={found}>
                {t('find.shown', { count: hits.length, formatted: format.number(hits.length) })}
              </ShownSoFar>
            )}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
