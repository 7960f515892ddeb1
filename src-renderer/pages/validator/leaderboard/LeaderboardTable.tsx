import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { WeighedView } from '../../../../src-preload/contract/validator.ts';
import type { AskedMiner } from '../../../../src-preload/contract/validator-run.ts';
import { IntervalAxis, IntervalBar } from '../../../components/chart/IntervalBar.tsx';
import type { ShareAxis } from '../../../components/chart/share-axis.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { minerName, useMinerLine } from '../miner-name.ts';
import classes from '../validator.module.css';
import { measured, type TimeToGo } from './standing.ts';
import { useLacks, useWeightText } from './use-lacks.ts';

/** More have no room beside each other; the inspector has all of them. */
const MOST_COLUMNS = 6;

/** A miner with its place. */
export interface Placed extends WeighedView {
  /** From 1 on; undefined for those that lack results. */
  rank: number | undefined;
}

interface LeaderboardTableProps {
  miners: readonly Placed[];
  tasks: readonly string[];
  /** The task that the bars are of; undefined: all of them. */
  task: string | undefined;
  axis: ShareAxis;
  /** Those that are asked now, by how results name them. */
  asked: ReadonlyMap<string, AskedMiner>;
  timeToGo: (miner: WeighedView) => TimeToGo;
  /** The miner whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (miner: string) => void;
}

/** Who answers best: place, how sure that is, how each does in every task, and its weight. */
export function LeaderboardTable(props: LeaderboardTableProps) {
  const { miners, tasks, axis, selected, onSelect } = props;
  const { t } = useTranslation('validator');
  const format = useFormat();
  const columns = tasks.slice(0, MOST_COLUMNS);
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('place.leaderboard')}>
        <thead>
          <tr>
            <th scope="col" className={classes.rank} aria-label={t('board.rank')}>
              #
            </th>
            <th scope="col">{t('miner')}</th>
            <th scope="col" aria-label={t('board.solved')}>
              <div className={classes.bar}>
                <IntervalAxis axis={axis} say={(share) => format.percent(share)} />
              </div>
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
                {taskName(name)}
              </th>
            ))}
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('board.samples')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t('board.weight')}
            </th>
          </tr>
        </thead>
        <tbody>
          {miners.map((miner) => (
            <Row
              {...props}
              key={miner.miner}
              miner={miner}
              columns={columns}
              isSelected={miner.miner === selected}
              onPick={() => onSelect(miner.miner)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<LeaderboardTableProps, 'task' | 'axis' | 'asked' | 'timeToGo'> {
  miner: Placed;
  columns: readonly string[];
  isSelected: boolean;
  onPick: () => void;
}

function Row({ miner, columns, task, axis, asked, timeToGo, isSelected, onPick }: RowProps) {
  const format = useFormat();
  const lineOf = useMinerLine();
  const { rank, wins, overall, weight, isEligible } = miner;
  const { name, kind } = minerName(miner.miner);
  const weightText = useWeightText();
  const lacks = useLacks();
  const below = lacks(miner, timeToGo(miner), true) ?? lineOf(miner.miner, asked.get(miner.miner));
  return (
    <PickRow
      name={name}
      title={miner.miner}
      fit={kind === 'key' ? 'short' : 'line'}
      wide
      dim={!isEligible}
      below={below}
      selected={isSelected}
      onSelect={onPick}
      before={<td className={`num ${classes.rank}`}>{rank ?? '–'}</td>}
    >
      <td>
        <div className={classes.bar}>
          <Bar miner={miner} task={task} axis={axis} />
        </div>
      </td>
      {columns.map((column) => {
        const sample = measured(miner, column);
        return (
          <td
            key={column}
            className={`num ${tableClasses.num} ${tableClasses.wide} ${wins.includes(column) && sample && sample.mean > 0 ? classes.best : classes.plain}`}
          >
            {sample ? format.number(sample.mean * 100) : '–'}
          </td>
        );
      })}
      <td className={`num ${tableClasses.num} ${tableClasses.wide} ${classes.faint}`}>
        {format.number(overall.count)}
      </td>
      <td className={`num ${tableClasses.num} ${weight > 0 ? classes.best : classes.faint}`}>
        {isEligible || weight > 0 ? weightText(weight) : '–'}
      </td>
    </PickRow>
  );
}

function Bar({ miner, task, axis }: Pick<RowProps, 'miner' | 'task' | 'axis'>) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const measure = measured(miner, task);
  if (!measure) return <span className={classes.faint}>–</span>;
  const { mean, low, high } = measure;
  const figures = { mean: format.percent(mean), low: format.percent(low), high: format.percent(high) };
  const colour = miner.isEligible ? 'var(--q-c1)' : 'var(--q-c6)';
  return <IntervalBar label={t('board.between', figures)} shares={[{ mean, low, high, colour }]} axis={axis} />;
}
