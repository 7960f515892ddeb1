import { Button, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import type { PeersView, PeerView } from '../../../../src-preload/contract/mesh.ts';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { Tier } from '../../../components/Tier.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { knownText } from '../../../i18n/known-text.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { worded } from '../../../i18n/worded.ts';
import { CopyId } from '../CopyId.tsx';
import { Load } from './Load.tsx';
import { isMiner } from './peer-list.ts';
import { useRoleName } from './use-role-name.ts';

interface PeerInspectorProps {
  peer: PeerView;
  /** Its score was found false. */
  mark: PeersView['marks'][number] | undefined;
  onBan: () => void;
}

/** Everything about one peer: what it is, how it fares, what lies between it and this node, and the way to keep it out. */
export function PeerInspector({ peer, mark, onBan }: PeerInspectorProps) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const roleName = useRoleName();
  const { id, owes, owed, models } = peer;
  const loads = new Map(peer.toLoad?.map(({ name, ms }) => [name, ms]));
  return (
    <Inspector
      title={shortId(id)}
      description={
        <>
          {roleName(peer)} {isMiner(peer) && <Ready ready={peer.ready} />}
        </>
      }
    >
      {mark && <Mark mark={mark} />}
      <Block>
        <PeerFacts peer={peer} />
      </Block>
      <Block title={t('network:peers.between')}>
        <Facts
          facts={[
            [t('network:peers.owes'), format.number(owes)],
            [t('network:peers.owed'), format.number(owed)],
          ]}
        />
      </Block>
      {models.length > 0 && (
        <Block title={t('network:peers.models')}>
          <List size="sm" listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
            {models.map((model) => (
              <List.Item key={model} title={model}>
                {modelTitle(model).title}
                {loads.has(model) && (
                  <Text span size="sm" c="var(--q-ink-2)">
                    {` · ${t('network:peers.loadsIn', { time: format.duration(loads.get(model) ?? 0) })}`}
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
          {peer.unverified && (
            <Text size="sm" c="var(--q-ink-2)" mt={8}>
              {t('network:peers.unverified')}
            </Text>
          )}
        </Block>
      )}
      <Block title={t('network:peers.id')}>
        <Text size="xs" ff="monospace" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
          {id}
          <CopyId id={id} />
        </Text>
        <Button
          mt={16}
          fullWidth
          variant="default"
          c="var(--q-error)"
          leftSection={<IconBan size={15} stroke={1.6} aria-hidden />}
          onClick={onBan}
        >
          {t('network:peers.ban', { id: shortId(id) })}
        </Button>
      </Block>
    </Inspector>
  );
}

function PeerFacts({ peer }: { peer: PeerView }) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const { tier, points, health, queue, rttMs } = peer;
  return (
    <Facts
      facts={[
        [t('network:peers.tier'), <Tier key="tier" tier={tier} size={15} />],
        [t('network:peers.points'), points > 0 && format.number(points)],
        [t('network:peers.load'), health !== undefined && <Load key="load" peer={peer} />],
        [t('network:peers.queue'), queue !== undefined && format.number(queue)],
        [t('network:peers.latency'), rttMs !== undefined && format.duration(Math.round(rttMs))],
      ]}
    />
  );
}

function Ready({ ready }: { ready: boolean }) {
  const { t } = useTranslation('network');
  return (
    <StateChip state={ready ? 'good' : 'idle'} icon={ready ? IconCheck : IconClock}>
      {t(ready ? 'peers.isReady' : 'peers.notReady')}
    </StateChip>
  );
}

function Mark({ mark }: { mark: PeersView['marks'][number] }) {
  const { t } = useTranslation('network');
  return (
    <Note
      state="pause"
      icon={IconAlertTriangle}
      spaced
      title={knownText(t('falsehood', { returnObjects: true }) as Record<string, string>, mark.reason)}
    >
      {worded(mark, 'detail')}
    </Note>
  );
}
