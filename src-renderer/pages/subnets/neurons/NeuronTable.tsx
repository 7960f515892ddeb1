import { Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { SortHeader } from '../../../components/page/SortHeader.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { useBlocks } from '../use-blocks.ts';
import type { NeuronOrder } from './neuron-list.ts';
import { useShare } from './use-share.ts';

interface NeuronTableProps {
  neurons: readonly NeuronView[];
  order: NeuronOrder;
  onOrder: (order: NeuronOrder) => void;
  /** Number of the neuron whose details stand beside the list. */
  selected: number | undefined;
  onSelect: (uid: number) => void;
}

/** A page of neurons: who each is, what it has, and what it earned in the last epoch. */
export function NeuronTable({ neurons, order, onOrder, selected, onSelect }: NeuronTableProps) {
  const { t } = useTranslation('subnets');
  const sorting = { order, onOrder };
  const head = (key: 'stake' | 'dividends' | 'consensus') => (
    <SortHeader label={t(`neurons.${key}`)} title={t(`neurons.means.${key}`)} sortKey={key} right wide {...sorting} />
  );
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('neurons.title')}>
        <thead>
          <tr>
            <SortHeader label={t('neurons.neuron')} sortKey="uid" startsHigh={false} {...sorting} />
            {head('stake')}
            <SortHeader
              label={t('neurons.incentive')}
              title={t('neurons.means.incentive')}
              sortKey="incentive"
              right
              {...sorting}
            />
            {head('dividends')}
            {head('consensus')}
            <SortHeader
              label={t('neurons.emission')}
              title={t('neurons.means.emission')}
              sortKey="emission"
              right
              {...sorting}
            />
            <SortHeader
              label={t('neurons.updated')}
              title={t('neurons.means.updated')}
              sortKey="updatedAgo"
              startsHigh={false}
              right
              wide
              {...sorting}
            />
          </tr>
        </thead>
        <tbody>
          {neurons.map((neuron) => (
            <Row
              key={neuron.uid}
              neuron={neuron}
              selected={neuron.uid === selected}
              onSelect={() => onSelect(neuron.uid)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ neuron, selected, onSelect }: { neuron: NeuronView; selected: boolean; onSelect: () => void }) {
  const format = useFormat();
  const share = useShare();
  const blocks = useBlocks();
  const { hotkey, own, stake, incentive, dividends, consensus, emission, updatedAgo, active } = neuron;
  return (
    <PickRow
      name={own ? `${own.wallet} · ${own.hotkey}` : shortAddress(hotkey)}
      title={hotkey}
      fit={own ? 'line' : 'short'}
      wide
      below={<Below neuron={neuron} />}
      selected={selected}
      onSelect={onSelect}
      dim={!active}
    >
      <td className={`num ${classes.num} ${classes.wide}`}>{format.alpha(stake)}</td>
      <td className={`num ${classes.num}`}>{share(incentive)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{share(dividends)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{share(consensus)}</td>
      <td className={`num ${classes.num}`}>{format.alpha(emission)}</td>
      <td className={`num ${classes.num} ${classes.wide}`} title={blocks.ago(updatedAgo)}>
        {format.number(updatedAgo)}
      </td>
    </PickRow>
  );
}

/** The second line: its number, whose it is, whether it may validate, where it can be reached. */
function Below({ neuron: { uid, own, validatorPermit, axon } }: { neuron: NeuronView }) {
  const { t } = useTranslation('subnets');
  return (
    <>
      {t('neurons.uid', { uid })}
      {own && (
        <Text span inherit c="var(--q-mining)" fw={550}>
          {' '}
          · {t('neurons.yours')}
        </Text>
      )}
      {validatorPermit && (
        <>
          {' · '}
          <IconShieldCheck size={12} stroke={1.8} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
          {t('neurons.validator')}
        </>
      )}
      {axon && <> · {placeText(axon)}</>}
    </>
  );
}
