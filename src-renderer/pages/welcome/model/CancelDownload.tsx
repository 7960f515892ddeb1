import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useFormat } from '../../../i18n/format.ts';

interface CancelDownloadProps {
  download: Download;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a download is given up, for what came so far is deleted. */
export function CancelDownload({ download: { name, received }, opened, onClose }: CancelDownloadProps) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const cancel = useMutation(api.models.cancel.mutationOptions({ onSuccess: onClose }));
  return (
    <ConfirmDialog
      opened={opened}
      title={t('download.cancelTitle')}
      action={t('download.cancel')}
      keep={t('download.keep')}
      pending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ name })}
      onClose={onClose}
    >
      {t('download.cancelText', { received: format.bytes(received) })}
    </ConfirmDialog>
  );
}
