import { Button, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SubnetView } from '../../../../src-preload/contract/chain.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { pathOfSubnet } from '../subnet-address.ts';
import { useSubnetName } from '../use-subnet-name.ts';

interface SubnetInspectorProps {
  subnet: SubnetView;
  /** Undefined while nothing can be sent. */
  onRegister: (() => void) | undefined;
}

/** A subnet in short, and the ways to see more of it and to take part. */
export function SubnetInspector({ subnet, onRegister }: SubnetInspectorProps) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const nameOf = useSubnetName();
  const { netuid, own, neurons, places, price, registrationCost, registrationOpen } = subnet;
  return (
    <Inspector title={nameOf(subnet)} description={subnet.name && t('number', { netuid })}>
      <Block>
        <Facts
          facts={[
            [t('list.yours'), own > 0 && t('list.ownNeurons', { count: own })],
            [t('price'), price !== null && <Tao key="price" rao={price} unit="TAO" />],
            [t('neurons.title'), t('list.taken', { neurons: format.number(neurons), places: format.number(places) })],
            [t('list.cost'), registrationCost !== null && <Tao key="cost" rao={registrationCost} unit="TAO" />],
            [t('registration.title'), t(registrationOpen ? 'registration.open' : 'registration.closed')],
          ]}
        />
      </Block>
      <Block>
        <Stack gap="xs">
          <Button
            component="a"
            href={`#${pathOfSubnet(netuid)}`}
            rightSection={<IconArrowRight size={15} stroke={1.6} aria-hidden />}
          >
            {t('list.open')}
          </Button>
          <Button variant="default" disabled={!registrationOpen || !onRegister} onClick={onRegister}>
            {t('register.open')}
          </Button>
        </Stack>
        {neurons >= places && registrationOpen && (
          <Text size="xs" c="var(--q-ink-3)" mt={8}>
            {t('registration.full')}
          </Text>
        )}
      </Block>
    </Inspector>
  );
}
