import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import type { MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { AGREEMENT_LOOKS, agreementOf } from '../axon/agreement.ts';
import { useAxon } from '../axon/use-axon.ts';
import { incentiveRank } from '../neurons/neuron-list.ts';
import { useShare } from '../neurons/use-share.ts';
import own from '../subnets.module.css';

interface OwnNeuronsProps {
  subnet: MetagraphView;
  selected: number | undefined;
  onSelect: (uid: number) => void;
}

/** One's own neurons of a subnet: how each ranks, what it earned, and whether others are told of the axon that runs here. */
export function OwnNeurons({ subnet, selected, onSelect }: OwnNeuronsProps) {
  const { t } = useTranslation('subnets');
  const { axon } = useAxon();
  const neurons = subnet.rows.filter((neuron) => neuron.own);
  if (neurons.length === 0) return null;
  return (
    <div className={`${classes.list} ${own.own}`}>
      <Title order={3} className={own.ownTitle}>
        {t('neurons.ownTitle')}
      </Title>
      <table className={classes.table} aria-label={t('neurons.ownTitle')}>
        <thead>
          <tr>
            <th scope="col">{t('neurons.neuron')}</th>
            <th scope="col" className={classes.num}>
              {t('neurons.incentive')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('neurons.emission')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('neurons.axon')}
            </th>
          </tr>
        </thead>
        <tbody>
          {neurons.map((neuron) => (
            <Row
              key={neuron.uid}
              neuron={neuron}
              subnet={subnet}
              axon={axon}
              selected={neuron.uid === selected}
              onSelect={() => onSelect(neuron.uid)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  neuron: NeuronView;
  subnet: MetagraphView;
  /** The one that runs here; undefined as long as nobody knows. */
  axon: AxonState | undefined;
  selected: boolean;
  onSelect: () => void;
}

function Row({ neuron, subnet, axon, selected, onSelect }: RowProps) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const share = useShare();
  const { uid, own: names, incentive, emission } = neuron;
  const rank = { rank: format.number(incentiveRank(subnet.rows, neuron)), all: format.number(subnet.rows.length) };
  return (
    <PickRow
      name={names ? `${names.wallet} · ${names.hotkey}` : ''}
      fit="line"
      below={
        <>
          {t('neurons.uid', { uid })}
          <span className={classes.slim}>
            {' '}
            · <AgreementWords neuron={neuron} axon={axon} />
          </span>
        </>
      }
      selected={selected}
      onSelect={onSelect}
    >
      <td className={`num ${classes.num}`}>
        {share(incentive)}
        <span className={classes.sub}>{incentive > 0 ? t('neurons.rankOf', rank) : t('neurons.noRank')}</span>
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>{format.alpha(emission)} α</td>
      <td className={classes.wide}>
        <AxonAgreement neuron={neuron} axon={axon} />
      </td>
    </PickRow>
  );
}

/** In a few words, where there is no room for more. */
function AgreementWords({ neuron, axon }: Pick<RowProps, 'neuron' | 'axon'>) {
  const { t } = useTranslation('subnets');
  return axon ? t(`agreement.${agreementOf(neuron, axon)}`) : neuron.axon ? placeText(neuron.axon) : '–';
}

function AxonAgreement({ neuron, axon }: Pick<RowProps, 'neuron' | 'axon'>) {
  const { t } = useTranslation('subnets');
  if (!axon) return neuron.axon ? placeText(neuron.axon) : '–';
  const agreement = agreementOf(neuron, axon);
  const { state, icon } = AGREEMENT_LOOKS[agreement];
  return (
    <>
      <StateChip state={state} icon={icon}>
        {t(`agreement.${agreement}`)}
      </StateChip>
      {neuron.axon && <span className={classes.sub}>{placeText(neuron.axon)}</span>}
    </>
  );
}
