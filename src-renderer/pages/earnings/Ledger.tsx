import { Button, Skeleton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { ShownSoFar } from '../../components/ShownSoFar.tsx';
import { useFormat } from '../../i18n/format.ts';
import { CsvExport } from './CsvExport.tsx';
import { KindLegend } from './KindLegend.tsx';
import { LedgerFilter } from './LedgerFilter.tsx';
import { LedgerTable } from './LedgerTable.tsx';
import { EVERYTHING, toFilter } from './ledger-filter.ts';

const PAGE = 25;

/** Every entry that changed this node's points or credits, page by page. */
export function Ledger() {
  const { t } = useTranslation(['earnings', 'common']);
  const format = useFormat();
  const [choice, setChoice] = useState(EVERYTHING);
  const [asked, setAsked] = useState(false);
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
  const refresh = () => {
    setAsked(true);
    void ledger.refetch().finally(() => setAsked(false));
  };
  const entries = ledger.data?.pages.flatMap((page) => page.slice(0, PAGE)) ?? [];
  const all = choice === EVERYTHING;
  return (
    <Section
      title={t('earnings:ledger.title')}
      description={t('earnings:ledger.description')}
      aside={
        <>
          <KindLegend kinds={kinds.data ?? []} />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={asked && ledger.isRefetching}
            onClick={refresh}
          >
            {t('common:action.refresh')}
          </Button>
        </>
      }
    >
      <LedgerFilter kinds={kinds.data ?? []} choice={choice} onChange={setChoice} />
      <CsvExport filter={filter} narrowed={!all} />
      <ErrorNote error={ledger.error} onRetry={() => void ledger.refetch()} />
      {ledger.isPending && filter && !ledger.error && <Skeleton h={320} />}
      {entries.length > 0 && <LedgerTable entries={entries} />}
      {ledger.data && entries.length === 0 && (
        <EmptyState title={t(all ? 'earnings:ledger.empty' : 'earnings:ledger.noMatch')}>
          {t(all ? 'earnings:ledger.emptyHint' : 'earnings:ledger.noMatchHint')}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <ShownSoFar pages={ledger}>
          {t(ledger.hasNextPage ? 'earnings:ledger.shown' : 'earnings:ledger.shownAll', {
            count: entries.length,
            formatted: format.number(entries.length),
          })}
        </ShownSoFar>
      )}
    </Section>
  );
}
