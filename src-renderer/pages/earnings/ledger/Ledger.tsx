import { Box, Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { CsvExport } from './CsvExport.tsx';
import { EntryInspector } from './EntryInspector.tsx';
import { KindLegend } from './KindLegend.tsx';
import { LedgerCheck } from './LedgerCheck.tsx';
import { LedgerFilter } from './LedgerFilter.tsx';
import { LedgerProof } from './LedgerProof.tsx';
import { LedgerTable } from './LedgerTable.tsx';
import { EVERYTHING, toFilter } from './ledger-filter.ts';

const PAGE = 25;

/** Every entry that changed this node's points or credits, page by page, with the details of one. */
export function Ledger() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const [choice, setChoice] = useState(EVERYTHING);
  const [selected, setSelected] = useState<number>();
  const kinds = useAnswer(api.credits.kinds.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const filter = toFilter(choice);
  const ledger = useInfiniteQuery(
    api.credits.entries.infiniteOptions({
      // One more than is shown tells whether there is a next page.
      input: (before: number | undefined) => ({ ...filter, limit: PAGE + 1, before }),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page.length > PAGE ? page[PAGE - 1]?.seq : undefined),
      placeholderData: keepPreviousData,
      enabled: filter !== undefined,
    }),
  );
  const entries = ledger.data?.pages.flatMap((page) => page.slice(0, PAGE)) ?? [];
  const all = choice === EVERYTHING;
  return (
    <ListAndDetails
      title={t('ledger.number')}
      rows={entries}
      keyOf={(entry) => entry.seq}
      selected={selected}
      onSelect={setSelected}
      details={(entry) => <EntryInspector entry={entry} />}
    >
      {(shown, select) => (
        <>
          <LedgerFilter kinds={kinds.data ?? []} choice={choice} onChange={setChoice} />
          <Group className={classes.tools} gap="xs">
            <LedgerProof />
            <CsvExport filter={filter} narrowed={!all} />
            <KindLegend kinds={kinds.data ?? []} />
            <LedgerCheck />
          </Group>
          {ledger.error && (
            <Box className={classes.pad}>
              <ErrorNote error={ledger.error} onRetry={() => void ledger.refetch()} />
            </Box>
          )}
          {ledger.isPending && filter && !ledger.error && <TableSkeleton rows={8} />}
          {entries.length > 0 && <LedgerTable entries={entries} selected={shown} onSelect={select} />}
          <Box className={classes.pad}>
            {ledger.data && entries.length === 0 && (
              <EmptyState title={t(all ? 'ledger.empty' : 'ledger.noMatch')}>
                {t(all ? 'ledger.emptyHint' : 'ledger.noMatchHint')}
              </EmptyState>
            )}
            {entries.length > 0 && (
              <ShownSoFar pages={ledger}>
                {t(ledger.hasNextPage ? 'ledger.shown' : 'ledger.shownAll', {
                  count: entries.length,
                  formatted: format.number(entries.length),
                })}
              </ShownSoFar>
            )}
            <Text size="xs" c="dimmed" ta="center" mt="sm">
              {t('ledger.kept')}
            </Text>
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
