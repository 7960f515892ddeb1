import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconX, type TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { tellError } from '../../../components/errors/tell-error.ts';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';

const onError = (error: unknown) => tellError(error);

interface DownloadActionsProps {
  download: Download;
  title: string;
  /** As icons, for a row of a table. */
  compact?: boolean;
}

/** Pause, go on, give up. Giving up asks first when there is something to lose. */
export function DownloadActions({ download: { name, state, received }, title, compact = false }: DownloadActionsProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const pause = useMutation(api.models.pause.mutationOptions({ onError }));
  const resume = useMutation(api.models.resume.mutationOptions({ onError }));
  const cancel = useMutation(api.models.cancel.mutationOptions({ onError }));
  const [asking, dialog] = useDisclosure();
  if (state === 'done') return null;
  const pausable = state === 'downloading' || state === 'waiting' || state === 'offline';
  const giveUp = () => {
    dialog.close();
    cancel.mutate({ name });
  };
  const Action = compact ? IconAction : TextAction;
  return (
    <Group gap={6} justify={compact ? 'flex-end' : 'flex-start'} wrap="nowrap">
      {pausable && (
        <Action
          icon={IconPlayerPause}
          label={t('downloads.pause')}
          name={t('downloads.pauseOf', { name: title })}
          busy={pause.isPending}
          onClick={() => pause.mutate({ name })}
        />
      )}
      {(state === 'paused' || state === 'failed') && (
        <Action
          icon={IconPlayerPlay}
          label={t('downloads.resume')}
          name={t('downloads.resumeOf', { name: title })}
          busy={resume.isPending}
          onClick={() => resume.mutate({ name })}
        />
      )}
      <Action
        icon={IconX}
        label={t('downloads.cancel')}
        name={t('downloads.cancelOf', { name: title })}
        busy={cancel.isPending}
        onClick={received > 0 ? dialog.open : giveUp}
      />
      <ConfirmDialog
        opened={asking}
        title={t('downloads.askTitle', { name: title })}
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

interface ActionProps {
  icon: TablerIcon;
  label: string;
  /** For those who hear it: with the model's title. */
  name: string;
  busy: boolean;
  onClick: () => void;
}

function IconAction({ icon: Icon, label, name, busy, onClick }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes.icon}
        variant="default"
        size={28}
        loading={busy}
        aria-label={name}
        onClick={onClick}
      >
        <Icon size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function TextAction({ icon: Icon, label, name, busy, onClick }: ActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
      loading={busy}
      aria-label={name}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
