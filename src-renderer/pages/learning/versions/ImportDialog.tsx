import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { PathInput } from '../../../components/path-input/PathInput.tsx';
import { SwitchRow } from '../../../components/setting-field/SwitchRow.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { refreshLearning } from '../use-learning.ts';

interface ImportDialogProps {
  /** Whose version it is to be, at first. */
  adapter: string | undefined;
  onClose: () => void;
}

/** Takes in a version that was learnt elsewhere. */
export function ImportDialog({ adapter = '', onClose }: ImportDialogProps) {
  const { t } = useTranslation(['learning', 'common']);
  useFocusBack();
  const [path, setPath] = useState('');
  const [name, setName] = useState(adapter);
  const [use, setUse] = useState(false);
  const taken = useMutation(
    api.learning.importVersion.mutationOptions({ onSuccess: onClose, onSettled: refreshLearning }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    taken.mutate({ path: path.trim(), use, ...(name.trim() && { adapter: name.trim() }) });
  };
  return (
    <Modal opened onClose={onClose} title={t('import.title')}>
      <Stack component="form" onSubmit={submit}>
        <Text size="sm">{t('import.what')}</Text>
        <PathInput
          kinds={['folder', 'modelFile']}
          label={t('import.path')}
          value={path}
          disabled={taken.isPending}
          error={errorAt(taken.error, 'path')}
          onChange={setPath}
        />
        <TextInput
          label={t('import.name')}
          description={t('import.nameHelp')}
          value={name}
          disabled={taken.isPending}
          error={errorAt(taken.error, 'adapter')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SwitchRow
          label={t('import.use')}
          checked={use}
          disabled={taken.isPending}
          onChange={(event) => setUse(event.currentTarget.checked)}
        />
        <ErrorNote error={errorBeside(taken.error, 'path', 'adapter')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" loading={taken.isPending} disabled={path.trim() === ''}>
            {t('import.do')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
