import { Alert, Button, Container, Grid, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Stat } from '../../components/Stat.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { useNode } from '../../state/node.ts';
import { Achievements } from './Achievements.tsx';
import { HealthCard } from './HealthCard.tsx';
import { LiveCharts } from './LiveCharts.tsx';
import { MiningCard } from './MiningCard.tsx';
import { RecentRequests } from './RecentRequests.tsx';
import { TierCard } from './TierCard.tsx';
import { useSummary } from './use-summary.ts';
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

/** What this node has earned. */
function EarnedFigures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data } = useSummary();
  const number = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        {t('earned.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat label={t('earned.today')} value={number(data?.earnedToday)} note={t('earned.todayNote')} />
        <Stat label={t('earned.week')} value={number(data?.earnedWeek)} note={t('earned.weekNote')} />
        <Stat label={t('earned.all')} value={number(data?.points)} note={t('earned.allNote')} />
        <Stat label={t('earned.available')} value={number(data?.available)} note={t('earned.availableNote')} />
      </SimpleGrid>
    </Stack>
  );
}

/** Says where real models are, while the built-in one is loaded. */
function TinyModelHint() {
  const { t } = useTranslation('dashboard');
  const tiny = useNode(({ status }) => status?.engine.model?.tiny ?? false);
  if (!tiny) return null;
  return (
    <Alert color="blue" icon={<IconBulb aria-hidden />} title={t('tiny.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('tiny.text')}</Text>
        <Button component="a" href="#/models/catalogue" size="xs" variant="default">
          {t('tiny.action')}
        </Button>
      </Stack>
    </Alert>
  );
}
