import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { Bans } from './Bans.tsx';
import { Marks } from './Marks.tsx';
import { Peers } from './Peers.tsx';
import { ReachabilityCard } from './ReachabilityCard.tsx';
import { ThisNode } from './ThisNode.tsx';

/** Who this node is connected with, how others find it, and who is kept out. */
export function Network() {
  const { t } = useTranslation('network');
  const [attempt, setAttempt] = useState(0);
  const { value: view, error } = useLiveValue(
    (signal) => client.mesh.watchPeers(undefined, { signal }),
    String(attempt),
  );
  return (
    <PageBody>
      <Stack gap="lg">
        <Stack gap={4}>
          <Text c="dimmed" maw={760}>
            {t('intro')}
          </Text>
        </Stack>
        <ErrorNote error={error} onRetry={() => setAttempt(attempt + 1)} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <ReachabilityCard />
          <ThisNode view={view} />
        </SimpleGrid>
        {!view && !error && <Skeleton h={320} />}
        {view && (
          <>
            <Peers peers={view.peers} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <Bans bans={view.bans} />
              <Marks marks={view.marks} more={view.moreMarks} />
            </SimpleGrid>
          </>
        )}
      </Stack>
    </PageBody>
  );
}
