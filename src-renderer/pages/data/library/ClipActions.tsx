import { Button, Stack } from '@mantine/core';
import { IconArrowsShuffle, IconBan, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clip } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFormat } from '../../../i18n/format.ts';
import { TakeDownDialog } from '../TakeDownDialog.tsx';
import { refreshClips, refreshTakeDowns } from '../use-data.ts';
import { useLibraryView } from './library-view.ts';

/** Others like it, and the ways to be rid of it. */
export function ClipActions({ clip }: { clip: Clip }) {
  const { t } = useTranslation('data');
  const [isRemoving, setRemoving] = useState(false);
  const [isTakingDown, setTakingDown] = useState(false);
  const { source, id, title, space, isTakenDown } = clip;
  return (
    <Stack gap="xs">
      {isTakenDown && <TakenDown clip={clip} />}
      <Button
        variant="default"
        disabled={space === null}
        leftSection={<IconArrowsShuffle size={15} stroke={1.6} aria-hidden />}
        onClick={() => useLibraryView.setState({ like: { clip: clip.clip, title }, words: '' })}
      >
        {t('library.moreLike')}
      </Button>
      {!isTakenDown && (
        <Button
          variant="default"
          leftSection={<IconBan size={15} stroke={1.6} aria-hidden />}
          onClick={() => setTakingDown(true)}
        >
          {t('takeDown.open')}
        </Button>
      )}
      <Button
        variant="default"
        c="var(--q-error)"
        leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
        onClick={() => setRemoving(true)}
      >
        {t('remove.open')}
      </Button>
      {isRemoving && <Remove clip={clip} onClose={() => setRemoving(false)} />}
      {isTakingDown && <TakeDownDialog video={{ source, id }} title={title} onClose={() => setTakingDown(false)} />}
    </Stack>
  );
}

function TakenDown({ clip: { source, id } }: { clip: Clip }) {
  const { t } = useTranslation('data');
  const undo = useMutation(api.data.undoTakeDown.mutationOptions({ onSuccess: refreshTakeDowns }));
  return (
    <>
      <Note
        icon={IconBan}
        title={t('takeDown.is')}
        actions={
          <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ source, id })}>
            {t('takeDown.undo')}
          </Button>
        }
      >
        {t('takeDown.isMeans')}
      </Note>
      <ErrorNote error={undo.error} />
    </>
  );
}

function Remove({ clip: { clip, title, bytes }, onClose }: { clip: Clip; onClose: () => void }) {
  useFocusBack();
  const { t } = useTranslation('data');
  const format = useFormat();
  const remove = useMutation(
    api.data.removeClip.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshClips();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      title={t('remove.title')}
      action={t('remove.action')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ clip })}
      onClose={onClose}
    >
      {t('remove.what', { title, size: format.bytes(bytes) })}
    </ConfirmDialog>
  );
}
