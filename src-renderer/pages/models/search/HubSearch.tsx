import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { onWantedSearch } from '../../../state/wanted.ts';
import { HubTable } from './HubTable.tsx';
import { HubTools } from './HubTools.tsx';
import { useHubView } from './hub-view.ts';
import { RepositoryInspector } from './RepositoryInspector.tsx';

/** Who still types is not asked about. */
const TYPING_MS = 350;
/** The server is somebody else's: an answer is good for a while. */
const FRESH_MS = 5 * 60_000;
const PAGE = 30;

/** Models of Hugging Face, or of the mirror that the settings name, with what of each would run here. */
export function HubSearch({ downloads }: { downloads: Download[] | undefined }) {
  const { t } = useTranslation('models');
  const { text, sort, selected } = useHubView();
  useEffect(() => onWantedSearch((wanted) => useHubView.setState({ text: wanted })), []);
  const [words] = useDebouncedValue(text.trim(), TYPING_MS);
  const found = useInfiniteQuery(
    api.models.search.infiniteOptions({
      input: (after: string | undefined) => ({ text: words, sort, after, limit: PAGE }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
      staleTime: FRESH_MS,
      retry: false,
    }),
  );
  const models = found.error ? [] : (found.data?.pages.flatMap((page) => page.models) ?? []);
  const host = found.data?.pages[0]?.host ?? '';
  return (
    <ListAndDetails
      title={t('details')}
      rows={models}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={(id) => useHubView.setState({ selected: id })}
      details={(model) => <RepositoryInspector key={model.id} model={model} downloads={downloads} />}
    >
      {(shown, select) => (
        <>
          <HubTools searching={found.isFetching} />
          {found.error && (
            <Box className={classes.pad}>
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            </Box>
          )}
          {found.isPending && <TableSkeleton rows={8} />}
          {models.length > 0 && <HubTable models={models} selected={shown} onSelect={select} />}
          {models.length > 0 && (
            <Box className={classes.pad}>
              <ShownSoFar
                pages={found}
              >{`${t('hub.shown', { count: models.length, host })}. ${t('hub.estimatedList')}`}</ShownSoFar>
            </Box>
          )}
          {found.isSuccess && models.length === 0 && (
            <Box className={classes.pad}>
              <EmptyState title={t('hub.nothing', { host })}>
                <Text size="sm">{t('hub.nothingHelp')}</Text>
              </EmptyState>
            </Box>
          )}
        </>
      )}
    </ListAndDetails>
  );
}
