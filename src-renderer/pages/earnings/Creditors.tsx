import { Badge, Skeleton, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { ShownSoFar } from '../../components/ShownSoFar.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import { PeerCell, PeerSums } from './PeerSums.tsx';
import { nextOffset, PAGE } from './peer-pages.ts';

/** By what this node serves others: what it owes, points among friends, or not at all. */
type Way = 'claims' | 'witnessed' | 'client';

/** Whom this node owes something for what they have served it, page by page, and what they have of that here. */
export function Creditors() {
  const { t } = useTranslation(['earnings', 'common']);
  const format = useFormat();
  const way = useWay();
  const trusted = useInfiniteQuery(
    api.credits.trusted.infiniteOptions({
      input: (offset: number) => ({ limit: PAGE, offset }),
      initialPageParam: 0,
      getNextPageParam: nextOffset,
    }),
  );
  const peers = trusted.data?.pages.flatMap((page) => page.peers) ?? [];
  const last = trusted.data?.pages.at(-1);
  const tier = way === 'client' ? undefined : t('earnings:trusted.tier');
  const named = (name: string) => t(`common:tier.${name as 'gold'}`, { defaultValue: name });
  return (
    <Section title={t('earnings:trusted.title')} description={way && t(`earnings:trusted.description.${way}`)}>
      <ErrorNote error={trusted.error} onRetry={() => void trusted.refetch()} />
      {trusted.isPending && !trusted.error && <Skeleton h={160} />}
      {last?.total === 0 && (
        <EmptyState title={t('earnings:trusted.none')}>{t('earnings:trusted.noneHint')}</EmptyState>
      )}
      {peers.length > 0 && (
        <PeerSums
          title={t('earnings:trusted.title')}
          sums={[t('earnings:trusted.owed'), t('earnings:trusted.served')]}
          mark={tier}
        >
          {peers.map((one) => (
            <Table.Tr key={one.peer}>
              <PeerCell id={one.peer} />
              <Table.Td ta="right">{format.number(one.owed)}</Table.Td>
              <Table.Td ta="right">{format.number(one.served)}</Table.Td>
              {tier && (
                <Table.Td>
                  <Badge variant="light" miw="max-content">
                    {named(one.tier)}
                  </Badge>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </PeerSums>
      )}
      {last && last.total > 0 && <Text size="sm">{t('earnings:trusted.sum', { owed: format.number(last.owed) })}</Text>}
      {trusted.hasNextPage && (
        <ShownSoFar pages={trusted}>
          {t('earnings:owing.shown', { shown: format.number(peers.length), total: format.number(last?.total ?? 0) })}
        </ShownSoFar>
      )}
      {way === 'claims' && <InAdvance />}
    </Section>
  );
}

/** Undefined while nobody has said. */
function useWay(): Way | undefined {
  const status = useNode((node) => node.status);
  const { data } = useAnswer(api.credits.summary.queryOptions());
  if (status && !status.mining) return 'client';
  return data?.rule;
}

/** How strangers are served. */
function InAdvance() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data } = useAnswer(api.credits.summary.queryOptions());
  if (!data) return null;
  const { given, back, most, perDay } = data.gifts;
  const number = (value: number) => format.number(value);
  return (
    <Text size="sm" c="dimmed">
      {t('trusted.inAdvance', { most: number(most), perDay: number(perDay) })}{' '}
      {t('trusted.soFar', { given: number(given), back: number(back) })}
    </Text>
  );
}
