import { ActionIcon, Button, Menu, Modal, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBraces, IconDots, IconFileText, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../../src-preload/contract/conversations.ts';
import { MAX_TITLE_CHARS } from '../../../../src-preload/contract/limits.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import classes from '../playground.module.css';
import { stop } from '../state/answers.ts';
import { useSelection } from '../state/selection.ts';
import { useExport } from './useExport.ts';

interface ConversationItemProps {
  conversation: Conversation;
  /** Called when it was chosen. */
  onChosen: (() => void) | undefined;
}

const refresh = () => queryClient.invalidateQueries({ queryKey: api.conversations.key() });

/** One conversation of the list: choose, rename, delete. There may be hundreds, and each answer changes one of them. */
export const ConversationItem = memo(function ConversationItem({ conversation, onChosen }: ConversationItemProps) {
  const { t } = useTranslation('playground');
  const { id } = conversation;
  const title = conversation.title || t('new'); // nothing was asked in it yet
  const chosen = useSelection((selection) => selection.id === id);
  const [renaming, rename] = useDisclosure();
  const [removing, remove] = useDisclosure();
  const save = useExport(id);
  const choose = () => {
    useSelection.setState({ id });
    onChosen?.();
  };
  const more = useRef<HTMLButtonElement>(null);
  // The menu that a dialog was opened from is gone: its button gets the focus back.
  const closeOf = (dialog: { close: () => void }) => () => {
    dialog.close();
    more.current?.focus();
  };
  return (
    <li>
      <div className={classes.item} data-chosen={chosen || undefined}>
        <UnstyledButton onClick={choose} aria-current={chosen || undefined} title={title}>
          {title}
        </UnstyledButton>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              ref={more}
              className={classes.more}
              variant="subtle"
              color="gray"
              size={26}
              aria-label={t('itemMenu', { title })}
            >
              <IconDots size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={15} />} onClick={rename.open}>
              {t('rename')}
            </Menu.Item>
            <Menu.Item leftSection={<IconFileText size={15} />} onClick={() => save('markdown')}>
              {t('export.markdown')}
            </Menu.Item>
            <Menu.Item leftSection={<IconBraces size={15} />} onClick={() => save('json')}>
              {t('export.json')}
            </Menu.Item>
            <Menu.Item c="error" leftSection={<IconTrash size={15} />} onClick={remove.open}>
              {t('remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <RenameDialog conversation={conversation} opened={renaming} onClose={closeOf(rename)} />
      <RemoveDialog conversation={conversation} opened={removing} onClose={closeOf(remove)} />
    </li>
  );
});

interface DialogProps {
  conversation: Conversation;
  opened: boolean;
  onClose: () => void;
}

function RenameDialog({ conversation: { id, title }, opened, onClose }: DialogProps) {
  const { t } = useTranslation('playground');
  const [name, setName] = useState(title);
  const update = useMutation(
    api.conversations.update.mutationOptions({
      onSuccess: () => {
        onClose();
        return refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ id, title: name });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('rename')}>
      <Stack component="form" onSubmit={submit}>
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={MAX_TITLE_CHARS}
          data-autofocus
        />
        <ErrorNote error={update.error} />
        <Button type="submit" loading={update.isPending} disabled={name.trim() === ''}>
          {t('action.save', { ns: 'common' })}
        </Button>
      </Stack>
    </Modal>
  );
}

function RemoveDialog({ conversation: { id, title }, opened, onClose }: DialogProps) {
  const { t } = useTranslation('playground');
  const remove = useMutation(
    api.conversations.remove.mutationOptions({
      onMutate: () => stop(id),
      onSuccess: () => {
        if (useSelection.getState().id === id) useSelection.setState({ id: undefined });
        return refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened={opened}
      title={t('remove')}
      action={t('remove')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      {t('removeText', { title })}
    </ConfirmDialog>
  );
}
