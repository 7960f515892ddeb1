import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainAction } from '../../../../src-preload/contract/chain.ts';
import { CallDialog } from '../../../components/chain/CallDialog.tsx';
import { pathOfSubnet } from '../subnet-address.ts';
import { RegisterForm } from './RegisterForm.tsx';

interface RegisterDialogProps {
  netuid: number;
  onClose: () => void;
  /** What comes next, once it is registered; absent where it is on another page. */
  onServe?: () => void;
}

/** Takes a place on a subnet: which hotkey and for how much at most, then the look before it is sent, then what comes next. */
export function RegisterDialog({ netuid, onClose, onServe }: RegisterDialogProps) {
  const { t } = useTranslation('subnets');
  const [action, setAction] = useState<ChainAction>();
  if (action) {
    return (
      <CallDialog action={action} onBack={() => setAction(undefined)} onClose={onClose}>
        <Text size="sm">{t('register.next')}</Text>
        {onServe ? (
          <Button onClick={onServe}>{t('serve.open')}</Button>
        ) : (
          <Button component="a" href={`#${pathOfSubnet(netuid)}`} onClick={onClose}>
            {t('list.open')}
          </Button>
        )}
      </CallDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title={t('register.title', { netuid })} size={480}>
      <RegisterForm netuid={netuid} onCheck={setAction} onClose={onClose} />
    </Modal>
  );
}
