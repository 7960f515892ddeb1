import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { useByteWork } from '../../../components/byte-work/useByteWork.ts';
import { WorkProgress } from '../../../components/byte-work/WorkProgress.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PathInput } from '../../../components/path-input/PathInput.tsx';
import { refreshModels } from '../../../state/refresh-models.ts';

/** Moves every model to another folder. Stays open while it works: closing gives it up. */
export function MoveFolder({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['models', 'common']);
  const [folder, setFolder] = useState('');
  const work = useByteWork();
  const running = work.step === 'running';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await work.start((signal) => client.models.move({ folder: folder.trim() }, { signal }));
    await refreshModels();
  };
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} closeOnEscape={!running} title={t('move.title')}>
      {work.step === 'ended' ? (
        <Stack>
          <Text size="sm" role="status">
            {t('move.done', { folder })}
          </Text>
          <Button onClick={onClose}>{t('common:action.close')}</Button>
        </Stack>
      ) : (
        <Stack component="form" onSubmit={submit}>
          <Text size="sm">{t('move.help')}</Text>
          <PathInput
            kinds={['folder']}
            label={t('move.folder')}
            value={folder}
            disabled={running}
            onChange={setFolder}
          />
          {running && <WorkProgress label={t('move.running')} progress={work.progress} />}
          <ErrorNote error={work.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={running ? work.reset : onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={running} disabled={folder.trim() === ''}>
              {t('move.do')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
