import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFolderSymlink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Figure, Figures } from '../../components/Figures.tsx';
import { OpenFolder } from '../../components/setting-field/OpenFolder.tsx';
import { useFormat } from '../../i18n/format.ts';
import { MoveFolder } from './MoveFolder.tsx';

/** Where models are, how much room they take, and the way to another drive. */
export function DiskUse() {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { data: disk, error, refetch } = useAnswer(api.models.diskUse.queryOptions());
  const [moving, dialog] = useDisclosure();
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!disk) return <Skeleton h={200} />;
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('disk.title')}>
      <Title order={3} size="h5">
        {t('disk.title')}
      </Title>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {disk.folder}
      </Text>
      <Figures>
        <Figure label={t('disk.models')} value={format.bytes(sum(disk.models))} />
        <Figure label={t('disk.partial')} value={format.bytes(sum(disk.partial))} />
        <Figure label={t('disk.free')} value={format.bytes(disk.free)} />
      </Figures>
      <Group>
        <OpenFolder folder="models" />
        <Button variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={dialog.open}>
          {t('move.open')}
        </Button>
      </Group>
      {moving && <MoveFolder onClose={dialog.close} />}
    </Paper>
  );
}

function sum(files: { bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}
