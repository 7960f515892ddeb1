import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface RebuildQuestionProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before balances are worked out anew, and says what that changes. */
export function RebuildQuestion({ opened, onClose, onConfirm }: RebuildQuestionProps) {
  const { t } = useTranslation(['earnings', 'common']);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('earnings:proof.rebuild')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <Text size="sm">{t('earnings:proof.question')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button onClick={onConfirm}>{t('earnings:proof.confirm')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
