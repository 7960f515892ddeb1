import { Group } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import type { Verdict } from '../../../../src-preload/contract/focus-score.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import own from '../focus.module.css';
import { Boost } from '../tasks/Boost.tsx';
import { STATE_LOOKS } from './state-looks.ts';

interface RecordingTableProps {
  recordings: readonly Recording[];
  /** What they are worth, by their ids, as far as that has come. */
  verdicts: ReadonlyMap<string, Verdict>;
  /** Of the recording whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Recordings, the newest first: what of, how they stand and why, and what they are worth. Drawn again where these change, and not whenever the page is: that is each second of a recording. */
export const RecordingTable = memo(function RecordingTable(props: RecordingTableProps) {
  const { recordings, verdicts, selected, onSelect } = props;
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.library')}>
        <thead>
          <tr>
            <th scope="col">{t('recording')}</th>
            <th scope="col">{t('state.title')}</th>
            <th scope="col" className={classes.wide}>
              {t('score.why')}
            </th>
            <th scope="col" className={classes.num}>
              {t('score.title')}
            </th>
          </tr>
        </thead>
        <tbody>
          {recordings.map((recording) => {
            const { id, title, startedAt, activeMs, task } = recording;
            const verdict = verdicts.get(id);
            const state = verdict?.state ?? recording.state;
            const { state: look, icon } = STATE_LOOKS[state];
            const score = verdict?.score ?? null;
            const why =
              (verdict && worded(verdict, 'text')) ?? t(state === 'interrupted' ? 'interrupted.one' : 'score.notYet');
            return (
              <PickRow
                key={id}
                name={title}
                below={t('length', { time: format.time(startedAt), length: lengthText(activeMs) })}
                selected={id === selected}
                onSelect={() => onSelect(id)}
              >
                <td>
                  <Group gap={6}>
                    <StateChip state={look} icon={icon}>
                      {t(`state.${state}`)}
                    </StateChip>
                    {task && <Boost multiplier={task.multiplier} />}
                  </Group>
                </td>
                <td className={`${classes.wide} ${own.why}`} title={why}>
                  {why}
                </td>
                <td className={classes.num}>{score === null ? '–' : format.short(score, 2)}</td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
});
