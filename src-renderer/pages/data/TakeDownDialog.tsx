import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import { MAX_VIDEO_ID_CHARS } from '../../../src-preload/contract/data-limits.ts';
import { SOURCE_KINDS } from '../../../src-preload/contract/data-names.ts';
import { api } from '../../api/client.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../components/errors/field-error.ts';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { refreshTakeDowns } from './use-data.ts';

/** As the contract has it. */
const MAX_REASON_CHARS = 500;

interface TakeDownDialogProps {
  /** Undefined where it is to be named. */
  video?: VideoRef;
  /** What it is called. */
  title?: string;
  onClose: () => void;
}

/** Asks why a video is taken down, and which one where that is not known. */
export function TakeDownDialog({ video, title, onClose }: TakeDownDialogProps) {
  const { t } = useTranslation(['data', 'common']);
  useFocusBack();
  const [named, setNamed] = useState<VideoRef>(video ?? { source: 'commons', id: '' });
  const [reason, setReason] = useState('');
  const [wasAsked, setAsked] = useState(false);
  const takeDown = useMutation(
    api.data.takeDown.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshTakeDowns();
      },
    }),
  );
  const isWhole = reason.trim() !== '' && named.id.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(!isWhole);
    if (isWhole) takeDown.mutate({ source: named.source, id: named.id.trim(), reason: reason.trim() });
  };
  return (
    <Modal opened onClose={onClose} title={t('data:takeDown.title')} centered>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm">
            {title === undefined ? t('data:takeDown.means') : t('data:takeDown.meansOf', { title })}
          </Text>
          {!video && (
            <VideoFields
              named={named}
              error={wasAsked && named.id.trim() === '' ? t('data:takeDown.noId') : errorAt(takeDown.error, 'id')}
              onChange={setNamed}
            />
          )}
          <Textarea
            label={t('data:takeDown.reason')}
            description={t('data:takeDown.reasonMeans')}
            error={wasAsked && reason.trim() === '' ? t('data:takeDown.noReason') : errorAt(takeDown.error, 'reason')}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={MAX_REASON_CHARS}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus={video !== undefined || undefined}
          />
          <ErrorNote error={errorBeside(takeDown.error, 'id', 'reason')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" color="red" loading={takeDown.isPending}>
              {t('data:takeDown.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface VideoFieldsProps {
  named: VideoRef;
  error: string | undefined;
  onChange: (named: VideoRef) => void;
}

function VideoFields({ named, error, onChange }: VideoFieldsProps) {
  const { t } = useTranslation('data');
  return (
    <>
      <NativeSelect
        label={t('provenance.source')}
        data={SOURCE_KINDS.map((value) => ({ value, label: t(`source.${value}`) }))}
        value={named.source}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...named, source: SOURCE_KINDS.find((one) => one === value) ?? named.source })
        }
      />
      <TextInput
        label={t('takeDown.id')}
        description={t('takeDown.idMeans')}
        error={error}
        maxLength={MAX_VIDEO_ID_CHARS}
        value={named.id}
        onChange={(event) => onChange({ ...named, id: event.currentTarget.value })}
        data-autofocus
      />
    </>
  );
}
