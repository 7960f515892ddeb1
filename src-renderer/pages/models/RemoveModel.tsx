import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { refreshModels } from './refresh-models.ts';

/** Asks before a model is deleted, and says what that means. */
export function RemoveModel({ model, onClose }: { model: LocalModel; onClose: () => void }) {
  const { t } = useTranslation(['models', 'common']);
  const format = useFormat();
  const remove = useMutation(
    api.models.remove.mutationOptions({
      onSuccess: () => {
        onClose();
        void refreshModels();
      },
    }),
  );
  const { name, bytes, origin, selected } = model;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('remove.title', { name })}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <Text size="sm">{t('remove.what', { size: format.bytes(bytes) })}</Text>
        <Text size="sm">{t(origin === 'downloaded' ? 'remove.again' : 'remove.own')}</Text>
        {selected && <Text size="sm">{t('remove.chosen')}</Text>}
        <ErrorNote error={remove.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate({ name })}>
            {t('remove.do')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
