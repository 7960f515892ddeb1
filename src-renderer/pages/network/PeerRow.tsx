import { ActionIcon, Table, Text, Tooltip } from '@mantine/core';
import { IconBan, IconCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../src-preload/contract/limits.ts';
import type { PeerView } from '../../../src-preload/contract/mesh.ts';
import { StateChip } from '../../components/StateChip.tsx';
import { useFormat } from '../../i18n/format.ts';
import { knownText } from '../../i18n/known-text.ts';
import { NodeId } from './NodeId.tsx';
import { PeerHealthCell } from './PeerHealthCell.tsx';
import { isMiner } from './peer-list.ts';

/** One peer: what it is, how it fares, and the way to keep it out. */
export function PeerRow({ peer, onBan }: { peer: PeerView; onBan: (id: string) => void }) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const { id, rttMs, queue } = peer;
  const banLabel = t('network:peers.ban', { id: shortId(id) });
  return (
    <Table.Tr>
      <Table.Td>
        <NodeId id={id} />
        <Presents peer={peer} />
      </Table.Td>
      <Credits value={peer.owes} />
      <Credits value={peer.owed} />
      <Table.Td>
        <PeerHealthCell peer={peer} />
      </Table.Td>
      <Table.Td>{rttMs === undefined ? <Unknown /> : format.duration(Math.round(rttMs))}</Table.Td>
      <Table.Td maw={160}>
        <Models names={peer.models} />
      </Table.Td>
      <Table.Td>{queue === undefined ? <Unknown /> : format.number(queue)}</Table.Td>
      <Table.Td>{isMiner(peer) ? <Ready ready={peer.ready} /> : <Unknown />}</Table.Td>
      <Table.Td ta="right">
        <Tooltip label={banLabel}>
          <ActionIcon variant="subtle" color="red" aria-label={banLabel} onClick={() => onBan(id)}>
            <IconBan size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}

/** As what it presents itself, and its tier, which is for show. Miners may ask too; that goes without saying. */
function Presents({ peer }: { peer: PeerView }) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const { points, tier } = peer;
  const client = peer.sides.includes('client') ? 'common:role.client' : 'common:none';
  const role = t(isMiner(peer) ? 'common:role.miner' : peer.validator ? 'common:role.validator' : client);
  const names = t('common:tier', { returnObjects: true }) as Record<string, string>;
  return (
    <Tooltip label={t('common:points', { count: points, formatted: format.number(points) })}>
      <Text size="xs" c="dimmed" w="max-content">
        {points > 0 ? t('network:peers.presents', { role, tier: knownText(names, tier) }) : role}
      </Text>
    </Tooltip>
  );
}

function Credits({ value }: { value: number }) {
  const format = useFormat();
  return <Table.Td c={value === 0 ? 'dimmed' : undefined}>{format.number(value)}</Table.Td>;
}

function Models({ names }: { names: string[] }) {
  const [first, ...others] = names;
  if (!first) return <Unknown />;
  return (
    <Tooltip label={names.join('\n')} multiline style={{ whiteSpace: 'pre-line' }}>
      <Text size="sm" truncate>
        {others.length > 0 ? `+${others.length} · ${first}` : first}
      </Text>
    </Tooltip>
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

function Unknown() {
  return (
    <Text component="span" size="sm" c="dimmed">
      –
    </Text>
  );
}
