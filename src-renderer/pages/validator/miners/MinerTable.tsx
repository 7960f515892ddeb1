import { useTranslation } from 'react-i18next';
import { MINER_KINDS } from '../../../../src-preload/contract/validator-names.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { minerName, useMinerLine } from '../miner-name.ts';
import { MinerChip } from './MinerChip.tsx';
import type { ListedMiner } from './miner-list.ts';

interface MinerTableProps {
  miners: readonly ListedMiner[];
  /** The miner whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Whom the validator asks, by the way it does, and how that goes since the run began. */
export function MinerTable({ miners, selected, onSelect }: MinerTableProps) {
  const { t } = useTranslation('validator');
  const right = `${classes.num} ${classes.wide}`;
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.miners')}>
        <thead>
          <tr>
            <th scope="col">{t('miner')}</th>
            <th scope="col">{t('miners.state')}</th>
            <th scope="col" className={classes.num}>
              {t('miners.score')}
            </th>
            <th scope="col" className={right}>
              {t('miners.answers')}
            </th>
            <th scope="col" className={right}>
              {t('miners.without')}
            </th>
            <th scope="col" className={right}>
              {t('miners.inFlight')}
            </th>
          </tr>
        </thead>
        {MINER_KINDS.map((kind) => {
          const group = miners.filter((miner) => miner.kind === kind);
          if (group.length === 0) return null;
          return (
            <tbody key={kind}>
              <tr className={classes.group}>
                <th colSpan={6} scope="rowgroup">
                  {t(`miners.group.${kind}`)}
                </th>
              </tr>
              {group.map((miner) => (
                <Row
                  key={miner.id}
                  miner={miner}
                  selected={miner.id === selected}
                  onSelect={() => onSelect(miner.id)}
                />
              ))}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

function Row({ miner, selected, onSelect }: { miner: ListedMiner; selected: boolean; onSelect: () => void }) {
  const format = useFormat();
  const lineOf = useMinerLine();
  const { id, endpoint, asked } = miner;
  const { name, kind } = minerName(id);
  const right = `num ${classes.num} ${classes.wide}`;
  const count = (value: number | undefined) => (value === undefined ? '–' : format.number(value));
  return (
    <PickRow
      name={name}
      title={id}
      fit={kind === 'key' ? 'short' : 'line'}
      below={asked?.model || endpoint?.model || endpoint?.url || lineOf(id, asked)}
      selected={selected}
      onSelect={onSelect}
    >
      <td>
        <MinerChip miner={miner} />
      </td>
      <td className={`num ${classes.num}`}>
        {asked && asked.answered > 0 ? format.percent(asked.score / asked.answered) : '–'}
      </td>
      <td className={right}>{count(asked?.answered)}</td>
      <td className={right}>{count(asked?.failed)}</td>
      <td className={right}>{count(asked?.inFlight)}</td>
    </PickRow>
  );
}
