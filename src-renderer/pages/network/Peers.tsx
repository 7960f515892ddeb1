import { Anchor, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { PeerView } from '../../../src-preload/contract/mesh.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import { BanQuestion } from './BanQuestion.tsx';
import { Pager } from './Pager.tsx';
import { PeerFilter } from './PeerFilter.tsx';
import { PeerTable } from './PeerTable.tsx';
import { choosePeers, EVERYBODY, type PeerOrder, sortPeers } from './peer-list.ts';
import { usePages } from './usePages.ts';

const ROWS = 25;

/** The connected peers: found by role or text, in an order of one's choice, a page at a time. */
export function Peers({ peers }: { peers: PeerView[] }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const [choice, setChoice] = useState(EVERYBODY);
  const [order, setOrder] = useState<PeerOrder>({ key: 'owes', descending: true });
  const [banning, setBanning] = useState<string>();
  const chosen = sortPeers(choosePeers(peers, choice), order);
  const { rows, ...pager } = usePages(chosen, ROWS);
  const fromTheTop =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      pager.setPage(1);
    };
  return (
    <Section title={t('peers.title')} description={t('peers.description')}>
      {peers.length === 0 ? (
        <Alone />
      ) : (
        <>
          <PeerFilter choice={choice} onChange={fromTheTop(setChoice)} />
          <Text size="sm" c="dimmed">
            {t('peers.shown', {
              count: peers.length,
              shown: format.number(chosen.length),
              all: format.number(peers.length),
            })}
          </Text>
          {rows.length === 0 && <EmptyState title={t('peers.noMatch')}>{t('peers.noMatchHint')}</EmptyState>}
          {rows.length > 0 && (
            <PeerTable peers={rows} order={order} onOrder={fromTheTop(setOrder)} onBan={setBanning} />
          )}
          <Pager {...pager} label={t('peers.pages')} />
        </>
      )}
      <BanQuestion id={banning} onClose={() => setBanning(undefined)} />
    </Section>
  );
}

/** What to do while nobody is connected. */
function Alone() {
  const { t } = useTranslation('network');
  const mesh = useNode((node) => node.status?.mesh);
  return (
    <EmptyState title={t('alone.title')}>
      <Stack gap="xs" maw={560} ta="left">
        <Text size="sm">{t('alone.explain')}</Text>
        <List size="sm" type="ordered" spacing={4}>
          <List.Item>{t('alone.wait')}</List.Item>
          <List.Item>{t('alone.reach')}</List.Item>
          <List.Item>{t('alone.mesh', { mesh: mesh ?? '' })}</List.Item>
          <List.Item>
            <Trans
              t={t}
              i18nKey="alone.bootstrap"
              components={{ settings: <Anchor href="#/settings/all" size="sm" underline="always" /> }}
            />
          </List.Item>
        </List>
      </Stack>
    </EmptyState>
  );
}
