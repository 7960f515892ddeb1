import { useTranslation } from 'react-i18next';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import own from '../learning.module.css';
import { useSentence } from '../Quotes.tsx';
import { RUN_LOOKS } from './run-looks.ts';

interface RunTableProps {
  runs: readonly LearningRunView[];
  /** Of the run whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Runs, the newest first: from what they learnt, what came of it and why, and how long it took. */
export function RunTable({ runs, selected, onSelect }: RunTableProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const sentence = useSentence();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.history')}>
        <thead>
          <tr>
            <th scope="col">{t('history.from')}</th>
            <th scope="col">{t('history.state')}</th>
            <th scope="col" className={classes.wide}>
              {t('history.why')}
            </th>
            <th scope="col" className={classes.num}>
              {t('report.time')}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const { state, icon } = RUN_LOOKS[run.state];
            const [first] = run.feedback;
            const [reason] = run.reasons;
            const why = reason ? worded(reason, 'text') : run.error ? worded(run.error, 'message') : '';
            const more = run.feedback.length - 1;
            const beside = more > 0 && t('history.more', { count: more, formatted: format.number(more) });
            return (
              <PickRow
                key={run.id}
                name={first ? sentence(first) : t('history.nothing')}
                below={[format.time(run.startedAt ?? run.createdAt), beside].filter(Boolean).join(' · ')}
                fit="line"
                selected={run.id === selected}
                onSelect={() => onSelect(run.id)}
              >
                <td>
                  <StateChip state={state} icon={icon}>
                    {t(`state.${run.state}`)}
                  </StateChip>
                </td>
                <td className={`${classes.wide} ${own.why}`} title={why}>
                  {why}
                </td>
                <td className={`${classes.num} ${own.time}`}>
                  {run.seconds > 0 && format.duration(run.seconds * 1_000)}
                </td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
