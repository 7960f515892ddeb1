import { Skeleton, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { Tier } from '../../../components/Tier.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { PeerCell, PeerSums, SumCell } from './PeerSums.tsx';
import { nextOffset, PAGE } from './peer-pages.ts';
import type { Standing } from './use-standing.ts';

/** Whom this node owes something for what they have served it, page by page, and what they have of that here. */
export function Creditors({ standing }: { standing: Standing | undefined }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const trusted = useInfiniteQuery(
    api.credits.trusted.infiniteOptions({
      input: (offset: number) => ({ limit: PAGE, offset }),
      initialPageParam: 0,
      getNextPageParam: nextOffset,
    }),
  );
  const peers = trusted.data?.pages.flatMap((page) => page.peers) ?? [];
  const last = trusted.data?.pages.at(-1);
  const tier = standing === 'client' ? undefined : t('trusted.tier');
  return (
    <Section title={t('trusted.title')} description={standing && t(`trusted.description.${standing}`)}>
      <ErrorNote error={trusted.error} onRetry={() => void trusted.refetch()} />
      {trusted.isPending && !trusted.error && <Skeleton h={160} aria-hidden />}
      {last?.total === 0 && <EmptyState title={t('trusted.none')}>{t('trusted.noneHint')}</EmptyState>}
      {peers.length > 0 && (
        <PeerSums title={t('trusted.title')} sum={t('trusted.owed')} mark={tier}>
          {peers.map((one) => (
            <Table.Tr key={one.peer}>
              <PeerCell id={one.peer}>{t('trusted.served', { served: format.number(one.served) })}</PeerCell>
              <SumCell>{format.number(one.owed)}</SumCell>
              {tier && (
                <Table.Td ta="right" pr={0} fz="sm">
                  <Tier tier={one.tier} size={15} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </PeerSums>
      )}
      {trusted.hasNextPage && (
        <ShownSoFar pages={trusted}>
          {t('owing.shown', { shown: format.number(peers.length), total: format.number(last?.total ?? 0) })}
        </ShownSoFar>
      )}
    </Section>
  );
}
