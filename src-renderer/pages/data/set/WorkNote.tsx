import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { OutLink } from '../OutLink.tsx';
import { Files, LeftOut } from './Files.tsx';
import { giveUp, type SetWork, type WorkKind } from './set-work.ts';

interface WorkNoteProps {
  kind: WorkKind;
  work: SetWork;
  onRetry: () => void;
}

/** How far an export or an upload is, and what came of it. */
export function WorkNote({ kind, work: { isRunning, step: progress, error }, onRetry }: WorkNoteProps) {
  const { t } = useTranslation(['data', 'common']);
  if (isRunning) {
    return (
      <Stack gap="xs" maw={560}>
        <Running kind={kind} progress={progress} />
        <Button
          size="xs"
          variant="default"
          style={{ justifySelf: 'start' }}
          w="fit-content"
          onClick={() => giveUp(kind)}
        >
          {t('common:action.cancel')}
        </Button>
      </Stack>
    );
  }
  if (error) return <ErrorNote error={error} onRetry={onRetry} />;
  if (!progress) return null;
  return (
    <Note state="good" icon={IconCheck} role="status" title={<Result kind={kind} progress={progress} />}>
      <Files files={progress.files} />
      <LeftOut leftOut={progress.leftOut} />
    </Note>
  );
}

function Running({ kind, progress }: { kind: WorkKind; progress: DataSetProgress | undefined }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const label = progress ? t(`set.step.${progress.step}`) : t(`set.begins.${kind}`);
  const write = (amount: number) => (progress?.step === 'uploading' ? format.bytes(amount) : format.number(amount));
  const of = progress?.of ?? null;
  return (
    <>
      <Text size="sm" role="status">
        {label}
        {progress && of !== null && ` ${t('set.doneOf', { done: write(progress.done), of: write(of) })}`}
      </Text>
      <Progress
        value={progress && of ? (progress.done / of) * 100 : 100}
        animated={!progress || !of}
        aria-label={label}
      />
    </>
  );
}

function Result({ kind, progress: { files, url } }: { kind: WorkKind; progress: DataSetProgress }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const count = { count: files.length, formatted: format.number(files.length) };
  return (
    <>
      {files.length === 0 ? t(`set.nothing.${kind}`) : t(`set.ended.${kind}`, count)}{' '}
      {url !== null && <OutLink href={url}>{t('set.look')}</OutLink>}
    </>
  );
}
