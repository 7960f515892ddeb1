import { Skeleton, Table, Text } from '@mantine/core';
import { IconCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { PeerCell, PeerSums, SumCell } from './PeerSums.tsx';
import { nextOffset, PAGE } from './peer-pages.ts';

/** Who is in reach changes, and no event tells. */
const LOOK_AGAIN_MS = 10_000;

/** Who owes this node something, page by page: where its own questions are paid for, and what of that can be had now. */
export function Debtors() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const debtors = useInfiniteQuery(
    api.credits.debtors.infiniteOptions({
      input: (offset: number) => ({ limit: PAGE, offset }),
      initialPageParam: 0,
      getNextPageParam: nextOffset,
      // Who reads further down does not want the list to move.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LOOK_AGAIN_MS),
    }),
  );
  const peers = debtors.data?.pages.flatMap((page) => page.peers) ?? [];
  const last = debtors.data?.pages.at(-1);
  return (
    <Section
      title={t('debtors.title')}
      beside={last?.inReach !== undefined && last.total > 0 && <InReach credits={last.inReach} of={last.owes} />}
      description={t('debtors.description')}
    >
      <ErrorNote error={debtors.error} onRetry={() => void debtors.refetch()} />
      {debtors.isPending && !debtors.error && <Skeleton h={160} aria-hidden />}
      {last?.total === 0 && <EmptyState title={t('debtors.none')}>{t('debtors.noneHint')}</EmptyState>}
      {peers.length > 0 && (
        <PeerSums title={t('debtors.title')} sum={t('debtors.owes')} mark={t('debtors.inReach')}>
          {peers.map(({ peer, owes, inReach }) => (
            <Table.Tr key={peer}>
              <PeerCell id={peer} />
              <SumCell>{format.number(owes)}</SumCell>
              <Table.Td ta="right" pr={0}>
                {inReach !== undefined && <Reach inReach={inReach} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </PeerSums>
      )}
      {debtors.hasNextPage && (
        <ShownSoFar pages={debtors}>
          {t('owing.shown', { shown: format.number(peers.length), total: format.number(last?.total ?? 0) })}
        </ShownSoFar>
      )}
    </Section>
  );
}

function InReach({ credits, of }: { credits: number; of: number }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  return (
    <Text size="sm" c="dimmed">
      {t('debtors.sum', { inReach: format.number(credits), owes: format.number(of) })}
    </Text>
  );
}

function Reach({ inReach }: { inReach: boolean }) {
  const { t } = useTranslation('earnings');
  return (
    <StateChip state={inReach ? 'good' : 'idle'} icon={inReach ? IconCheck : IconPlugConnectedX}>
      {t(inReach ? 'debtors.here' : 'debtors.away')}
    </StateChip>
  );
}
