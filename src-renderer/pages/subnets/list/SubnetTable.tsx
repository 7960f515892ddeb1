import { useTranslation } from 'react-i18next';
import type { SubnetView } from '../../../../src-preload/contract/chain.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { SortHeader } from '../../../components/page/SortHeader.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { useSubnetName } from '../use-subnet-name.ts';
import type { SubnetOrder } from './subnet-list.ts';

interface SubnetTableProps {
  /** Own ones first. */
  subnets: readonly SubnetView[];
  order: SubnetOrder;
  onOrder: (order: SubnetOrder) => void;
  /** Number of the subnet whose details stand beside the list. */
  selected: number | undefined;
  onSelect: (netuid: number) => void;
}

/** A page of subnets, those with neurons of one's own as a group of their own. */
export function SubnetTable({ subnets, order, onOrder, selected, onSelect }: SubnetTableProps) {
  const { t } = useTranslation('subnets');
  const sorting = { order, onOrder };
  const groups = { own: subnets.filter(({ own }) => own > 0), others: subnets.filter(({ own }) => own === 0) };
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('title')}>
        <thead>
          <tr>
            <SortHeader label={t('list.subnet')} sortKey="netuid" startsHigh={false} {...sorting} />
            <SortHeader label={t('price')} title={t('priceMeans')} sortKey="price" right {...sorting} />
            <SortHeader label={t('neurons.title')} sortKey="neurons" right wide {...sorting} />
            <SortHeader
              label={t('list.cost')}
              title={t('list.costMeans')}
              sortKey="registrationCost"
              right
              {...sorting}
            />
          </tr>
        </thead>
        {(['own', 'others'] as const).map(
          (group) =>
            groups[group].length > 0 && (
              <tbody key={group}>
                {groups.own.length > 0 && (
                  <tr className={classes.group}>
                    <th colSpan={4} scope="rowgroup">
                      {t(`list.${group}`)}
                    </th>
                  </tr>
                )}
                {groups[group].map((subnet) => (
                  <Row
                    key={subnet.netuid}
                    subnet={subnet}
                    selected={subnet.netuid === selected}
                    onSelect={() => onSelect(subnet.netuid)}
                  />
                ))}
              </tbody>
            ),
        )}
      </table>
    </div>
  );
}

function Row({ subnet, selected, onSelect }: { subnet: SubnetView; selected: boolean; onSelect: () => void }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const nameOf = useSubnetName();
  const { netuid, own, neurons, places, price, registrationCost, registrationOpen } = subnet;
  const below = [subnet.name && t('number', { netuid }), own > 0 && t('list.ownNeurons', { count: own })]
    .filter(Boolean)
    .join(' · ');
  const cost = registrationCost === null ? '–' : format.tao(registrationCost);
  return (
    <PickRow name={nameOf(subnet)} fit="line" below={below} selected={selected} onSelect={onSelect}>
      <td className={`num ${classes.num}`}>{price === null ? '–' : format.tao(price)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>
        {format.number(neurons)} / {format.number(places)}
      </td>
      <td className={`num ${classes.num}`}>
        {registrationOpen ? cost : <span className={classes.beside}>{t('closed')}</span>}
      </td>
    </PickRow>
  );
}
