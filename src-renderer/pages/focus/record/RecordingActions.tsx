import { Button } from '@mantine/core';
import { IconEraser, IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { RecordingView } from '../../../state/recording.ts';
import classes from './record.module.css';

/** What can be done with what is being recorded. */
export function RecordingActions({ now: { phase, activeMs, controls } }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  const isBusy = phase === 'forgetting' || phase === 'finishing';
  const isPaused = phase === 'paused';
  const PauseIcon = isPaused ? IconPlayerPlayFilled : IconPlayerPauseFilled;
  return (
    <div className={classes.actions}>
      <Button
        color="red"
        disabled={isBusy}
        loading={phase === 'finishing'}
        leftSection={<IconPlayerStopFilled size={15} aria-hidden />}
        onClick={controls?.finish}
      >
        {t('now.finish')}
      </Button>
      <Button
        variant="default"
        disabled={isBusy}
        leftSection={<PauseIcon size={15} aria-hidden />}
        onClick={isPaused ? controls?.resume : controls?.pause}
      >
        {t(isPaused ? 'now.resume' : 'now.pause')}
      </Button>
      <Button
        variant="default"
        disabled={isBusy || activeMs === 0}
        leftSection={<IconEraser size={15} stroke={1.6} aria-hidden />}
        onClick={controls?.forgetLastMinute}
      >
        {t('now.forget')}
      </Button>
    </div>
  );
}
