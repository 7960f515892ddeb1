import { Anchor, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { api } from '../../api/client.ts';
import { connection, useConnection } from '../../api/connection.ts';
import { useOutdated } from '../../api/outdated.ts';
import { isDesktop } from '../../api/port.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { useRecording } from '../../state/recording.ts';
import { CopyButton } from '../copy/CopyButton.tsx';
import { tellError } from '../errors/tell-error.ts';
import { Banner } from './Banner.tsx';
import { SavedRecording } from './SavedRecording.tsx';

/** Says below the header that main is out of reach, that settings wait for a restart, or that a recording was saved; mostly nothing. */
export function Banners() {
  const { state } = useConnection();
  const outdated = useOutdated();
  const { data } = useAnswer(api.settings.list.queryOptions());
  const saved = useRecording((recording) => recording.saved);
  if (state === 'lost') return <Lost />;
  return (
    <>
      {outdated && <Outdated />}
      {data?.rejected && <Rejected why={data.rejected} />}
      {data?.restartNeeded && <RestartNeeded />}
      {saved && <SavedRecording key={saved.id} saved={saved} />}
    </>
  );
}

/** A restart takes less; the desktop app starts its node by itself. */
const MAYBE_STOPPED_AFTER_MS = 20_000;
const START_LINE = 'quarry start';

/** When it is tried again, and how old what is shown is. */
function Lost() {
  const { t } = useTranslation();
  const format = useFormat();
  const { lostAt, nextTryAt } = useConnection();
  const seconds = useSecondsUntil(nextTryAt); // shown anew each second
  const isLongGone = lostAt !== undefined && Date.now() - lostAt > MAYBE_STOPPED_AFTER_MS;
  const maybeStopped = isLongGone && !isDesktop();
  return (
    <Banner
      state="error"
      icon={IconPlugConnectedX}
      role="status"
      action={
        <Group gap="xs" ml="auto" wrap="nowrap">
          {maybeStopped && <CopyButton text={START_LINE} size="xs" />}
          <Button size="xs" variant="default" onClick={() => void connection.open()}>
            {t('connection.tryNow')}
          </Button>
        </Group>
      }
    >
      <b>{t('connection.lost')}</b>{' '}
      <span aria-live="off">{seconds > 0 ? t('connection.nextTry', { count: seconds }) : t('connection.trying')}</span>{' '}
      {lostAt !== undefined && t('connection.shownFrom', { time: format.clock(lostAt) })}{' '}
      {maybeStopped && (
        <>
          {t('connection.maybeStopped')} <code>{START_LINE}</code>
        </>
      )}
    </Banner>
  );
}

/** Whole seconds until a moment, counted down; 0 when it is over or there is none. */
function useSecondsUntil(at: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return at === undefined ? 0 : Math.max(0, Math.ceil((at - now) / 1_000));
}

function Outdated() {
  const { t } = useTranslation();
  const reload = (
    <Button size="xs" variant="default" onClick={() => location.reload()}>
      {t('connection.reload')}
    </Button>
  );
  return (
    <Banner state="pause" icon={IconRefresh} role="status" action={reload}>
      {t('connection.outdated')}
    </Banner>
  );
}

function RestartNeeded() {
  const { t } = useTranslation();
  const restart = useMutation(api.node.restart.mutationOptions({ onError: (error) => tellError(error) }));
  return (
    <Banner
      state="pause"
      icon={IconRefresh}
      role="status"
      action={
        <Button size="xs" variant="default" loading={restart.isPending} onClick={() => restart.mutate(undefined)}>
          {t('restart.now')}
        </Button>
      }
    >
      {t('restart.needed')}
    </Banner>
  );
}

/** The node runs with what was set before, because it could not be opened with what is set now. */
function Rejected({ why }: { why: NonNullable<SettingsView['rejected']> }) {
  const { t } = useTranslation();
  return (
    <Banner state="error" icon={IconAlertTriangle} role="alert">
      <b>{t('restart.rejected')}</b> {worded(why, 'message')} {worded(why, 'hint')}{' '}
      <Anchor href="#/settings" size="sm" underline="always" c="inherit">
        {t('restart.toSettings')}
      </Anchor>
    </Banner>
  );
}
