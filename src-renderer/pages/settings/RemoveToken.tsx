import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingHandle } from '../../components/setting-field/useSettingField.ts';

/** Asks before the token is taken away. What main says against it stands at the token itself. */
export function RemoveToken({ field, onClose }: { field: SettingHandle; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  const remove = () => {
    field.save(null);
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('token.askRemoveTitle')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <Text size="sm">{t('token.askRemove')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button color="red" onClick={remove}>
            {t('token.remove')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
