import { Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useBlocks } from '../use-blocks.ts';
import { incentiveRank } from './neuron-list.ts';
import { useShare } from './use-share.ts';

/** Everything about one neuron: whose it is, what it has and earned, and where it can be reached. */
export function NeuronInspector({ neuron, subnet }: { neuron: NeuronView; subnet: MetagraphView }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const share = useShare();
  const blocks = useBlocks();
  const { uid, hotkey, coldkey, own, axon, validatorPermit, active } = neuron;
  const rank = { rank: format.number(incentiveRank(subnet.rows, neuron)), all: format.number(subnet.rows.length) };
  return (
    <Inspector
      title={own ? `${own.wallet} · ${own.hotkey}` : shortAddress(hotkey)}
      description={
        <>
          {t('neurons.uid', { uid })}
          {(own || validatorPermit) && (
            <Stack component="span" gap={6} mt={6} align="flex-start">
              {own && (
                <StateChip state="good" icon={IconUser}>
                  {t('neurons.yours')}
                </StateChip>
              )}
              {validatorPermit && (
                <StateChip state="wait" icon={IconShieldCheck}>
                  {t('neurons.mayValidate')}
                </StateChip>
              )}
            </Stack>
          )}
        </>
      }
    >
      <Block title={t('neurons.lastEpoch')}>
        <Facts
          facts={[
            [t('neurons.incentive'), share(neuron.incentive)],
            [t('neurons.rank'), neuron.incentive > 0 && t('neurons.rankOf', rank)],
            [t('neurons.dividends'), share(neuron.dividends)],
            [t('neurons.consensus'), share(neuron.consensus)],
            [t('neurons.emission'), <Tao key="emission" rao={neuron.emission} unit="α" />],
          ]}
        />
      </Block>
      <Block>
        <Facts
          facts={[
            [t('neurons.stake'), <Tao key="stake" rao={neuron.stake} unit="α" />],
            [t('neurons.axon'), axon ? placeText(axon) : t('neurons.noAxon')],
            [t('neurons.updated'), blocks.ago(neuron.updatedAgo)],
            [t('neurons.registered'), t('neurons.atBlock', { number: format.number(neuron.registeredAt) })],
            [t('neurons.active'), !active && t('neurons.inactive')],
          ]}
        />
      </Block>
      <Block title={t('neurons.hotkey')}>
        <Text component="div" size="xs">
          <Address address={hotkey} whole />
        </Text>
      </Block>
      <Block title={t('neurons.coldkey')}>
        <Text component="div" size="xs">
          <Address address={coldkey} whole />
        </Text>
      </Block>
    </Inspector>
  );
}
