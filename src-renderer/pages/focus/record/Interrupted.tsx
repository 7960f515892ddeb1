import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { RemoveDialog } from '../library/RemoveDialog.tsx';
import { goOnWith } from '../recording/record.ts';

/** Recordings whose page or node ended amid them: they go on, stay as they are, or go away. */
export function Interrupted({ recordings }: { recordings: readonly Recording[] }) {
  const { t } = useTranslation('focus');
  return (
    <Section title={t('interrupted.title')} description={t('interrupted.what')}>
      {recordings.map((recording) => (
        <One key={recording.id} recording={recording} />
      ))}
    </Section>
  );
}

function One({ recording }: { recording: Recording }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const keep = useMutation(api.focus.finish.mutationOptions());
  const [removing, setRemoving] = useState(false);
  const { id, title, activeMs, startedAt } = recording;
  return (
    <Group justify="space-between" py="xs">
      <div>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="var(--q-ink-2)">
          {t('length', { time: format.time(startedAt), length: lengthText(activeMs) })}
        </Text>
      </div>
      <Group gap="xs">
        <Button onClick={() => void goOnWith(recording)}>{t('interrupted.goOn')}</Button>
        <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate({ id })}>
          {t('interrupted.keep')}
        </Button>
        <Button variant="default" c="var(--q-error)" onClick={() => setRemoving(true)}>
          {t('remove.action')}
        </Button>
      </Group>
      <ErrorNote error={keep.error} />
      <RemoveDialog recording={removing ? recording : undefined} onClose={() => setRemoving(false)} />
    </Group>
  );
}
