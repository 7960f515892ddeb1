import { ActionIcon, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconChevronDown,
  IconEraser,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lengthText } from '../../src-preload/contract/length-text.ts';
import { isHeld, type RecordingView, useRecording } from '../state/recording.ts';
import classes from './recording-chip.module.css';

/** In the header of every page: that this page records, or pauses, and for how long; and what can be done with it, also while the node is away. */
export function RecordingChip() {
  const now = useRecording((recording) => recording.now);
  return now?.controls ? <Chip now={now} controls={now.controls} /> : null;
}

interface ChipProps {
  now: RecordingView;
  controls: NonNullable<RecordingView['controls']>;
}

function Chip({ now: { phase, activeMs }, controls }: ChipProps) {
  const { t } = useTranslation('focus');
  const held = isHeld(phase);
  const isPaused = phase === 'paused';
  const isBusy = phase === 'forgetting' || phase === 'finishing';
  const pauseLabel = t(isPaused ? 'now.resume' : 'now.pause');
  const togglePaused = isPaused ? controls.resume : controls.pause;
  return (
    <div className={classes.chip} data-held={held || undefined}>
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton className={classes.told}>
            <span className={classes.dot} />
            <VisuallyHidden>{t(`phase.${phase}`)}</VisuallyHidden>
            <span className={classes.clock}>{lengthText(activeMs)}</span>
            <IconChevronDown size={14} stroke={1.8} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t(`phase.${phase}`)}</Menu.Label>
          <Menu.Item
            leftSection={isPaused ? <IconPlayerPlayFilled size={15} /> : <IconPlayerPauseFilled size={15} />}
            disabled={isBusy}
            onClick={togglePaused}
          >
            {pauseLabel}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconEraser size={15} stroke={1.6} />}
            disabled={isBusy}
            onClick={controls.forgetLastMinute}
          >
            {t('now.forget')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlayerStopFilled size={15} />}
            disabled={isBusy}
            color="red"
            onClick={controls.finish}
          >
            {t('now.finish')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        radius="xl"
        disabled={isBusy}
        aria-label={pauseLabel}
        title={pauseLabel}
        onClick={togglePaused}
      >
        {isPaused ? <IconPlayerPlayFilled size={13} aria-hidden /> : <IconPlayerPauseFilled size={13} aria-hidden />}
      </ActionIcon>
    </div>
  );
}
