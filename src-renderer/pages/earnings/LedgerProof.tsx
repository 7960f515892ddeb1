import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerReport } from '../../../src-preload/contract/credits.ts';
import { client } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { wordedList } from '../../i18n/worded.ts';
import { LedgerCheck } from './LedgerCheck.tsx';

/** Has main prove the ledger and says what came of it; offers the repair where there is one. */
export function LedgerProof() {
  const { t } = useTranslation('earnings');
  const [asking, setAsking] = useState(false);
  const proof = useMutation({
    mutationFn: (what: 'verify' | 'full' | 'rebuild') =>
      what === 'rebuild' ? client.credits.rebuild() : client.credits.verify({ full: what === 'full' }),
    onMutate: () => setAsking(false),
  });
  const { data, error, isPending, variables = 'verify' } = proof;
  return (
    <Section title={t('proof.title')} description={t('proof.description')}>
      <LedgerCheck />
      <Group>
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={16} aria-hidden />}
          onClick={() => proof.mutate('verify')}
          disabled={isPending}
        >
          {t('proof.verify')}
        </Button>
      </Group>
      <Stack gap="sm" role="status">
        {isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t(`proof.running.${variables}`)}</Text>
          </Group>
        )}
        {!isPending && data && (
          <Report report={data} onFull={() => proof.mutate('full')} onRebuild={() => setAsking(true)} />
        )}
      </Stack>
      <ErrorNote error={error} onRetry={() => proof.mutate(variables)} />
      <ConfirmDialog
        opened={asking}
        title={t('proof.rebuild')}
        action={t('proof.confirm')}
        colour="quarry"
        onConfirm={() => proof.mutate('rebuild')}
        onClose={() => setAsking(false)}
      >
        {t('proof.question')}
      </ConfirmDialog>
    </Section>
  );
}

function Report({ report, onFull, onRebuild }: { report: LedgerReport; onFull: () => void; onRebuild: () => void }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const counted = t('proof.counted', {
    entries: format.number(report.entries),
    receipts: format.number(report.receipts),
    open: format.number(report.openReservations),
  });
  if (report.ok) {
    return (
      <Alert color="green" icon={<IconShieldCheck aria-hidden />} title={t('proof.ok')}>
        {counted}
        {report.provenBefore !== undefined && (
          <Group gap="sm" mt="xs">
            <Text size="sm">{t('proof.before', { entry: format.number(report.provenBefore) })}</Text>
            <Button size="xs" variant="default" onClick={onFull}>
              {t('proof.full')}
            </Button>
          </Group>
        )}
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('proof.failed')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{counted}</Text>
        <List size="sm">
          {wordedList(report.problems, report.said).map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
        <Text size="sm">{t('proof.advice')}</Text>
        <Button size="xs" variant="default" onClick={onRebuild}>
          {t('proof.rebuild')}
        </Button>
      </Stack>
    </Alert>
  );
}
