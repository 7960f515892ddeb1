import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainAction } from '../../../../src-preload/contract/chain.ts';
import { CallDialog } from '../../../components/chain/CallDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { useAxon } from '../axon/use-axon.ts';
import { useSubnet } from '../use-subnets.ts';
import { ServeForm } from './ServeForm.tsx';

/** Tells the chain where the axon is: for which hotkey and which address, then the look before it is sent. */
export function ServeDialog({ netuid, onClose }: { netuid: number; onClose: () => void }) {
  const { t } = useTranslation('subnets');
  const { axon, error: axonError } = useAxon();
  const { data: subnet, error } = useSubnet(netuid);
  const [action, setAction] = useState<ChainAction>();
  if (action) return <CallDialog action={action} onBack={() => setAction(undefined)} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={t('serve.title', { netuid })} size={480}>
      <ErrorNote error={error ?? axonError} />
      {axon && subnet ? (
        <ServeForm axon={axon} subnet={subnet} onCheck={setAction} onClose={onClose} />
      ) : (
        !error && !axonError && <TableSkeleton rows={3} />
      )}
    </Modal>
  );
}
