import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import type { PeerView } from '../../../../src-preload/contract/mesh.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { SortHeader } from '../../../components/page/SortHeader.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { Load } from './Load.tsx';
import type { PeerOrder } from './peer-list.ts';
import { useRoleName } from './use-role-name.ts';

interface PeerTableProps {
  peers: readonly PeerView[];
  order: PeerOrder;
  onOrder: (order: PeerOrder) => void;
  /** Id of the peer whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** A page of peers: who owes whom, how busy each is, and how far away. */
export function PeerTable({ peers, order, onOrder, selected, onSelect }: PeerTableProps) {
  const { t } = useTranslation('network');
  const sorting = { order, onOrder };
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('peers.title')}>
        <thead>
          <tr>
            <th scope="col">{t('peers.node')}</th>
            <SortHeader label={t('peers.load')} sortKey="health" inverse wide {...sorting} />
            <SortHeader label={t('peers.queue')} sortKey="queue" startsHigh={false} right wide {...sorting} />
            <SortHeader label={t('peers.latency')} sortKey="rttMs" startsHigh={false} right wide {...sorting} />
            <SortHeader label={t('peers.owes')} sortKey="owes" right {...sorting} />
            <SortHeader label={t('peers.owed')} sortKey="owed" right {...sorting} />
          </tr>
        </thead>
        <tbody>
          {peers.map((peer) => (
            <Row key={peer.id} peer={peer} selected={peer.id === selected} onSelect={() => onSelect(peer.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ peer, selected, onSelect }: { peer: PeerView; selected: boolean; onSelect: () => void }) {
  const format = useFormat();
  const roleName = useRoleName();
  const { id, owes, owed, queue, rttMs } = peer;
  return (
    <PickRow name={shortId(id)} title={id} fit="id" below={roleName(peer)} selected={selected} onSelect={onSelect}>
      <td className={`${classes.memory} ${classes.wide}`}>
        <Load peer={peer} />
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>{queue === undefined ? '–' : format.number(queue)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>
        {rttMs === undefined ? '–' : format.duration(Math.round(rttMs))}
      </td>
      <td className={`num ${classes.num}`}>{format.number(owes)}</td>
      <td className={`num ${classes.num}`}>{format.number(owed)}</td>
    </PickRow>
  );
}
