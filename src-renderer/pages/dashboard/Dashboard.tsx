import { Container, Grid, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { useNode } from '../../state/node.ts';
import { Achievements } from './Achievements.tsx';
import { EarnedFigures } from './EarnedFigures.tsx';
import { HealthCard } from './HealthCard.tsx';
import { LiveCharts } from './LiveCharts.tsx';
import { MiningCard } from './MiningCard.tsx';
import { RecentRequests } from './RecentRequests.tsx';
import { TierCard } from './TierCard.tsx';
import { TinyModelHint } from './TinyModelHint.tsx';
import { WorkFigures } from './WorkFigures.tsx';

/** What this computer does for the mesh, and what that brings. */
export function Dashboard() {
  const { t } = useTranslation('dashboard');
  useLedgerNews();
  // What is measured is measured for the mesh: on a node that serves nobody there is nothing to see.
  const serves = useNode(({ status }) => !status || status.mining !== undefined);
  return (
    <Container fluid maw={1200} p={0}>
      <Stack gap="lg">
        <Title order={1}>{t('title')}</Title>
        <TinyModelHint />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <MiningCard />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <TierCard />
          </Grid.Col>
        </Grid>
        <EarnedFigures />
        {serves && (
          <>
            <WorkFigures />
            <HealthCard />
            <LiveCharts />
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <RecentRequests />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 4 }}>
                <Achievements />
              </Grid.Col>
            </Grid>
          </>
        )}
      </Stack>
    </Container>
  );
}
