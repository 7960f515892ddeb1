import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../../src-preload/contract/limits.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useByteWork } from '../byte-work/useByteWork.ts';
import { WorkProgress } from '../byte-work/WorkProgress.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Note } from '../Note.tsx';
import { saveFile } from '../saving/save-file.ts';
import { StrengthHint } from './StrengthHint.tsx';
import { gatherBackup, type MadeBackup } from './transfer.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Asks for a password, twice, and saves this node's backup among the downloads. */
export function BackUpDialog({ opened, onClose }: DialogProps) {
  const { t } = useTranslation('backup');
  const work = useByteWork<MadeBackup>();
  const close = () => {
    work.reset();
    onClose();
  };
  const make = async (password: string) => {
    const made = await work.start(async (signal) => gatherBackup(password, signal));
    if (!made) return;
    saveFile(made.content, made.name);
    await queryClient.invalidateQueries({ queryKey: api.backup.key() });
  };
  return (
    <Modal opened={opened} onClose={close} title={t('make')}>
      {work.result ? (
        <Made name={work.result.name} onClose={close} />
      ) : work.step === 'running' ? (
        <WorkProgress label={t('making')} progress={work.progress} />
      ) : (
        <NewPassword error={work.error} onChosen={(password) => void make(password)} onClose={close} />
      )}
    </Modal>
  );
}

function NewPassword({
  error,
  onChosen,
  onClose,
}: {
  error: unknown;
  onChosen: (password: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['backup', 'common']);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const isFit = password.length >= MIN_PASSWORD_CHARS && password === again;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isFit) onChosen(password);
      }}
    >
      <Stack>
        <Text size="sm">{t('inside')}</Text>
        <div>
          <PasswordInput
            label={t('password')}
            description={t('passwordHelp', { least: MIN_PASSWORD_CHARS })}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            maxLength={MAX_PASSWORD_CHARS}
            autoComplete="new-password"
            data-autofocus
          />
          <StrengthHint password={password} />
        </div>
        <PasswordInput
          label={t('again')}
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={again.length >= password.length && again !== password && t('differs')}
          maxLength={MAX_PASSWORD_CHARS}
          autoComplete="new-password"
        />
        <ErrorNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" disabled={!isFit}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Made({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation(['backup', 'common']);
  return (
    <Stack>
      <Note state="good" icon={IconCheck} role="status">
        {t('made', { file: name })}
      </Note>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('common:action.close')}</Button>
      </Group>
    </Stack>
  );
}
