import { Alert, Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { CancelDownload } from './CancelDownload.tsx';
import { rests } from './choices.ts';

/** A download on its way: how far, how fast, how long yet, and what can be done with it. */
export function DownloadCard({ download, title }: { download: Download; title?: string | undefined }) {
  const { t } = useTranslation(['welcome', 'common']);
  const [asking, ask] = useDisclosure();
  const pause = useMutation(api.models.pause.mutationOptions());
  const resume = useMutation(api.models.resume.mutationOptions());
  const { name, state, problem } = download;
  const stands = rests(download);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('download.label', { name })}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {title ?? name}
          </Title>
          <Text size="sm" role="status">
            {t(`download.state.${state}`)}
          </Text>
        </Group>
        <HowFar download={download} />
        {problem && (
          <Alert color={stands ? 'red' : 'yellow'} icon={<IconAlertTriangle aria-hidden />} role="alert">
            <Text size="sm">{[worded(problem, 'message'), worded(problem, 'hint')].filter(Boolean).join(' ')}</Text>
            {state === 'failed' && <Text size="sm">{t('download.failedHelp')}</Text>}
          </Alert>
        )}
        <ErrorNote error={pause.error ?? resume.error} />
        <Group gap="sm">
          {stands ? (
            <Button size="sm" variant="light" loading={resume.isPending} onClick={() => resume.mutate({ name })}>
              {t(state === 'failed' ? 'common:error.retry' : 'download.resume')}
            </Button>
          ) : (
            <Button size="sm" variant="light" loading={pause.isPending} onClick={() => pause.mutate({ name })}>
              {t('download.pause')}
            </Button>
          )}
          <Button size="sm" variant="subtle" color="red" onClick={ask.open}>
            {t('download.cancel')}
          </Button>
        </Group>
      </Stack>
      <CancelDownload download={download} opened={asking} onClose={ask.close} />
    </Paper>
  );
}

function HowFar({
  download: { name, state, bytes, received, bytesPerSecond, secondsLeft, sources },
}: {
  download: Download;
}) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const share = bytes ? received / bytes : 0;
  const moving = state === 'downloading';
  const facts = [
    bytes === null
      ? format.bytes(received)
      : t('download.received', {
          received: format.bytes(received),
          bytes: format.bytes(bytes),
          share: format.percent(share),
        }),
    moving && format.rate(bytesPerSecond),
    moving && secondsLeft !== null && t('download.left', { time: format.duration(secondsLeft * 1_000) }),
    moving && sources.length > 0 && t('download.from', { sources: sources.join(', ') }),
  ];
  return (
    <Stack gap={4}>
      <Progress value={100 * share} size="lg" animated={moving} aria-label={t('download.label', { name })} />
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  );
}
