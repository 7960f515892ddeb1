import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CalibrationRun } from '../../../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { api } from '../../../../api/client.ts';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../../i18n/format.ts';
import classes from '../audits.module.css';
import { fileTitle } from '../use-audits.ts';
import { WorkBar } from '../WorkBar.tsx';

/** How far a calibration is, with the way to end it; or why it failed, with the way to begin anew. */
export function CalibrationBar({ run }: { run: CalibrationRun }) {
  const calibrate = useMutation(api.audits.calibrate.mutationOptions());
  if (run.state === 'failed')
    return (
      <div className={classes.bar}>
        <ErrorNote error={run.error && new QuarryError(run.error)} onRetry={() => calibrate.mutate(undefined)} />
      </div>
    );
  return <Running run={run} />;
}

function Running({ run }: { run: CalibrationRun }) {
  const { t } = useTranslation('audits');
  const cancel = useMutation(api.audits.cancelCalibration.mutationOptions());
  return (
    <WorkBar
      label={t('calibration.now')}
      share={run.done / run.of}
      shareLabel={t('calibration.share', { done: run.done, of: run.of })}
      isEnding={cancel.isPending}
      onCancel={() => cancel.mutate(undefined)}
    >
      <Progress run={run} />
    </WorkBar>
  );
}

function Progress({ run: { state, name, done, of, secondsLeft } }: { run: CalibrationRun }) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  if (state === 'loading' || name === null) return t('calibration.loading');
  return [
    t('calibration.running', { name: fileTitle(name), done: format.number(done), of: format.number(of) }),
    secondsLeft !== null && secondsLeft > 0 && t('calibration.left', { time: format.duration(1_000 * secondsLeft) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
