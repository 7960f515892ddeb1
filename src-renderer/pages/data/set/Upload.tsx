import { Button, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataSet } from '../../../../src-preload/contract/data-set.ts';
import { client } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Section } from '../../../components/Section.tsx';
import classes from '../data.module.css';
import { Destination } from './Destination.tsx';
import { Privacy } from './Privacy.tsx';
import { begin, useSetWork } from './set-work.ts';
import { UploadDialog } from './UploadDialog.tsx';
import { WorkNote } from './WorkNote.tsx';

/** Where the files go, looked at first; nothing leaves this computer before somebody has said so. */
export function Upload({ set: { destination, shards } }: { set: DataSet }) {
  const { t } = useTranslation('data');
  const work = useSetWork('upload');
  const [isLooking, setLooking] = useState(false);
  const start = () => void begin('upload', (signal) => client.data.upload({ dryRun: false }, { signal }));
  return (
    <Section
      title={t('upload.title')}
      description={t('upload.means')}
      beside={destination && <Privacy isPrivate={destination.isPrivate} />}
    >
      {!destination && (
        <EmptyState title={t('upload.nowhere')}>
          <Text size="sm" maw={560} mb="sm">
            {t('upload.nowhereMeans')}
          </Text>
          <Destination />
        </EmptyState>
      )}
      {destination && (
        <Stack gap="sm" align="stretch">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {destination.repository}
            <Text span size="sm" c="var(--q-ink-3)">{` · ${destination.endpoint}`}</Text>
          </Text>
          <Button
            variant="default"
            w="fit-content"
            leftSection={<IconUpload size={15} stroke={1.6} aria-hidden />}
            disabled={work?.isRunning === true || shards.length === 0}
            onClick={() => setLooking(true)}
          >
            {t('upload.open')}
          </Button>
          {shards.length === 0 && (
            <Text size="sm" c="var(--q-ink-2)">
              {t('upload.noFiles')}
            </Text>
          )}
          <details className={classes.more}>
            <summary>{t('upload.change')}</summary>
            <Destination />
          </details>
          {work && <WorkNote kind="upload" work={work} onRetry={start} />}
        </Stack>
      )}
      {isLooking && destination && (
        <UploadDialog destination={destination} onConfirm={start} onClose={() => setLooking(false)} />
      )}
    </Section>
  );
}
