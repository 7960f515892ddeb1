import { Alert, Badge, Card, Group, Progress, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { DownloadActions } from './DownloadActions.tsx';

const COLOURS = {
  waiting: 'gray',
  downloading: 'blue',
  offline: 'yellow',
  verifying: 'blue',
  paused: 'yellow',
  failed: 'red',
  done: 'green',
} as const;

/** One download: how far, how fast, from where, and what went wrong. */
export function DownloadCard({ download }: { download: Download }) {
  const { t } = useTranslation('models');
  const { name, state, bytes, received, problem } = download;
  const share = bytes ? received / bytes : 0;
  return (
    <Card withBorder padding="lg" component="article" aria-label={name}>
      <Group justify="space-between" align="flex-start">
        <Group gap="sm">
          <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Badge color={COLOURS[state]} variant="light" role="status">
            {t(`state.${state}`)}
          </Badge>
        </Group>
        <DownloadActions download={download} />
      </Group>
      <Progress
        my="sm"
        size="lg"
        value={share * 100}
        color={COLOURS[state]}
        animated={state === 'downloading'}
        aria-label={t('downloads.progress', { name })}
      />
      <Facts download={download} />
      {problem && (
        <Alert
          mt="sm"
          color={state === 'failed' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle aria-hidden />}
          title={t(state === 'failed' ? 'downloads.failed' : 'downloads.trying')}
        >
          <Text size="sm">{worded(problem, 'message')}</Text>
          {problem.hint && <Text size="sm">{worded(problem, 'hint')}</Text>}
        </Alert>
      )}
    </Card>
  );
}

function Facts({ download }: { download: Download }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { state, bytes, received, bytesPerSecond, secondsLeft, sources } = download;
  const size = bytes === null ? format.bytes(received) : `${format.bytes(received)} / ${format.bytes(bytes)}`;
  const names = sources.map((source) => (source === 'peers' ? t('downloads.peers') : source));
  const facts = [
    size,
    bytes ? format.percent(received / bytes) : undefined,
    state === 'downloading' ? format.rate(bytesPerSecond) : undefined,
    state === 'downloading' && secondsLeft !== null
      ? t('downloads.left', { time: format.duration(secondsLeft * 1_000) })
      : undefined,
    names.length > 0 ? t('downloads.from', { sources: names.join(', ') }) : undefined,
  ];
  return (
    <Text size="sm" c="dimmed">
      {facts.filter((fact) => fact !== undefined).join(' · ')}
    </Text>
  );
}
