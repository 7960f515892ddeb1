import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_APPEAL_CHARS } from '../../../../src-preload/contract/focus-limits.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';

/** Has a person look at a score, with what its owner says against it. */
export function AppealDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation(['focus', 'common']);
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const appeal = useMutation(
    api.focus.appeal.mutationOptions({
      onSuccess: async () => {
        onClose();
        await queries.invalidateQueries({ queryKey: api.focus.key() });
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title={t('focus:score.appeal.title')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (note.trim() !== '') appeal.mutate({ id, note });
        }}
      >
        <Stack>
          <Text size="sm">{t('focus:score.appeal.what')}</Text>
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
          <ErrorNote error={appeal.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" disabled={note.trim() === ''} loading={appeal.isPending}>
              {t('focus:score.appeal.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
