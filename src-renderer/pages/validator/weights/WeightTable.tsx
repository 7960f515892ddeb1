import { useTranslation } from 'react-i18next';
import type { WeighedView } from '../../../../src-preload/contract/validator.ts';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { minerName } from '../miner-name.ts';
import classes from '../validator.module.css';

interface WeightTableProps {
  miners: readonly WeighedView[];
  tasks: readonly string[];
  /** The share that goes to nobody, 0 to 1. */
  burn: number;
}

/** What each miner won with sets of one task, two and so on, and its weight out of that. */
export function WeightTable({ miners, tasks, burn }: WeightTableProps) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const sizes = tasks.map((_, at) => at + 1);
  return (
    <div className={`${tableClasses.list} ${tableClasses.bleed}`}>
      <table className={`${tableClasses.table} ${classes.weights}`} aria-label={t('weights.title')}>
        <thead>
          <tr>
            <th scope="col">{t('miner')}</th>
            {sizes.map((size) => (
              <th key={size} scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
                {t('weights.size', { count: size })}
              </th>
            ))}
            <th scope="col" className={tableClasses.num}>
              {t('board.weight')}
            </th>
          </tr>
        </thead>
        <tbody>
          {miners.map((miner) => (
            <Row key={miner.miner} miner={miner} sizes={sizes} />
          ))}
          {burn > 0 && (
            <tr>
              <th scope="row" className={classes.plain}>
                {t('weights.nobody')}
              </th>
              {sizes.map((size) => (
                <td key={size} className={tableClasses.wide} />
              ))}
              <td className={`num ${tableClasses.num} ${classes.best}`}>{format.percent(burn, 2)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  miner: { miner, points, weight, isEligible },
  sizes,
}: {
  miner: WeighedView;
  sizes: readonly number[];
}) {
  const format = useFormat();
  const { name, kind } = minerName(miner);
  return (
    <tr className={tableClasses.row} data-dim={!isEligible || undefined}>
      <th scope="row" title={miner}>
        <span
          className={tableClasses.name}
          style={{ fontFamily: kind === 'key' ? 'var(--mantine-font-family-monospace)' : undefined }}
        >
          {name}
        </span>
      </th>
      {sizes.map((size) => {
        const won = points[size - 1] ?? 0;
        return (
          <td key={size} className={`num ${tableClasses.num} ${tableClasses.wide} ${won > 0 ? '' : classes.faint}`}>
            {format.number(won, 2)}
          </td>
        );
      })}
      <td className={`num ${tableClasses.num} ${weight > 0 ? classes.best : classes.faint}`}>
        {isEligible || weight > 0 ? format.percent(weight, 2) : '–'}
      </td>
    </tr>
  );
}
