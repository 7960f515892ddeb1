import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';

/** Asks before a download is given up, for what came so far is deleted. */
export function CancelDownload(props: { download: Download; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['welcome', 'common']);
  const format = useFormat();
  const { opened, onClose, download } = props;
  const cancel = useMutation(api.models.cancel.mutationOptions({ onSuccess: onClose }));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('download.cancelTitle')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
      centered
    >
      <Stack>
        <Text>{t('download.cancelText', { received: format.bytes(download.received) })}</Text>
        <ErrorNote error={cancel.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('download.keep')}
          </Button>
          <Button color="red.9" loading={cancel.isPending} onClick={() => cancel.mutate({ name: download.name })}>
            {t('download.cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
