import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { refreshModels } from '../../../state/refresh-models.ts';

/** Asks before a model is deleted, and says what that means. */
export function RemoveModel({ model, title, onClose }: { model: LocalModel; title: string; onClose: () => void }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const remove = useMutation(
    api.models.remove.mutationOptions({
      onSuccess: (removed) => {
        notifications.show({ message: worded(removed, 'message') });
        onClose();
        void refreshModels();
      },
    }),
  );
  const { name, frees, place, origin, selected } = model;
  const stays = place === 'linked' || place === 'outside' ? place : undefined;
  return (
    <ConfirmDialog
      opened
      title={t('remove.title', { name: title })}
      action={t('remove.do')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ name })}
      onClose={onClose}
    >
      <Text size="sm">{stays ? t(`remove.${stays}`) : t('remove.what', { size: format.bytes(frees) })}</Text>
      {!stays && <Text size="sm">{t(origin === 'downloaded' ? 'remove.again' : 'remove.own')}</Text>}
      {selected && <Text size="sm">{t('remove.chosen')}</Text>}
    </ConfirmDialog>
  );
}
