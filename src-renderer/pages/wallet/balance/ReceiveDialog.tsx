import { Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Address } from '../../../components/chain/Address.tsx';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import classes from '../wallet.module.css';

/** The address to which others send. */
export function ReceiveDialog({ wallet, address, onClose }: { wallet: string; address: string; onClose: () => void }) {
  const { t } = useTranslation('wallet');
  return (
    <Modal opened onClose={onClose} title={t('receive.title', { wallet })} size={480}>
      <Stack>
        <div className={classes.shownAddress}>
          <Address address={address} whole copy={false} />
        </div>
        <Text size="sm" c="var(--q-ink-2)">
          {t('receive.hint')}
        </Text>
        <Group justify="flex-end">
          <CopyButton text={address} />
        </Group>
      </Stack>
    </Modal>
  );
}
