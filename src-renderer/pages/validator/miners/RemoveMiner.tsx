import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { refreshMiners } from './refresh-miners.ts';

/** Asks before a miner is asked no more; its results stay. */
export function RemoveMiner({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation('validator');
  const remove = useMutation(
    api.validator.removeMiner.mutationOptions({
      async onSuccess() {
        await refreshMiners();
        notifications.show({ message: t('miners.removed', { name }) });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      title={t('miners.removing', { name })}
      action={t('miners.removeDo')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ name })}
      onClose={onClose}
    >
      {t('miners.removingWhat')}
    </ConfirmDialog>
  );
}
