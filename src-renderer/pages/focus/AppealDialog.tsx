import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_APPEAL_CHARS } from '../../../src-preload/contract/focus-limits.ts';
import { useFocusBack } from '../../components/use-focus-back.ts';

interface AppealDialogProps {
  /** What comes of it. */
  what: string;
  onAppeal: (note: string) => void;
  onClose: () => void;
}

/** Asks what is wrong with a score. */
export function AppealDialog({ what, onAppeal, onClose }: AppealDialogProps) {
  const { t } = useTranslation(['focus', 'common']);
  useFocusBack();
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title={t('focus:score.appeal.title')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (note.trim() === '') return;
          onClose();
          onAppeal(note.trim());
        }}
      >
        <Stack>
          <Text size="sm">{what}</Text>
          <Textarea
            label={t('focus:score.appeal.note')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={MAX_APPEAL_CHARS}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" disabled={note.trim() === ''}>
              {t('focus:score.appeal.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
