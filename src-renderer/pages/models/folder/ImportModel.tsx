import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportedModel } from '../../../../src-preload/contract/models.ts';
import { client } from '../../../api/client.ts';
import { useByteWork } from '../../../components/byte-work/useByteWork.ts';
import { WorkProgress } from '../../../components/byte-work/WorkProgress.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { PathInput } from '../../../components/path-input/PathInput.tsx';
import { modelTitle } from '../../../i18n/model-title.ts';
import { useAdding } from '../../../state/adding-model.ts';
import { refreshModels } from '../../../state/refresh-models.ts';

/** Takes a GGUF file of this computer into the library. Stays open while it works: closing gives it up. */
export function ImportModel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['models', 'common']);
  const { file } = useAdding();
  const [path, setPath] = useState(file?.path ?? '');
  const [name, setName] = useState('');
  const work = useByteWork<ImportedModel>();
  const running = work.step === 'running';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { path: path.trim(), ...(name.trim() && { name: name.trim() }) };
    await work.start((signal) => client.models.import(input, { signal }));
    await refreshModels();
  };
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} closeOnEscape={!running} title={t('import.title')}>
      {work.step === 'ended' ? (
        <Stack>
          <Text size="sm" role="status">
            {t('import.done', { name: modelTitle(work.result?.name ?? name).title })}{' '}
            {work.result && t(`import.taken.${work.result.taken}`)}
          </Text>
          <Button onClick={onClose}>{t('common:action.close')}</Button>
        </Stack>
      ) : (
        <Stack component="form" onSubmit={submit}>
          {file && !file.path ? (
            <Note icon={IconFileUnknown} title={t('import.dropped')}>
              {t('import.droppedHelp', { name: file.name })}
            </Note>
          ) : (
            <Text size="sm">{t('import.help')}</Text>
          )}
          <PathInput
            kinds={['modelFile']}
            label={t('import.path')}
            value={path}
            disabled={running}
            onChange={setPath}
          />
          <TextInput
            label={t('import.name')}
            description={t('import.nameHelp')}
            value={name}
            disabled={running}
            error={work.error?.field === 'name'}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {running && <WorkProgress label={t('import.running')} progress={work.progress} />}
          <ErrorNote error={work.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={running ? work.reset : onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={running} disabled={path.trim() === ''}>
              {t('import.do')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
