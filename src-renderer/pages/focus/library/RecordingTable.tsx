import { useTranslation } from 'react-i18next';
import type { Recording, RecordingState } from '../../../../src-preload/contract/focus.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { clockText } from '../clock-text.ts';

const LOOKS: Record<RecordingState, State> = {
  recording: 'error',
  interrupted: 'pause',
  draft: 'idle',
  scoring: 'wait',
  waiting: 'wait',
  ready: 'good',
  rejected: 'error',
  offered: 'good',
  sold: 'earned',
};

interface RecordingTableProps {
  recordings: readonly Recording[];
  /** Of the recording whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Recordings, the newest first: what of, how they stand, how long and how large they are. */
export function RecordingTable({ recordings, selected, onSelect }: RecordingTableProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.library')}>
        <thead>
          <tr>
            <th scope="col">{t('recording')}</th>
            <th scope="col">{t('state.title')}</th>
            <th scope="col" className={classes.num}>
              {t('time')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('size')}
            </th>
          </tr>
        </thead>
        <tbody>
          {recordings.map(({ id, title, state, startedAt, activeMs, bytes }) => (
            <PickRow
              key={id}
              name={title}
              below={format.time(startedAt)}
              selected={id === selected}
              onSelect={() => onSelect(id)}
            >
              <td>
                <StateChip state={LOOKS[state]}>{t(`state.${state}`)}</StateChip>
              </td>
              <td className={classes.num}>{clockText(activeMs)}</td>
              <td className={`${classes.num} ${classes.wide}`}>{format.bytes(bytes)}</td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}
