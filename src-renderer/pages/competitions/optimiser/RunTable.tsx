import { useTranslation } from 'react-i18next';
import type { OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { RUN_LOOKS } from './run-looks.ts';
import { useSpeed } from './use-speed.ts';

interface RunTableProps {
  runs: readonly OptimiserRun[];
  /** Its id. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Searches, each by who writes. */
export function RunTable({ runs, selected, onSelect }: RunTableProps) {
  const { t } = useTranslation('optimiser');
  const format = useFormat();
  const { times } = useSpeed();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('competitions:place.optimiser')}>
        <thead>
          <tr>
            <th scope="col">{t('run.model')}</th>
            <th scope="col" className={classes.wide}>
              {t('run.ideas')}
            </th>
            <th scope="col">{t('run.best')}</th>
            <th scope="col">{t('run.state')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const { state, icon } = RUN_LOOKS[run.state];
            return (
              <PickRow
                key={run.id}
                name={run.model ?? t('run.noModel')}
                below={format.time(run.createdAt)}
                selected={run.id === selected}
                onSelect={() => onSelect(run.id)}
              >
                <td className={classes.wide}>
                  {t('run.doneOf', {
                    done: format.number(run.iterations),
                    all: format.number(run.plan.iterations),
                  })}
                </td>
                <td>{run.best ? times(run.best.ratio) : '–'}</td>
                <td>
                  <StateChip state={state} icon={icon}>
                    {t(`state.${run.state}`)}
                  </StateChip>
                </td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
