import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PeersView } from '../../../../src-preload/contract/mesh.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { useFormat } from '../../../i18n/format.ts';
import { Alone } from './Alone.tsx';
import { BanQuestion } from './BanQuestion.tsx';
import { NetworkFigures } from './NetworkFigures.tsx';
import { PeerFilter } from './PeerFilter.tsx';
import { PeerInspector } from './PeerInspector.tsx';
import { PeerTable } from './PeerTable.tsx';
import { choosePeers, EVERYBODY, type PeerOrder, sortPeers } from './peer-list.ts';

const ROWS = 25;

/** The connected peers, found by role or text, in an order of one's choice, a page at a time, with the details of one. */
export function Peers({ view }: { view: PeersView | undefined }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const [choice, setChoice] = useState(EVERYBODY);
  const [order, setOrder] = useState<PeerOrder>({ key: 'owes', descending: true });
  const [selected, setSelected] = useState<string>();
  const [banning, setBanning] = useState<string>();
  const peers = view?.peers ?? [];
  const chosen = sortPeers(choosePeers(peers, choice), order);
  const { rows, ...pager } = usePages(chosen, ROWS);
  const fromTheTop =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      pager.setPage(1);
    };
  return (
    <>
      <ListAndDetails
        title={t('peers.node')}
        rows={rows}
        keyOf={(peer) => peer.id}
        selected={selected}
        onSelect={setSelected}
        details={(peer) => (
          <PeerInspector
            peer={peer}
            mark={view?.marks.find(({ id }) => id === peer.id)}
            onBan={() => setBanning(peer.id)}
          />
        )}
      >
        {(shown, select) => (
          <>
            <NetworkFigures view={view} />
            {!view && <TableSkeleton rows={5} />}
            {view && peers.length === 0 && (
              <Box className={classes.pad}>
                <Alone />
              </Box>
            )}
            {peers.length > 0 && (
              <>
                <PeerFilter choice={choice} onChange={fromTheTop(setChoice)}>
                  {t('peers.shown', {
                    count: peers.length,
                    shown: format.number(chosen.length),
                    all: format.number(peers.length),
                  })}
                </PeerFilter>
                {rows.length > 0 && (
                  <PeerTable
                    peers={rows}
                    order={order}
                    onOrder={fromTheTop(setOrder)}
                    selected={shown}
                    onSelect={select}
                  />
                )}
                <Box className={classes.pad}>
                  {rows.length === 0 && <EmptyState title={t('peers.noMatch')}>{t('peers.noMatchHint')}</EmptyState>}
                  <Pager {...pager} label={t('peers.pages')} />
                  <Text size="xs" c="dimmed" maw={640}>
                    {t('peers.description')}
                  </Text>
                </Box>
              </>
            )}
          </>
        )}
      </ListAndDetails>
      <BanQuestion id={banning} onClose={() => setBanning(undefined)} />
    </>
  );
}
