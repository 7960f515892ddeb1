import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { refreshLearning } from '../use-learning.ts';
import { versionName } from './version-name.ts';

/** Asks before a version is deleted. @param version undefined while none is to be */
export function RemoveDialog({ version, onClose }: { version: AdapterVersion | undefined; onClose: () => void }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const remove = useMutation(api.learning.remove.mutationOptions({ onSuccess: onClose, onSettled: refreshLearning }));
  const inUse = version?.inUse ?? false;
  return (
    <ConfirmDialog
      opened={version !== undefined}
      title={t('remove.title')}
      action={t('remove.do')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => version && remove.mutate({ version: version.id, evenInUse: inUse })}
      onClose={onClose}
    >
      {t(inUse ? 'remove.whatInUse' : 'remove.what', {
        name: version && versionName(version),
        size: format.bytes(version?.bytes ?? 0),
      })}
    </ConfirmDialog>
  );
}
