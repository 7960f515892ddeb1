import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Figure, Figures } from '../../components/Figures.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { useNode } from '../../state/node.ts';
import { Achievements } from './Achievements.tsx';
import { HealthCard } from './HealthCard.tsx';
import { LiveCharts } from './LiveCharts.tsx';
import { RecentRequests } from './RecentRequests.tsx';
import { TierCard } from './TierCard.tsx';
import { useSummary } from './use-summary.ts';
import { WorkFigures } from './WorkFigures.tsx';

/** What this computer does for the mesh, and what that brings. */
export function Dashboard() {
  useLedgerNews();
  // What is measured is measured for the mesh: on a node that serves nobody there is nothing to see.
  const serves = useNode(({ status }) => !status || status.mining !== undefined);
  return (
    <PageBody>
      <TinyModelHint />
      <EarnedFigures />
      <TierCard />
      {serves && (
        <>
          <WorkFigures />
          <LiveCharts />
          <HealthCard />
          <RecentRequests />
          <Achievements />
        </>
      )}
    </PageBody>
  );
}

/** What this node has earned. */
function EarnedFigures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data } = useSummary();
  const number = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <Figures>
      <Figure hero earned label={t('earned.today')} value={number(data?.earnedToday)} note={t('earned.todayNote')} />
      <Figure label={t('earned.week')} value={number(data?.earnedWeek)} note={t('earned.weekNote')} />
      <Figure label={t('earned.all')} value={number(data?.points)} note={t('earned.allNote')} />
      <Figure label={t('earned.available')} value={number(data?.available)} note={t('earned.availableNote')} />
    </Figures>
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
