import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from './errors/ErrorNote.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button that does it says. */
  action: string;
  /** What the button that leaves everything as it is says. Default «Cancel». */
  keep?: string;
  /** Of the button that does it. Default red: something is lost. */
  colour?: string;
  pending?: boolean;
  error?: unknown;
  /** Over another dialog: the name in the `Modal.Stack` that both are in. Without it the Escape that asks closes the question, too. */
  stackId?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is lost or trusted. The way back has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const {
    opened,
    title,
    children,
    action,
    keep,
    colour = 'red',
    pending = false,
    error,
    stackId,
    onConfirm,
    onClose,
  } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered {...(stackId && { stackId })}>
      <Stack>
        {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
        <ErrorNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {keep ?? t('action.cancel')}
          </Button>
          <Button color={colour} loading={pending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
