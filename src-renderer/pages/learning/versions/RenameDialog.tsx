import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_ADAPTER_NAME_CHARS } from '../../../../src-preload/contract/limits.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { refreshLearning } from '../use-learning.ts';

interface RenameDialogProps {
  adapter: string;
  onRenamed: (name: string) => void;
  onClose: () => void;
}

/** Calls an adapter something else. */
export function RenameDialog({ adapter, onRenamed, onClose }: RenameDialogProps) {
  const { t } = useTranslation(['learning', 'common']);
  useFocusBack();
  const [name, setName] = useState(adapter);
  const wanted = name.trim();
  const rename = useMutation(
    api.learning.rename.mutationOptions({ onSuccess: () => onRenamed(wanted), onSettled: refreshLearning }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ adapter, name: wanted });
  };
  return (
    <Modal opened onClose={onClose} title={t('rename.title', { name: adapter })}>
      <Stack component="form" onSubmit={submit}>
        <TextInput
          label={t('rename.name')}
          description={t('rename.help')}
          value={name}
          maxLength={MAX_ADAPTER_NAME_CHARS}
          error={errorAt(rename.error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <ErrorNote error={errorBeside(rename.error, 'name')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" loading={rename.isPending} disabled={wanted === '' || wanted === adapter}>
            {t('rename.do')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
