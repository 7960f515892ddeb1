import { Box, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { Section } from '../../../components/Section.tsx';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import { OfferedVersions } from './OfferedVersions.tsx';
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
  if (!data && !error) return <TableSkeleton rows={4} />;
  return (
    <PageBody>
      {apart && <NotOnTheNetwork />}
      {!apart && <ErrorNote error={error} onRetry={refetch} />}
      {data && !apart && (
        <>
          <SharedModels sharing={data} />
          <Offers />
          <OfferedVersions />
          <Section title={t('sharing.settings')} description={t('sharing.intro')}>
            <Group align="flex-start" gap="xl">
              <Box w={340} maw="100%">
                <SettingField path="sharing.seed" />
              </Box>
              <Box w={340} maw="100%">
                <SettingField path="sharing.uploadLimit" scale={MEGABYTE} unit="MB/s" />
              </Box>
            </Group>
          </Section>
        </>
      )}
    </PageBody>
  );
}

/** Not an error: somebody chose it so, or the node has just begun. Says how to take part. */
function NotOnTheNetwork() {
  const { t } = useTranslation('models');
  return (
    <Box maw={560}>
      <Note icon={IconPlugConnectedX} title={t('sharing.apart')}>
        {t('sharing.apartHelp')}
      </Note>
      <Box mt="lg">
        <SettingField path="models.fromPeers" />
      </Box>
      <Box mt="md">
        <SettingField path="sharing.seed" />
      </Box>
      <Text size="xs" c="dimmed" mt="md">
        {t('sharing.intro')}
      </Text>
    </Box>
  );
}
