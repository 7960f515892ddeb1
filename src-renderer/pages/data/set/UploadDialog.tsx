import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataSet, DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFormat } from '../../../i18n/format.ts';
import { Files, LeftOut } from './Files.tsx';
import { Privacy } from './Privacy.tsx';

interface UploadDialogProps {
  destination: NonNullable<DataSet['destination']>;
  onConfirm: () => void;
  onClose: () => void;
}

/** What would be uploaded, where to, and who could see it. Nothing is uploaded before the button is pressed. */
export function UploadDialog({ destination, onConfirm, onClose }: UploadDialogProps) {
  const { t } = useTranslation(['data', 'common']);
  const format = useFormat();
  useFocusBack();
  const { plan, error, again } = useDryRun();
  const files = plan?.step === 'done' ? plan.files : undefined;
  const bytes = files?.reduce((sum, file) => sum + file.bytes, 0) ?? 0;
  return (
    <Modal opened onClose={onClose} title={t('data:upload.looked')} size={512} centered>
      <Stack>
        <Facts
          facts={[
            [t('data:upload.to'), destination.repository],
            [t('data:upload.at'), destination.endpoint],
            [t('data:upload.whoSees'), <Privacy key="privacy" isPrivate={destination.isPrivate} />],
            [t('data:find.size'), files && format.bytes(bytes)],
          ]}
        />
        {!files && !error && (
          <div>
            <Text size="sm" role="status" mb={6}>
              {t('data:upload.looking')}
            </Text>
            <Progress value={100} animated aria-label={t('data:upload.looking')} />
          </div>
        )}
        {files?.length === 0 && <Text size="sm">{t('data:set.nothing.upload')}</Text>}
        {files && <Files files={files} />}
        {plan && <LeftOut leftOut={plan.leftOut} />}
        {files && files.length > 0 && (
          <Text size="sm" c="var(--q-ink-2)">
            {t(destination.isPrivate ? 'data:upload.privateMeans' : 'data:upload.publicMeans')}
          </Text>
        )}
        <ErrorNote error={error} onRetry={again} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button
            disabled={!files || files.length === 0}
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {files
              ? t('data:upload.confirm', { count: files.length, size: format.bytes(bytes) })
              : t('data:upload.title')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Has the node say what an upload would do. Ends with the dialog. */
function useDryRun() {
  const [plan, setPlan] = useState<DataSetProgress>();
  const [error, setError] = useState<QuarryError>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setError(undefined);
    const look = async () => {
      try {
        for await (const next of await client.data.upload({ dryRun: true }, { signal })) {
          if (signal.aborted) return;
          setPlan(next);
        }
      } catch (cause) {
        if (!signal.aborted) setError(toQuarryError(cause));
      }
    };
    if (tries >= 0) void look();
    return () => leaving.abort();
  }, [tries]);
  return { plan, error, again: () => setTries((before) => before + 1) };
}
