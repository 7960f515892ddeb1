import { Box, Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { DownloadCard } from './DownloadCard.tsx';

const MEGABYTE = 1_000_000;

interface DownloadsProps {
  /** Undefined while they are on their way. */
  downloads: Download[] | undefined;
  onCatalogue: () => void;
}

/** What is being downloaded, and the cap for all of it together. */
export function Downloads({ downloads, onCatalogue }: DownloadsProps) {
  const { t } = useTranslation(['models', 'settings']);
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('place.downloads')}
      </Title>
      {!downloads && <Skeleton h={120} />}
      {downloads?.length === 0 && (
        <EmptyState title={t('downloads.empty')}>
          <Text c="dimmed">{t('downloads.emptyHelp')}</Text>
          <Button onClick={onCatalogue}>{t('local.toCatalogue')}</Button>
        </EmptyState>
      )}
      {downloads?.map((download) => (
        <DownloadCard key={download.name} download={download} />
      ))}
      <Paper withBorder p="lg">
        <Box maw={560}>
          <SettingField path="models.downloadLimit" scale={MEGABYTE} unit="MB/s" empty={t('settings:number.noLimit')} />
        </Box>
      </Paper>
    </Stack>
  );
}
