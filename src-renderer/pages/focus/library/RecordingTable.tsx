import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Recording, RecordingState } from '../../../../src-preload/contract/focus.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { Boost } from '../tasks/Boost.tsx';

const LOOKS: Record<RecordingState, State> = { recording: 'error', interrupted: 'pause', draft: 'idle' };

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
          {recordings.map(({ id, title, state, startedAt, activeMs, bytes, task }) => (
            <PickRow
              key={id}
              name={title}
              below={format.time(startedAt)}
              selected={id === selected}
              onSelect={() => onSelect(id)}
            >
              <td>
                <Group gap={6}>
                  <StateChip state={LOOKS[state]}>{t(`state.${state}`)}</StateChip>
                  {task && <Boost multiplier={task.multiplier} />}
                </Group>
              </td>
              <td className={classes.num}>{lengthText(activeMs)}</td>
              <td className={`${classes.num} ${classes.wide}`}>{format.bytes(bytes)}</td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}
