import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { useFormat } from '../../i18n/format.ts';

/** Pause, go on, give up. Giving up asks first when there is something to lose. */
export function DownloadActions({ download: { name, state, received } }: { download: Download }) {
  const { t } = useTranslation('models');
  const pause = useMutation(api.models.pause.mutationOptions({ onError: tell }));
  const resume = useMutation(api.models.resume.mutationOptions({ onError: tell }));
  const cancel = useMutation(api.models.cancel.mutationOptions({ onError: tell }));
  const [asking, dialog] = useDisclosure();
  if (state === 'done') return null;
  const pausable = state === 'downloading' || state === 'waiting';
  const giveUp = () => {
    dialog.close();
    cancel.mutate({ name });
  };
  return (
    <Group gap="xs">
      {pausable && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPause size={14} aria-hidden />}
          loading={pause.isPending}
          onClick={() => pause.mutate({ name })}
        >
          {t('downloads.pause')}
        </Button>
      )}
      {(state === 'paused' || state === 'failed') && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ name })}
        >
          {t(state === 'failed' ? 'downloads.again' : 'downloads.resume')}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconX size={14} aria-hidden />}
        loading={cancel.isPending}
        onClick={received > 0 ? dialog.open : giveUp}
      >
        {t('downloads.cancel')}
      </Button>
      {asking && <AskCancel name={name} received={received} onCancel={giveUp} onClose={dialog.close} />}
    </Group>
  );
}

interface AskCancelProps {
  name: string;
  received: number;
  onCancel: () => void;
  onClose: () => void;
}

function AskCancel({ name, received, onCancel, onClose }: AskCancelProps) {
  const { t } = useTranslation(['models', 'common']);
  const format = useFormat();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('downloads.askTitle', { name })}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <Text size="sm">{t('downloads.ask', { size: format.bytes(received) })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('downloads.keep')}
          </Button>
          <Button color="red" onClick={onCancel}>
            {t('downloads.cancelAndDelete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function tell(error: unknown): void {
  const { message, hint } = toQuarryError(error);
  notifications.show({ color: 'red', message: [message, hint].filter(Boolean).join(' ') });
}
