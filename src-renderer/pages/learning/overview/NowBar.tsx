import { Button } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LearningNow, LearningProgress, LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../learning.module.css';
import { Quotes } from '../Quotes.tsx';
import { type LiveLearning, refreshLearning } from '../use-learning.ts';
import { NOW_LOOKS, PHASES } from './now-looks.ts';

/** How it stands now and why, and what can be done about it. */
export function NowBar({ learning: { now, status, error, again } }: { learning: LiveLearning }) {
  const { t } = useTranslation('learning');
  const changed = { onSettled: refreshLearning };
  const start = useMutation(api.learning.start.mutationOptions(changed));
  const pause = useMutation(api.learning.pause.mutationOptions(changed));
  const cancel = useMutation(api.learning.cancel.mutationOptions(changed));
  const isLearning = now?.state === 'learning';
  const waiting = status?.feedback.waiting ?? 0;
  const aside = status?.feedback.aside ?? 0;
  const hasSome = waiting > 0 || aside > 0 || (now?.run ?? null) !== null;
  const look = now && NOW_LOOKS[now.state];
  return (
    <section className={classes.now} aria-label={t('now.title')}>
      <div className={classes.nowLine}>
        {now && look && (
          <span role="status">
            <StateChip state={look.state} icon={look.icon}>
              {t(`now.state.${now.state}`)}
            </StateChip>
          </span>
        )}
        <span className={classes.nowWords}>{now && <Words now={now} waiting={waiting} aside={aside} />}</span>
        {isLearning && (
          <Button
            variant="default"
            leftSection={<IconPlayerPauseFilled size={15} aria-hidden />}
            loading={pause.isPending}
            onClick={() => pause.mutate(undefined)}
          >
            {t('now.pause')}
          </Button>
        )}
        {now && !isLearning && (
          <Button
            variant={hasSome ? 'filled' : 'default'}
            leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
            disabled={!hasSome}
            loading={start.isPending}
            onClick={() => start.mutate(undefined)}
          >
            {t(now.state === 'paused' && now.run ? 'now.goOn' : 'now.start')}
          </Button>
        )}
        {now?.run && (
          <Button
            variant="default"
            leftSection={<IconX size={15} stroke={1.6} aria-hidden />}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            {t('now.cancel')}
          </Button>
        )}
      </div>
      {now?.run && <Progress run={now.run} progress={now.progress} />}
      <ErrorNote error={start.error ?? pause.error ?? cancel.error} />
      <ErrorNote error={error} onRetry={again} />
    </section>
  );
}

function Words({ now: { state, why, run }, waiting, aside }: { now: LearningNow; waiting: number; aside: number }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  if (state === 'learning') return run ? t(`phase.${run.state}`) : t('phase.queued');
  if (state === 'paused') return t('now.pausedWhy');
  if (waiting === 0 && !run) {
    return aside > 0 ? t('now.onlyAside', { count: aside, formatted: format.number(aside) }) : t('now.nothing');
  }
  if (state === 'held') return t('now.heldWhy');
  const reasons = why.map((reason) => worded(reason, 'text'));
  return reasons.length > 0 ? reasons.join(' ') : t('now.soon', { count: waiting, formatted: format.number(waiting) });
}

interface ProgressProps {
  run: LearningRunView;
  progress: LearningProgress | null;
}

/** How far a run is: a run may end before its last step, when it was seen that it is enough. Beside its steps, how far it is with the questions that it asks. */
function Progress({ run, progress }: ProgressProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const asked =
    progress && t(`now.${progress.doing}`, { done: format.number(progress.done), of: format.number(progress.of) });
  const told = [
    asked,
    t('now.step', { step: format.number(run.step), steps: format.number(run.steps) }),
    run.seconds > 0 && t('now.spent', { time: format.duration(run.seconds * 1_000) }),
    run.wattHours !== null && t('wattHours', { formatted: format.number(run.wattHours, 1) }),
  ].filter(Boolean);
  const stepped = run.steps > 0 ? run.step / run.steps : 0;
  // While it learns, it looks at the steps before; else the questions are all that it does.
  const isAsking = progress !== null && run.state !== 'training';
  const share = isAsking ? progress.done / progress.of : stepped;
  return (
    <div className={classes.progress}>
      <div className={classes.from}>
        <Quotes feedback={run.feedback} />
      </div>
      <Meter
        label={isAsking && asked ? asked : t('now.progress', { share: format.percent(share) })}
        parts={[{ share }]}
      />
      <ol className={classes.phases} aria-label={t('now.phases')}>
        {PHASES.map((phase) => (
          <li key={phase} aria-current={phase === run.state ? 'step' : undefined}>
            {t(`phase.short.${phase}`)}
          </li>
        ))}
      </ol>
      <span className={classes.told}>{told.join(' · ')}</span>
    </div>
  );
}
