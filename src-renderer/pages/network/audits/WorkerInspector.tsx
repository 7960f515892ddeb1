import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AuditCalibrationView, WorkerAuditView } from '../../../../src-preload/contract/audits.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { CopyId } from '../CopyId.tsx';
import classes from './audits.module.css';
import { MeansTable } from './MeansTable.tsx';
import { SaveReport } from './report/SaveReport.tsx';
import { useFindingWords } from './use-finding-words.ts';
import { VerdictChip } from './VerdictChip.tsx';
import type { Verdict } from './verdict.ts';

interface WorkerInspectorProps {
  audit: WorkerAuditView;
  verdict: Verdict;
  /** What its file is called here. */
  file: string;
  calibration: AuditCalibrationView | undefined;
}

/** Everything about a worker with a file: what is to be said of it and why, what follows from that, and the figures. */
export function WorkerInspector({ audit, verdict, file, calibration }: WorkerInspectorProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const { worker, model, answers, tokens, at } = audit;
  return (
    <Inspector title={shortId(worker)} description={<VerdictChip verdict={verdict} />}>
      <Block>
        <Text size="sm">{t(`means.${verdict}`)}</Text>
        {audit.finding && <Consequence audit={audit} finding={audit.finding} />}
      </Block>
      <Block title={t('inspector.means')}>
        <MeansTable audit={audit} calibration={calibration} />
      </Block>
      <Block title={t('inspector.looked')}>
        <Facts
          facts={[
            [t('inspector.file'), file],
            [t('inspector.answers'), format.number(answers)],
            [t('table.tokens'), format.number(tokens)],
            [t('inspector.last'), format.relative(at)],
          ]}
        />
      </Block>
      <Block title={t('inspector.id')}>
        <LongId id={worker} />
        <Text size="xs" c="dimmed" mt={8}>
          {t('inspector.sha256')}
        </Text>
        <LongId id={model} />
      </Block>
    </Inspector>
  );
}

interface ConsequenceProps {
  audit: WorkerAuditView;
  finding: NonNullable<WorkerAuditView['finding']>;
}

function Consequence({ audit: { worker, model, newcomerUntil }, finding }: ConsequenceProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const found = useFindingWords();
  return (
    <div className={classes.consequence}>
      <Note state="error" icon={IconAlertTriangle} title={found(finding)}>
        {newcomerUntil === null
          ? t('inspector.wasNewcomer')
          : t('inspector.newcomer', { day: format.time(newcomerUntil) })}
      </Note>
      <SaveReport worker={worker} model={model} />
    </div>
  );
}

function LongId({ id }: { id: string }) {
  return (
    <Text size="xs" ff="monospace" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
      {id}
      <CopyId id={id} />
    </Text>
  );
}
