import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportStep } from '../../../../src-preload/contract/focus.ts';
import { client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { saveFrom } from '../../../components/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';
import type { Edits } from './edit-list.ts';
import { exportInput, isNothingLeft } from './export-input.ts';
import { tenthsText } from './time-text.ts';

interface ExportProps {
  id: string;
  title: string;
  edits: Edits;
  durationMs: number;
}

type Made = Extract<ExportStep, { type: 'done' }>;

/** Makes a file of what stays, and has the browser save it. */
export function Export({ id, title, edits, durationMs }: ExportProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [done, setDone] = useState(0);
  // The node takes its own copy away once nobody listens any more: not before this is closed.
  const listening = useRef(new AbortController());
  useEffect(() => {
    const { current } = listening;
    return () => current.abort();
  }, []);
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (): Promise<Made> => {
      listening.current.abort();
      listening.current = new AbortController();
      setDone(0);
      const steps = await client.focus.export(exportInput(id, edits, durationMs), { signal: listening.current.signal });
      const made = await madeOf(steps, setDone);
      saveFrom(made.download, nameOf(title));
      return made;
    },
  });
  const isEmpty = isNothingLeft(edits, durationMs);
  return (
    <>
      <Group gap="xs">
        <Button
          loading={isPending}
          disabled={isEmpty}
          leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
          onClick={() => mutate()}
        >
          {t('review.export')}
        </Button>
        <Text size="sm" c="var(--q-ink-2)" role="status">
          {isEmpty && durationMs > 0 && t('review.nothingLeft')}
          {isPending && t('review.exporting', { share: format.percent(done) })}
          {!isEmpty &&
            !isPending &&
            data &&
            t('review.exported', { length: tenthsText(data.durationMs), size: format.bytes(data.bytes) })}
        </Text>
      </Group>
      <ErrorNote error={error} />
    </>
  );
}

/** Reads until the file is there, and goes on listening, for its sake. */
async function madeOf(steps: AsyncIterable<ExportStep>, onDone: (done: number) => void): Promise<Made> {
  const made = Promise.withResolvers<Made>();
  const listen = async () => {
    for await (const step of steps) {
      if (step.type === 'progress') onDone(step.done);
      else made.resolve(step);
    }
  };
  listen().catch(made.reject);
  return await made.promise;
}

const nameOf = (title: string) => `${title.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'recording'}.webm`;
