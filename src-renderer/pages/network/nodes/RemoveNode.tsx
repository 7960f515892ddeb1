import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';

/** Asks before a pairing ends, and says what that means at both nodes. */
export function RemoveNode({ node: { id, name }, onClose }: { node: FleetNode; onClose: () => void }) {
  const { t } = useTranslation('network');
  const remove = useMutation(
    api.fleet.remove.mutationOptions({
      onSuccess() {
        notifications.show({ message: t('mine.removing.done', { name }) });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      title={t('mine.removing.title', { name })}
      action={t('mine.removing.do')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <Text size="sm">{t('mine.removing.what', { name })}</Text>
      <Text size="sm">{t('mine.removing.again')}</Text>
    </ConfirmDialog>
  );
}
