import { Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconPlayerStopFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Container } from '../../../../src-preload/contract/focus.ts';
import { client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { saveFrom } from '../../../components/saving/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import type { Edits } from './edit-list.ts';
import { exportInput, isNothingLeft } from './export-input.ts';
import { type Made, madeOf, nameOf } from './exported-file.ts';
import classes from './review.module.css';
import { tenthsText } from './time-text.ts';

interface ExportProps {
  id: string;
  title: string;
  edits: Edits;
  durationMs: number;
}

const FORMATS: Record<Container, string> = { webm: 'WebM', mp4: 'MP4' };

/** Makes a file of what stays, and has the browser save it. The button that begins it calls it off, too. */
export function Export({ id, title, edits, durationMs }: ExportProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [container, setContainer] = useState<Container>('webm');
  const [metadata, setMetadata] = useState(true);
  const [done, setDone] = useState(0);
  const [isStopped, setStopped] = useState(false);
  // The node takes its own copy away once nobody listens any more: not before this is closed.
  const listening = useRef(new AbortController());
  useEffect(() => () => listening.current.abort(), []);
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: async (signal: AbortSignal): Promise<Made> => {
      signal.throwIfAborted();
      const input = exportInput(id, edits, durationMs, { container, metadata });
      const made = await madeOf(await client.focus.export(input, { signal }), setDone);
      signal.throwIfAborted();
      saveFrom(made.download, nameOf({ id, title, container, metadata }));
      return made;
    },
  });
  const begin = () => {
    listening.current.abort();
    listening.current = new AbortController();
    setDone(0);
    setStopped(false);
    mutate(listening.current.signal);
  };
  const stop = () => {
    listening.current.abort();
    reset();
    setStopped(true);
  };
  const press = ({ detail }: MouseEvent) => {
    // The second half of a double click: whoever began it so did not want to call it off.
    if (detail > 1) return;
    if (isPending) stop();
    else begin();
  };
  const isEmpty = isNothingLeft(edits, durationMs);
  const Icon = isPending ? IconPlayerStopFilled : IconDownload;
  const told = () => {
    if (isPending) return t('review.exporting', { share: format.percent(done) });
    if (isEmpty) return durationMs > 0 && t('review.nothingLeft');
    if (isStopped) return t('review.stopped');
    return data && t('review.exported', { length: tenthsText(data.durationMs), size: format.bytes(data.bytes) });
  };
  return (
    <Stack gap="xs" className={classes.export}>
      <Group gap="xs">
        <SegmentedControl
          aria-label={t('review.format')}
          value={container}
          onChange={(chosen) => setContainer(chosen as Container)}
          data={Object.entries(FORMATS).map(([value, label]) => ({ value, label }))}
        />
        <Checkbox
          label={t('review.metadata')}
          checked={metadata}
          onChange={(event) => setMetadata(event.currentTarget.checked)}
        />
        <Button
          variant={isPending ? 'default' : 'filled'}
          disabled={isEmpty && !isPending}
          leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
          onClick={press}
        >
          {t(isPending ? 'review.stop' : 'review.export')}
        </Button>
        <Text size="sm" c="var(--q-ink-2)" role="status">
          {told()}
        </Text>
      </Group>
      {container === 'mp4' && (
        <Text size="sm" c="var(--q-ink-2)">
          {t('review.playsMp4')}
        </Text>
      )}
      <ExportError error={error} />
    </Stack>
  );
}

/** Why there is no file; where the connection ended, what that means for the file and for the cuts. */
function ExportError({ error }: { error: unknown }) {
  const { t } = useTranslation('focus');
  if (!error) return null;
  const named = toQuarryError(error);
  if (named.code !== 'NOT_RUNNING') return <ErrorNote error={named} />;
  return (
    <Note state="error" icon={IconAlertTriangle} title={worded(named, 'message')} role="alert">
      {t('review.exportLost')}
    </Note>
  );
}
