import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetagraphView } from '../../../../src-preload/contract/chain.ts';
import { RegisterDialog } from '../calls/RegisterDialog.tsx';
import { ServeDialog } from '../calls/ServeDialog.tsx';

/** To take part in a subnet, and to tell others where one's axon is. @param able the chain can be reached */
export function SubnetActions({ subnet, able }: { subnet: MetagraphView; able: boolean }) {
  const { t } = useTranslation('subnets');
  const [dialog, setDialog] = useState<'register' | 'serve'>();
  const isIn = subnet.rows.some(({ own }) => own);
  const close = () => setDialog(undefined);
  return (
    <>
      <Group gap="xs">
        {isIn && (
          <Button disabled={!able} onClick={() => setDialog('serve')}>
            {t('serve.open')}
          </Button>
        )}
        <Button
          variant={isIn ? 'default' : 'filled'}
          disabled={!able || !subnet.registrationOpen}
          onClick={() => setDialog('register')}
        >
          {t('register.open')}
        </Button>
      </Group>
      {dialog === 'register' && (
        <RegisterDialog netuid={subnet.netuid} onClose={close} onServe={() => setDialog('serve')} />
      )}
      {dialog === 'serve' && <ServeDialog netuid={subnet.netuid} onClose={close} />}
    </>
  );
}
