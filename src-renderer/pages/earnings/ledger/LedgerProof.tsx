import { Box, Button, List, Loader } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerReport } from '../../../../src-preload/contract/credits.ts';
import { client } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { wordedList } from '../../../i18n/worded.ts';
import { onWantedAction } from '../../../state/wanted.ts';

/** Has main verify the ledger; what came of it stands below the buttons, with the repair where there is one. */
export function LedgerProof() {
  const { t } = useTranslation('earnings');
  const [asking, setAsking] = useState(false);
  const proof = useMutation({
    mutationFn: (what: 'verify' | 'full' | 'rebuild') =>
      what === 'rebuild' ? client.credits.rebuild() : client.credits.verify({ full: what === 'full' }),
    onMutate: () => setAsking(false),
  });
  const { mutate } = proof;
  useEffect(() => onWantedAction('verifyLedger', () => mutate('verify')), [mutate]);
  const { data, error, isPending, variables = 'verify' } = proof;
  return (
    <>
      <Button
        variant="default"
        leftSection={
          isPending ? <Loader size={14} aria-hidden /> : <IconShieldCheck size={15} stroke={1.6} aria-hidden />
        }
        onClick={() => proof.mutate('verify')}
        disabled={isPending}
      >
        {t('proof.verify')}
      </Button>
      <Box w="100%" role="status" style={{ order: 1 }} hidden={!isPending && !data}>
        {isPending && <Note>{t(`proof.running.${variables}`)}</Note>}
        {!isPending && data && (
          <Report report={data} onFull={() => proof.mutate('full')} onRebuild={() => setAsking(true)} />
        )}
      </Box>
      {error && (
        <Box w="100%" style={{ order: 1 }}>
          <ErrorNote error={error} onRetry={() => proof.mutate(variables)} />
        </Box>
      )}
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
    </>
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
    const again = (
      <Button size="xs" variant="default" onClick={onFull}>
        {t('proof.full')}
      </Button>
    );
    const partly = report.provenBefore !== undefined;
    return (
      <Note state="good" icon={IconShieldCheck} title={t('proof.ok')} actions={partly && again}>
        {counted} {partly && t('proof.before', { entry: format.number(report.provenBefore ?? 0) })}
      </Note>
    );
  }
  const repair = (
    <Button size="xs" variant="default" onClick={onRebuild}>
      {t('proof.rebuild')}
    </Button>
  );
  return (
    <Note state="error" icon={IconAlertTriangle} title={t('proof.failed')} actions={repair}>
      {counted}
      <List size="sm" my={4}>
        {wordedList(report.problems, report.said).map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
      {t('proof.advice')}
    </Note>
  );
}
