import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChain } from '../../components/chain/use-chain.ts';
import { usePlace } from '../../components/page/place.ts';
import { AxonPlace } from './axon/AxonPlace.tsx';
import { SubnetList } from './list/SubnetList.tsx';
import { Subnet } from './subnet/Subnet.tsx';
import { useSubnetAddress } from './subnet-address.ts';

/** The subnets of Bittensor: all of them, one with its neurons and rules, and the axon of this computer. */
export function Subnets() {
  const { t } = useTranslation('subnets');
  const place = usePlace('subnets');
  const subnet = useSubnetAddress();
  const chain = useChain();
  if (subnet) return <Subnet key={subnet.netuid} netuid={subnet.netuid} view={subnet.view} chain={chain} />;
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'list' && <SubnetList chain={chain} />}
      {place === 'axon' && <AxonPlace chain={chain} />}
    </>
  );
}
