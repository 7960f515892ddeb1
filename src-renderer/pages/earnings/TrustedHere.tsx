import { Badge, Skeleton, Table, Text } from '@mantine/core';
import { IconHeartHandshake } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TrustedPeers } from '../../../src-preload/contract/credits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { ShownSoFar } from '../../components/ShownSoFar.tsx';
import { TitledCard } from '../../components/TitledCard.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { shortId, useFormat } from '../../i18n/format.ts';

const PAGE = 10;

/** Whom this node owes something for what they have served it, page by page: who is served here, how soon, and why. */
export function TrustedHere() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const trusted = useInfiniteQuery(
    api.credits.trusted.infiniteOptions({
      input: (offset: number) => ({ limit: PAGE, offset }),
      initialPageParam: 0,
      getNextPageParam: ({ peers, total }, _pages, offset) =>
        peers.length > 0 && offset + peers.length < total ? offset + peers.length : undefined,
    }),
  );
  const peers = trusted.data?.pages.flatMap((page) => page.peers) ?? [];
  const total = trusted.data?.pages.at(-1)?.total ?? 0;
  return (
    <TitledCard title={t('trusted.title')} description={t('trusted.description')}>
      <ErrorNote error={trusted.error} onRetry={() => void trusted.refetch()} />
      {trusted.isPending && !trusted.error && <Skeleton h={160} />}
      {trusted.data && peers.length === 0 && (
        <EmptyState icon={IconHeartHandshake} title={t('trusted.none')}>
          {t('trusted.noneHint')}
        </EmptyState>
      )}
      {peers.length > 0 && <PeerTable peers={peers} />}
      {trusted.hasNextPage && (
        <ShownSoFar pages={trusted}>
          {t('trusted.shown', { shown: format.number(peers.length), total: format.number(total) })}
        </ShownSoFar>
      )}
      <Gifts />
    </TitledCard>
  );
}

function PeerTable({ peers }: Pick<TrustedPeers, 'peers'>) {
  const { t } = useTranslation(['earnings', 'common']);
  const format = useFormat();
  const named = (tier: string) => t(`common:tier.${tier as 'gold'}`, { defaultValue: tier });
  return (
    <WideTable title={t('earnings:trusted.title')} minWidth={480} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('earnings:trusted.peer')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('earnings:trusted.owed')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('earnings:trusted.served')}
          </Table.Th>
          <Table.Th scope="col">{t('earnings:trusted.tier')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {peers.map(({ peer, owed, served, tier }) => (
          <Table.Tr key={peer}>
            <Table.Td>
              <Text component="span" ff="monospace" size="sm" title={peer}>
                {shortId(peer)}
              </Text>
            </Table.Td>
            <Table.Td ta="right">{format.number(owed)}</Table.Td>
            <Table.Td ta="right">{format.number(served)}</Table.Td>
            <Table.Td>
              <Badge variant="light" miw="max-content">
                {named(tier)}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

/** How strangers are served. */
function Gifts() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data } = useAnswer(api.credits.summary.queryOptions());
  if (!data) return null;
  const { given, most, perDay } = data.gifts;
  const shown = { given: format.number(given), most: format.number(most), perDay: format.number(perDay) };
  return (
    <Text size="sm" c="dimmed">
      {t('trusted.gifts', shown)}
    </Text>
  );
}
