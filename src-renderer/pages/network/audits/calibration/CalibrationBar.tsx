import { Button } from '@mantine/core';
import { IconPlayerStopFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CalibrationRun } from '../../../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { api } from '../../../../api/client.ts';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../../components/Meter.tsx';
import { useFormat } from '../../../../i18n/format.ts';
import classes from '../audits.module.css';
import { fileTitle } from '../use-audits.ts';

/** How far a calibration is, with the way to end it; or why it failed, with the way to begin anew. */
export function CalibrationBar({ run }: { run: CalibrationRun }) {
  const { t } = useTranslation('audits');
  const calibrate = useMutation(api.audits.calibrate.mutationOptions());
  if (run.state === 'failed')
    return (
      <div className={classes.bar}>
        <ErrorNote error={run.error && new QuarryError(run.error)} onRetry={() => calibrate.mutate(undefined)} />
      </div>
    );
  return (
    <section className={classes.bar} aria-label={t('calibration.now')}>
      <div className={classes.barLine}>
        <span className={classes.barWords}>
          <Progress run={run} />
        </span>
        <Cancel />
      </div>
      <Meter parts={[{ share: run.done / run.of }]} label={t('calibration.share', { done: run.done, of: run.of })} />
    </section>
  );
}

function Cancel() {
  const { t } = useTranslation(['audits', 'common']);
  const cancel = useMutation(api.audits.cancelCalibration.mutationOptions());
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
      loading={cancel.isPending}
      onClick={() => cancel.mutate(undefined)}
    >
      {t('common:action.cancel')}
    </Button>
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
