import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageBody } from '../../components/page/PageBody.tsx';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { Creditors } from './Creditors.tsx';
import { DailyEarnings } from './DailyEarnings.tsx';
import { Debtors } from './Debtors.tsx';
import { Figures } from './Figures.tsx';
import { Ledger } from './Ledger.tsx';
import { LedgerProof } from './LedgerProof.tsx';
import { PendingAndSettled } from './PendingAndSettled.tsx';
import { PointSources } from './PointSources.tsx';

/** What this node has earned, where it comes from, and the book that proves it. */
export function Earnings() {
  const { t } = useTranslation('earnings');
  useLedgerNews();
  return (
    <PageBody>
      <Stack gap="lg">
        <Stack gap={4}>
          <Text c="dimmed" maw={760}>
            {t('intro')}
          </Text>
        </Stack>
        <Figures />
        <DailyEarnings />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <PointSources />
          <Stack gap="lg">
            <PendingAndSettled />
            <LedgerProof />
          </Stack>
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Debtors />
          <Creditors />
        </SimpleGrid>
        <Ledger />
      </Stack>
    </PageBody>
  );
}
