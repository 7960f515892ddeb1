import { Button } from '@mantine/core';
import { IconLock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { mostMoved } from '../../../../src-preload/contract/most-moved.ts';
import { isDesktop } from '../../../api/port.ts';
import { Key } from '../../../components/Key.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { isHeld, type RecordingView } from '../../../state/recording.ts';
import { ACTIVITY_BARS, ActivityStrip } from '../ActivityStrip.tsx';
import { PANIC_KEYS } from '../recording/panic-key.ts';
import { callOff } from '../recording/record.ts';
import { busyMs } from './busy.ts';
import { Preview } from './Preview.tsx';
import { RecordingActions } from './RecordingActions.tsx';
import classes from './record.module.css';

/** So many seconds are drawn while it goes on. */
const SHOWN_SECONDS = 300;
const MINUTE_MS = 60_000;

/** What is being recorded: how it looks, how long, how much, and how it ends. */
export function RecordingBar({ now }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  const isEarly = now.phase === 'choosing' || now.phase === 'countdown';
  return (
    <>
      <section className={classes.bar} aria-label={t('recording')}>
        {now.stream && now.phase !== 'finishing' && <Preview stream={now.stream} isHeld={isHeld(now.phase)} />}
        {isEarly ? <Early now={now} /> : <Running now={now} />}
      </section>
      <Trouble now={now} />
      <Stays now={now} />
      {!isEarly && <PanicHint />}
    </>
  );
}

function Early({ now: { phase, title, secondsToGo } }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const isCounting = phase === 'countdown';
  return (
    <>
      <div className={classes.told} role="status">
        {isCounting && <div className={classes.clock}>{format.number(secondsToGo)}</div>}
        <p className={classes.task}>{title}</p>
        <p className={classes.hint}>
          {t(isCounting ? 'now.countdown' : isDesktop() ? 'now.choosingHere' : 'now.choosing')}
        </p>
      </div>
      {isCounting && (
        <div className={classes.actions}>
          <Button variant="default" leftSection={<IconX size={15} stroke={1.6} aria-hidden />} onClick={callOff}>
            {t('now.callOff')}
          </Button>
        </div>
      )}
    </>
  );
}

function Running({ now }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { phase, title, activeMs, bytes, isAway, seconds, isCounted = false } = now;
  const shown = seconds.slice(-SHOWN_SECONDS).map(({ motion }) => motion);
  return (
    <>
      <div className={classes.told}>
        <div className={classes.head}>
          <span className={classes.dot} data-held={isHeld(phase) || undefined} aria-hidden />
          <span className={classes.clock} role="timer">
            {lengthText(activeMs)}
          </span>
          <span className={classes.size}>{format.bytes(bytes)}</span>
          <span className={classes.phase} data-held={isHeld(phase) || undefined} role="status">
            {t(phase === 'finishing' && isAway ? 'now.finishingLater' : `phase.${phase}`)}
          </span>
        </div>
        <p className={classes.task}>{title}</p>
        <ActivityStrip motion={mostMoved(shown, ACTIVITY_BARS)} label={t('activity.now')} />
        <Busy busy={busyMs(seconds, isCounted)} all={activeMs} isCounted={isCounted} />
      </div>
      <RecordingActions now={now} />
    </>
  );
}

/** In minutes once there are some. */
function Busy({ busy, all, isCounted }: { busy: number; all: number; isCounted: boolean }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const told =
    all < 2 * MINUTE_MS
      ? t('now.busy', { busy: lengthText(busy), all: lengthText(all) })
      : t('now.busyMinutes', {
          busy: format.number(Math.floor(busy / MINUTE_MS)),
          all: format.number(Math.floor(all / MINUTE_MS)),
        });
  return (
    <p className={classes.hint}>
      {told} {!isCounted && t('now.notCounted')} {t('new.bounds')}
    </p>
  );
}

/** The node is away, a sound is gone, something is in sight that must not be. */
function Trouble({
  now: { isAway, isBehind, waitingBytes, lost, coveredBy, forgottenMs = 0 },
}: {
  now: RecordingView;
}) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <>
      {isAway && <Word>{t('now.away', { waiting: format.bytes(waitingBytes) })}</Word>}
      {isBehind && <Word>{t('now.behind', { waiting: format.bytes(waitingBytes) })}</Word>}
      {forgottenMs > 0 && <Word>{t('now.forgotten', { length: lengthText(forgottenMs) })}</Word>}
      {lost && <Word>{t(`now.lost.${lost}`)}</Word>}
      {coveredBy !== undefined && <Word>{t('now.covered', { name: coveredBy })}</Word>}
    </>
  );
}

function Word({ children }: { children: string }) {
  return (
    <Note state="pause" role="status" spaced>
      {children}
    </Note>
  );
}

/** The key for what nobody should have seen. */
function PanicHint() {
  const { t } = useTranslation('focus');
  return (
    <p className={classes.key}>
      <Key>{PANIC_KEYS}</Key>
      {t(isDesktop() ? 'now.panicEverywhere' : 'now.panicHere')}
    </p>
  );
}

/** What is seen and heard, and where it goes. */
function Stays({ now: { surface, sound, isAway } }: { now: RecordingView }) {
  const { t } = useTranslation('focus');
  if (!surface) return null;
  const { microphone, system } = sound;
  const heard = microphone && system ? 'both' : microphone ? 'microphone' : system ? 'system' : 'none';
  return (
    <p className={classes.stays}>
      <IconLock size={15} stroke={1.6} aria-hidden />
      <span>
        {t(`now.heard.${heard}`, { surface: t(`surface.${surface}`) })} {t(isAway ? 'now.staysAway' : 'now.stays')}
      </span>
    </p>
  );
}
