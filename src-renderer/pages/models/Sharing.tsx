import { Alert, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { Offers } from './Offers.tsx';
import { SharedModels } from './SharedModels.tsx';

const REFRESH_MS = 2_000;
const MEGABYTE = 1_000_000;

/** Model files between nodes: what others get from here, and what they offer. */
export function Sharing() {
  const { t } = useTranslation('models');
  const { data, error, refetch } = useAnswer(api.models.sharing.queryOptions({ refetchInterval: REFRESH_MS }));
  const failure = error ? toQuarryError(error) : undefined;
  const apart = failure?.code === 'NOT_RUNNING' && !failure.retryable;
  return (
    <Stack>
      <div>
        <Title order={2} size="h3">
          {t('place.sharing')}
        </Title>
        <Text size="sm" c="dimmed" maw={720}>
          {t('sharing.intro')}
        </Text>
      </div>
      {apart && <NotOnTheNetwork />}
      {!apart && <ErrorNote error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={240} />}
      {data && !apart && (
        <>
          <SharedModels sharing={data} />
          <Paper withBorder p="lg">
            <Stack maw={560}>
              <SettingField path="sharing.seed" />
              <SettingField path="sharing.uploadLimit" scale={MEGABYTE} unit="MB/s" />
            </Stack>
          </Paper>
          <Offers />
        </>
      )}
    </Stack>
  );
}

/** Not an error: somebody chose it so, or the node has just begun. Says how to take part. */
function NotOnTheNetwork() {
  const { t } = useTranslation('models');
  return (
    <>
      <Alert color="blue" icon={<IconPlugConnectedX aria-hidden />} title={t('sharing.apart')}>
        {t('sharing.apartHelp')}
      </Alert>
      <Paper withBorder p="lg">
        <Stack maw={560}>
          <SettingField path="models.fromPeers" />
          <SettingField path="sharing.seed" />
        </Stack>
      </Paper>
    </>
  );
}
