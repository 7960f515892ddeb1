import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { WeighedView } from '../../../../src-preload/contract/validator.ts';
import { IntervalAxis, IntervalBar } from '../../../components/chart/IntervalBar.tsx';
import { shareAxis } from '../../../components/chart/share-axis.ts';
import { inkOf, type State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../validator.module.css';
import { measured } from './standing.ts';

const INK: Record<'better' | 'even' | 'worse', State> = { better: 'good', even: 'idle', worse: 'pause' };

/** Two miners beside each other in every task: what was measured of each, how sure that is, and which of them is better. */
export function Against({ miner, rival, tasks }: { miner: WeighedView; rival: WeighedView; tasks: readonly string[] }) {
  const format = useFormat();
  const { t } = useTranslation('validator');
  const axis = shareAxis([...miner.samples, ...rival.samples]);
  const is = new Map(miner.rival?.compared.map((one) => [one.environment, one.is]));
  return (
    <>
      {tasks.map((task) => {
        const [own, other] = [measured(miner, task), measured(rival, task)];
        const word = is.get(task);
        const percent = (share: number | undefined) => (share === undefined ? '–' : format.number(share * 100));
        const figures = { task: taskName(task), own: percent(own?.mean), other: percent(other?.mean) };
        return (
          <div key={task} className={classes.against}>
            <div className={classes.againstLine}>
              <b>{taskName(task)}</b>
              <span className={`num ${classes.faint}`}>
                {figures.own} : {figures.other}
              </span>
              {word && own && other && (
                <span data-word style={{ color: inkOf(INK[word]) }}>
                  {t(`why.is.${word}`)}
                </span>
              )}
            </div>
            <IntervalBar
              label={t('why.against', figures)}
              shares={[
                ...(own ? [{ ...own, colour: 'var(--q-c1)' }] : []),
                ...(other ? [{ ...other, colour: 'var(--q-c3)' }] : []),
              ]}
              axis={axis}
            />
          </div>
        );
      })}
      <IntervalAxis axis={axis} say={(share) => format.percent(share)} />
    </>
  );
}
