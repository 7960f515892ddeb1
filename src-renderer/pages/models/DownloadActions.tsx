import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { tellError } from '../../components/tell-error.ts';
import { useFormat } from '../../i18n/format.ts';

const onError = (error: unknown) => tellError(error);

/** Pause, go on, give up. Giving up asks first when there is something to lose. */
export function DownloadActions({ download: { name, state, received } }: { download: Download }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const pause = useMutation(api.models.pause.mutationOptions({ onError }));
  const resume = useMutation(api.models.resume.mutationOptions({ onError }));
  const cancel = useMutation(api.models.cancel.mutationOptions({ onError }));
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
      <ConfirmDialog
        opened={asking}
        title={t('downloads.askTitle', { name })}
        action={t('downloads.cancelAndDelete')}
        keep={t('downloads.keep')}
        onConfirm={giveUp}
        onClose={dialog.close}
      >
        {t('downloads.ask', { size: format.bytes(received) })}
      </ConfirmDialog>
    </Group>
  );
}
