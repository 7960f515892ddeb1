import { Button, Group, Text } from '@mantine/core';
import { IconEraser, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { isHeld, type RecordingView } from '../../../state/recording.ts';
import { ActivityStrip } from '../ActivityStrip.tsx';
import classes from '../focus.module.css';
import { callOff } from '../recording/record.ts';

/** So many seconds are drawn while it goes on. */
const SHOWN_SECONDS = 300;

/** What is being recorded: how long, how much, and how it ends. */
export function RecordingBar({ now }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { phase, title, activeMs, bytes, seconds, waitingBytes, isAway, secondsToGo, controls } = now;
  if (phase === 'choosing' || phase === 'countdown') {
    return (
      <Section title={title}>
        <Group role="status">
          <Text className={classes.clock}>{phase === 'countdown' ? format.number(secondsToGo) : '–'}</Text>
          <Text>{t(phase === 'choosing' ? 'now.choosing' : 'now.countdown')}</Text>
          {phase === 'countdown' && (
            <Button variant="default" leftSection={<IconX size={15} stroke={1.6} aria-hidden />} onClick={callOff}>
              {t('now.callOff')}
            </Button>
          )}
        </Group>
      </Section>
    );
  }
  const held = isHeld(phase);
  const isBusy = phase === 'forgetting' || phase === 'finishing';
  return (
    <Section title={title}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <span className={classes.dot} data-held={held || undefined} aria-hidden />
            <Text className={classes.clock} role="timer">
              {lengthText(activeMs)}
            </Text>
            <Text c="var(--q-ink-2)">{format.bytes(bytes)}</Text>
          </Group>
          <Text size="sm" c="var(--q-ink-2)" role="status">
            {t(`phase.${phase}`)}
          </Text>
        </div>
        <Group gap="xs">
          {phase === 'paused' ? (
            <Button leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />} onClick={controls?.resume}>
              {t('now.resume')}
            </Button>
          ) : (
            <Button
              variant="default"
              disabled={isBusy}
              leftSection={<IconPlayerPause size={15} stroke={1.6} aria-hidden />}
              onClick={controls?.pause}
            >
              {t('now.pause')}
            </Button>
          )}
          <Button
            variant="default"
            disabled={isBusy || activeMs === 0}
            leftSection={<IconEraser size={15} stroke={1.6} aria-hidden />}
            onClick={controls?.forgetLastMinute}
          >
            {t('now.forget')}
          </Button>
          <Button
            color="red"
            loading={phase === 'finishing'}
            leftSection={<IconPlayerStop size={15} stroke={1.6} aria-hidden />}
            onClick={controls?.finish}
          >
            {t('now.finish')}
          </Button>
        </Group>
      </Group>
      <ActivityStrip seconds={seconds.slice(-SHOWN_SECONDS)} label={t('activity.now')} />
      <Text size="sm" c="var(--q-ink-2)">
        {isAway ? t('now.away', { waiting: format.bytes(waitingBytes) }) : t('now.stays')}
      </Text>
    </Section>
  );
}
