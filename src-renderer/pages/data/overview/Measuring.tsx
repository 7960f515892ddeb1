import { Progress } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CalibrationStep, MeasuredModel } from '../../../../src-preload/contract/data-calibration.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { measure, useMeasuring } from './thresholds-work.ts';

/** How far measuring is, or what went wrong with it. */
export function Measuring() {
  const work = useMeasuring((all) => all.work);
  if (!work?.isRunning && !work?.error) return null;
  return (
    <div className={classes.measuring}>
      {work.isRunning && <HowFar step={work.step} />}
      <ErrorNote error={work.error} onRetry={() => void measure()} />
    </div>
  );
}

function HowFar({ step }: { step: CalibrationStep | undefined }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const progress = step?.type === 'progress' ? step : undefined;
  const { done = 0, of = 0, secondsLeft = null } = progress ?? {};
  const facts = [
    progress && t('threshold.doneOf', { done: format.number(done), of: format.number(of) }),
    secondsLeft && t('threshold.left', { time: format.duration(1_000 * secondsLeft) }),
  ];
  return (
    <>
      <p className={classes.reason}>
        {/* Said aloud once: the figures change with each clip. */}
        <span role="status">{t('threshold.now')}</span>
        {facts.map((fact) => fact && ` · ${fact}`)}
      </p>
      <Progress
        value={of > 0 ? (done / of) * 100 : 100}
        animated={of === 0}
        size="sm"
        aria-label={t('threshold.progress')}
      />
    </>
  );
}

/** Why models were not measured, and what can be done, until it is tried again. */
export function Unmeasured() {
  const step = useMeasuring(({ work }) => work?.step);
  if (step?.type !== 'done') return null;
  return step.models.map((model) => <WhyUnmeasured key={model.kind} model={model} />);
}

function WhyUnmeasured({ model: { name, reason } }: { model: MeasuredModel }) {
  const { t } = useTranslation('data');
  if (!reason) return null;
  return (
    <div className={classes.measuring}>
      <Note icon={IconInfoCircle} role="status" title={t('threshold.failed', { model: name })}>
        {worded(reason, 'text')}
      </Note>
    </div>
  );
}
