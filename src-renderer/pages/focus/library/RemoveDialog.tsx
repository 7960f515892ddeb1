import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** Asks before a recording is deleted. @param recording undefined while none is to be */
export function RemoveDialog({ recording, onClose }: { recording: Recording | undefined; onClose: () => void }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const queries = useQueryClient();
  const remove = useMutation(
    api.focus.remove.mutationOptions({
      onSuccess: async () => {
        onClose();
        await queries.invalidateQueries({ queryKey: api.focus.list.key() });
      },
    }),
  );
  return (
    <ConfirmDialog
      opened={recording !== undefined}
      title={t('remove.title')}
      action={t('remove.action')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => recording && remove.mutate({ ids: [recording.id] })}
      onClose={onClose}
    >
      {t('remove.what', { title: recording?.title, size: format.bytes(recording?.bytes ?? 0) })}
    </ConfirmDialog>
  );
}
